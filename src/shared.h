/* Words and pointers that several threads read and write at once. What is stored is seen together with all that was
 * written before it by whoever loads it. On x86 a load or a store costs no more than a plain one. */
#ifndef NINEFOLD_SHARED_H
#define NINEFOLD_SHARED_H
#include <stdint.h>

static inline uint64_t word_load(const uint64_t *at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
static inline void word_store(uint64_t *at, uint64_t word) { __atomic_store_n(at, word, __ATOMIC_RELEASE); }
static inline uint64_t word_add(uint64_t *at, uint64_t n) { return __atomic_add_fetch(at, n, __ATOMIC_RELAXED); }

/* Change a word from one value to another. False if it was a third: then another thread was first. */
static inline int word_change(uint64_t *at, uint64_t from, uint64_t to) {
    return __atomic_compare_exchange_n(at, &from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static inline void *pointer_load(void *const *at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
static inline void pointer_store(void **at, void *pointer) { __atomic_store_n(at, pointer, __ATOMIC_RELEASE); }
#endif
