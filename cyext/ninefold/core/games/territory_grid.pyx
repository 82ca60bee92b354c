"""The static puzzle of Territory: nine animals, the best land with both bosses and the sides of their markers, proven.

Face up there are at most 42 lands, the standard Young tableaux of the square. Each is tried, and in each the pairs of
bosses from those with most stars on, until what they could score at most is no more than what has been found.
With cards face down all partial fillings are tried, cards in ascending order, so that each comes once.
"""
from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from ninefold.core.games.territory cimport (
    ALL_CELLS, CELLS, DOWN, GOALS, LAND, NONE, STAR, Land, Ruleset, Side, holds)
from ninefold.core.rules cimport Bag, Game, Rng, Urn, bit_count, bit_first, rng_below, rng_seed, urn_open, urn_take

include "territory_land.pxi"

cdef enum:
    TABLEAUX = 42

cdef uint8_t TABLEAU[TABLEAUX][CELLS]   # cells from the lowest number to the highest

ctypedef struct Work:                   # what does not change from land to land
    const Ruleset *rules
    const Task *task
    int order[2][CELLS]                 # ranks of the animals that can be this boss, most stars first
    int candidates[2]
    int stars[CELLS]                    # by rank
    int most[2]                         # what each boss can score at most, and each of its candidates
    int each[2][CELLS]
    uint32_t terrain[CELLS]
    const Side *goal[2][GOALS]          # those that do not ask for bosses, and those that do
    int goals[2]
    int worth[2]                        # of all of them together


cdef int find_tableaux(uint8_t *order, int placed, uint32_t taken, int found) noexcept nogil:
    cdef uint32_t cells = ~taken & ALL_CELLS
    cdef int cell
    if placed == CELLS:
        memcpy(TABLEAU[found], order, CELLS)
        return found + 1
    while cells:
        cell = bit_first(cells)
        cells &= cells - 1
        if ROOM_ABOVE[ALL_CELLS & ~taken] >> cell & 1:      # all cells before it are taken
            order[placed] = cell
            found = find_tableaux(order, placed + 1, taken | (<uint32_t> 1) << cell, found)
    return found


cdef void prepare_tableaux() noexcept nogil:
    cdef uint8_t order[CELLS]
    find_tableaux(order, 0, 0, 0)


prepare_tableaux()

# --- bosses -----------------------------------------------------------------------------------------------------------

cdef inline int boss_points(const Work *work, int stars, int size, bint *star) noexcept nogil:
    """19, 27: with the better side of the marker up."""
    star[0] = size > stars
    if size < stars:
        return 0
    return stars + star[0] + (size if work.rules.territory_points else 0)


cdef int goal_points(const Work *work, int which, const Land *land) noexcept nogil:
    """20: of the goals that ask for bosses, or of the others."""
    cdef int i, points = 0
    for i in range(work.goals[which]):
        if holds(work.rules, work.goal[which][i], land):
            points += work.goal[which][i].points
    return points


cdef void prepare(Work *work, const Ruleset *rules, const Task *task) noexcept nogil:
    cdef int boss, i, j, rank
    work.rules = rules
    work.task = task
    work.goals[0] = work.goals[1] = work.worth[0] = work.worth[1] = 0
    for i in range(task.goals):
        j = task.goal[i].bosses
        work.goal[j][work.goals[j]] = task.goal[i]
        work.goals[j] += 1
        work.worth[j] += task.goal[i].points
    for boss in range(2):
        work.candidates[boss] = work.most[boss] = 0
        for rank in range(CELLS):
            work.stars[rank] = rules.stars[task.animal[rank]]
            work.terrain[rank] = rules.terrain[task.animal[rank]]
            if not rules.terrain[task.animal[rank]] >> boss & 1:
                continue
            i = work.candidates[boss]
            while i and work.stars[work.order[boss][i - 1]] < work.stars[rank]:
                work.order[boss][i] = work.order[boss][i - 1]
                i -= 1
            work.order[boss][i] = rank
            work.candidates[boss] += 1
        for j in range(work.candidates[boss]):
            i = work.stars[work.order[boss][j]]
            if i > CELLS:        # too many stars for any territory
                work.each[boss][j] = 0
            else:
                work.each[boss][j] = min(i + 1, CELLS) + (CELLS if rules.territory_points else 0)
            work.most[boss] = max(work.most[boss], work.each[boss][j])


cdef inline uint32_t cell_of(const uint8_t *cells, int rank) noexcept nogil:
    """The cell of an animal, a mask; 0 where it lies face down."""
    return (<uint32_t> 1) << cells[rank] if cells[rank] < DOWN else 0


