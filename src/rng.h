/* A small random number generator, passed in and never inside a state.
 *
 * wyrand (Wang Yi, public domain): a 64-bit counter mixed by one 64x64 -> 128-bit product. A generator is named by a
 * seed and a stream, so that task number i of a job draws the same numbers whichever thread runs it. */
#ifndef NINEFOLD_RNG_H
#define NINEFOLD_RNG_H
#include <stdint.h>

typedef struct { uint64_t counter; } Rng;

/* The product of two words, folded: the mixing step of this file and of hash.h. */
static inline uint64_t mix_words(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

static inline uint64_t rng_next(Rng *rng) {
    rng->counter += 0xa0761d6478bd642fULL;
    return mix_words(rng->counter, rng->counter ^ 0xe7037ed1a0b428dbULL);
}

static inline void rng_seed(Rng *rng, uint64_t seed, uint64_t stream) {
    rng->counter = mix_words(seed ^ 0x8ebc6af09c88c6e3ULL, 0x589965cc75374cc3ULL) + stream * 0xd6e8feb86659fd93ULL;
    rng->counter ^= rng_next(rng);
}

/* Uniform over 0 .. n-1 for 1 <= n < 2^32, with a bias below n / 2^32. */
static inline uint32_t rng_below(Rng *rng, uint32_t n) {
    return (uint32_t)(((rng_next(rng) >> 32) * n) >> 32);
}

/* Two numbers of one draw, each uniform over 0 .. n-1 as in rng_below; independent of each other. */
static inline void rng_pair(Rng *rng, uint32_t n, uint8_t *one, uint8_t *two) {
    uint64_t word = rng_next(rng);
    *one = (uint8_t)(((word >> 32) * n) >> 32);
    *two = (uint8_t)(((word & 0xffffffff) * n) >> 32);
}

/* Uniform over [0, 1). */
static inline double rng_unit(Rng *rng) {
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}
#endif
