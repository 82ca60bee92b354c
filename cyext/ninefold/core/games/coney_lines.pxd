"""Coney: good lines of a solo position whose deck lies in a known order."""
from libc.stdint cimport uint16_t, uint64_t

from ninefold.core.rules cimport Rng, State


cdef enum:
    CODES = 1 << 15             # weights; moves share one where their numbers collide
    LINE_MOVES = 400            # a line with more moves, or more choices between them, is given up
    LINE_OPTIONS = 4096
    LEVELS = 3
    ROUNDS = 50                 # lines of the level below before a level begins anew

ctypedef struct Option:         # a legal move where there is a choice
    float bias                  # what the prior says
    uint16_t code               # of its weight

ctypedef struct Question:       # a choice
    uint16_t first              # of its options
    uint16_t options
    uint16_t chosen

ctypedef struct Line:
    int points                  # in parts, of which `unit` are a point
    int moves
    int questions
    int options
    uint16_t move[LINE_MOVES]
    Question question[LINE_MOVES]
    Option option[LINE_OPTIONS]

ctypedef struct Level:
    int count                   # rounds done
    Line best                   # of these rounds
    float weight[CODES]

ctypedef struct Lines:
    Rng rng
    int unit
    Line line                   # the last one
    Line best                   # of all
    Level level[LEVELS]


cdef class LineSearch:
    cdef State state
    cdef bint sales
    cdef int action
    cdef Lines *lines
    cdef bint play(self, const float *weight) noexcept nogil
    cdef void round(self) noexcept nogil
    cdef bint run(self, uint64_t games) noexcept nogil
    cdef list moves(self)