cdef void try_bosses(const Work *work, const uint8_t *cells, Land *land, Grid *best) noexcept nogil:
    """All pairs of bosses of one land that could be better than the best. cells: where each animal lies, by rank."""
    cdef int goals = work.worth[0], i, j, points, limit, water_points, land_points
    cdef uint32_t one, other, own
    cdef bint star[2]
    limit = work.most[0] + work.most[1] + work.worth[1]
    if limit + goals <= best.points:
        return
    if goals:
        goals = goal_points(work, 0, land)
        if limit + goals <= best.points:
            return
    for i in range(work.candidates[0] + 1):         # the last one: no land boss
        one = cell_of(cells, work.order[0][i]) if i < work.candidates[0] else 0
        if one == 0 and i < work.candidates[0]:
            continue
        limit = (work.each[0][i] if one else 0) + goals + work.worth[1]
        if limit + work.most[1] <= best.points:
            continue
        for j in range(work.candidates[1] + 1):
            other = cell_of(cells, work.order[1][j]) if j < work.candidates[1] else 0
            if j < work.candidates[1] and (other == 0 or other == one):
                continue
            if limit + (work.each[1][j] if other else 0) <= best.points:
                continue
            land_points = water_points = 0
            star[0] = star[1] = False
            if one:
                own = JOINED[land.on[0] & ~other][bit_first(one)]
                land_points = boss_points(work, work.stars[work.order[0][i]], bit_count(own), &star[0])
            if other:
                own = JOINED[land.on[1] & ~one][bit_first(other)]
                water_points = boss_points(work, work.stars[work.order[1][j]], bit_count(own), &star[1])
            points = land_points + water_points + goals
            if points + work.worth[1] <= best.points:
                continue
            if work.goals[1]:
                land.boss[0] = one
                land.boss[1] = other
                points += goal_points(work, 1, land)
            if points > best.points:
                best.points = points
                memcpy(best.cell, land.cell, sizeof(best.cell))
                best.up = land.up
                best.boss[0] = best.boss[1] = NO_BOSS
                if one and (land_points or work.goals[1]):
                    best.boss[0] = bit_first(one) | (STAR if star[0] else 0)
                if other and (water_points or work.goals[1]):
                    best.boss[1] = bit_first(other) | (STAR if star[1] else 0)

# --- lands ------------------------------------------------------------------------------------------------------------

cdef bint ties_fit(const Work *work, const uint8_t *cells) noexcept nogil:
    """13: equal numbers never lie in one line."""
    cdef int one, other
    for one in range(CELLS):
        other = one + 1
        while other < CELLS and work.rules.below[work.task.animal[other]] == work.rules.below[work.task.animal[one]]:
            if (BEHIND[cells[one]] >> cells[other] | BEHIND[cells[other]] >> cells[one]) & 1:
                return False
            other += 1
    return True


cdef void try_tableaux(const Work *work, Grid *best) noexcept nogil:
    cdef uint8_t cell[16]
    cdef Land land
    cdef bint ties = False
    cdef int i, rank
    memset(cell, NONE, sizeof(cell))
    land.cell = cell
    land.up = land.taken = ALL_CELLS
    for rank in range(1, CELLS):
        ties |= work.rules.below[work.task.animal[rank]] == work.rules.below[work.task.animal[rank - 1]]
    for i in range(TABLEAUX):
        if ties and not ties_fit(work, TABLEAU[i]):
            continue
        land.on[0] = land.on[1] = 0
        for rank in range(CELLS):
            cell[TABLEAU[i][rank]] = work.task.animal[rank]
            land.on[0] |= (work.terrain[rank] & LAND) << TABLEAU[i][rank]
            land.on[1] |= (work.terrain[rank] >> 1) << TABLEAU[i][rank]
        try_bosses(work, TABLEAU[i], &land, best)


cdef bint can_be_down(const Work *work, const uint8_t *cells, uint32_t down, uint32_t empty) noexcept nogil:
    """13: whether these animals (ranks) can all come to lie face down, one after the other, on the empty cells.

    All others lie already, face up, as those leave less room that lie earlier. Each must find no room when its turn comes.
    """
    cdef uint32_t ranks = down, some, no_less, no_more
    cdef int rank, other
    if down == 0:
        return True
    while ranks:
        rank = bit_first(ranks)
        ranks &= ranks - 1
        no_less = no_more = 0
        for other in range(CELLS):
            if cells[other] < DOWN:
                if work.task.animal[other] >= work.rules.below[work.task.animal[rank]]:
                    no_less |= (<uint32_t> 1) << cells[other]
                if work.task.animal[other] < work.rules.upto[work.task.animal[rank]]:
                    no_more |= (<uint32_t> 1) << cells[other]
        if ROOM_ABOVE[no_less] & ROOM_BELOW[no_more] & empty:
            continue
        some = empty
        while some:
            if can_be_down(work, cells, down & ~((<uint32_t> 1) << rank), empty & ~(some & -some)):
                return True
            some &= some - 1
    return False


cdef void try_full(const Work *work, const uint8_t *cells, uint8_t *cell, Land *land, uint32_t down, Grid *best) noexcept nogil:
    """A land with its face-up cards, if the others can lie face down."""
    cdef uint32_t empty = ALL_CELLS & ~land.up
    if not work.rules.face_down_free and not can_be_down(work, cells, down, empty):
        return
    while down:
        cell[bit_first(empty)] = work.task.animal[bit_first(down)]
        empty &= empty - 1
        down &= down - 1
    try_bosses(work, cells, land, best)


