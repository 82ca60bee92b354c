"""The best land of nine animals."""
from libc.stdint cimport uint8_t, uint32_t

from ninefold.core.games.territory cimport CELLS, GOALS, Ruleset, Side


cdef enum:
    NO_BOSS = 255

ctypedef struct Task:               # which land is wanted
    uint8_t animal[CELLS]           # ascending ids
    const Side *goal[GOALS]         # whose points count where they hold
    int goals
    bint face_down                  # whether cards may lie face down: as the ruleset says, in any order of placing

ctypedef struct Grid:               # and the best one
    int points
    uint8_t cell[16]                # animal by cell
    uint32_t up                     # face-up cells; on the others lie the rest of the animals
    uint8_t boss[2]                 # land, water: cell, + 16 star side, NO_BOSS where none is needed


cdef void best_grid(const Ruleset *rules, const Task *task, Grid *best) noexcept nogil