cdef void try_fillings(const Work *work, uint8_t *cells, uint8_t *cell, Land *land, int rank, uint32_t down,
                       Grid *best) noexcept nogil:
    """All ways for the animals from a rank on: face up where the lower ones leave room, or face down."""
    cdef uint32_t free, one, equal = 0
    cdef int i
    if rank == CELLS:
        try_full(work, cells, cell, land, down, best)
        return
    for i in range(rank):
        if cells[i] < DOWN and work.rules.below[work.task.animal[i]] == work.rules.below[work.task.animal[rank]]:
            equal |= (<uint32_t> 1) << cells[i]
    free = ROOM_BELOW[land.up] & ROOM_ABOVE[equal] & ~land.up
    while free:
        one = free & -free
        free &= free - 1
        i = bit_first(one)
        cells[rank] = i
        cell[i] = work.task.animal[rank]
        land.up |= one
        land.on[0] |= (work.terrain[rank] & LAND) << i
        land.on[1] |= (work.terrain[rank] >> 1) << i
        try_fillings(work, cells, cell, land, rank + 1, down, best)
        land.up &= ~one
        land.on[0] &= ~one
        land.on[1] &= ~one
    cells[rank] = DOWN
    try_fillings(work, cells, cell, land, rank + 1, down | (<uint32_t> 1) << rank, best)


cdef void best_grid(const Ruleset *rules, const Task *task, Grid *best) noexcept nogil:
    """The best land, the first one found among equals; points -1 where the animals cannot all lie face up."""
    cdef Work work
    cdef uint8_t cells[CELLS]
    cdef uint8_t cell[16]
    cdef Land land
    prepare(&work, rules, task)
    memset(best, 0, sizeof(Grid))
    memset(best.cell, NONE, sizeof(best.cell))
    best.boss[0] = best.boss[1] = NO_BOSS
    best.points = -1
    try_tableaux(&work, best)
    if task.face_down:
        memset(cell, NONE, sizeof(cell))
        land.cell = cell
        land.up = land.on[0] = land.on[1] = 0
        land.taken = ALL_CELLS
        try_fillings(&work, cells, cell, &land, 0, 0, best)

# --- for Python -------------------------------------------------------------------------------------------------------

cdef const Ruleset *ruleset_of(Game game) except NULL:
    if game.name != "territory":
        raise ValueError(f"{game.name} has no lands")
    return <const Ruleset *> game.ruleset


def best(Game game not None, animals, goals=(), bint face_down=False):
    """The best land of nine animals (ids), as a dict; None where they cannot all lie face up and must.

    goals: pairs (goal, side) whose points count where they hold. face_down: whether cards may lie face down, as the game's
    option says, in any order of placing. Of the dict: points, cells (animal by cell), up (mask of face-up cells), boss
    (cell of land, of water, + 16 star side up; 255 where none is needed). Raises ValueError for other than nine different
    animals of the game, or a goal that there is not.
    """
    cdef const Ruleset *rules = ruleset_of(game)
    cdef Task task
    cdef Grid found
    cdef int i
    ids = sorted(animals)
    if len(ids) != CELLS or len(set(ids)) != CELLS or min(ids) < 0 or max(ids) >= bit_count(rules.all):
        raise ValueError(f"{CELLS} different animals, below {bit_count(rules.all)}, not {ids}")
    for i in range(CELLS):
        task.animal[i] = ids[i]
    task.goals = len(goals)
    if task.goals > GOALS:
        raise ValueError(f"at most {GOALS} goals, not {task.goals}")
    for i, (goal, side) in enumerate(goals):
        if not 0 <= goal < rules.goals or side not in (0, 1):
            raise ValueError(f"there is no side {side} of a goal {goal}")
        task.goal[i] = &rules.side[<int> goal][<int> side]
    task.face_down = face_down
    with nogil:
        best_grid(rules, &task, &found)
    if found.points < 0:
        return None
    return {"points": found.points, "cells": [found.cell[i] for i in range(CELLS)], "up": found.up,
            "boss": [found.boss[0], found.boss[1]]}


def solve_many(Game game not None, long n, uint64_t seed):
    """Solve n sets of nine random animals, face up, without goals, to time it. Returns the sum of their points.

    Runs without the GIL and does not look up in between.
    """
    cdef const Ruleset *rules = ruleset_of(game)
    cdef Task task
    cdef Grid found
    cdef Bag bag
    cdef Urn urn
    cdef Rng rng
    cdef uint64_t animals
    cdef long total = 0
    cdef int k
    rng_seed(&rng, seed, 0)
    bag.word[0] = rules.all
    bag.word[1] = 0
    task.goals = 0
    task.face_down = False
    with nogil:
        for _ in range(n):
            urn_open(&urn, &bag)
            animals = 0
            for _ in range(CELLS):
                animals |= (<uint64_t> 1) << urn_take(&urn, rng_below(&rng, urn.count))
            for k in range(CELLS):
                task.animal[k] = bit_first(animals)
                animals &= animals - 1
            best_grid(rules, &task, &found)
            total += found.points
    return total
