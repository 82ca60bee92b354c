/* 128-bit hashes of words, for transposition tables: two folded products a pair of words. */
#ifndef NINEFOLD_HASH_H
#define NINEFOLD_HASH_H
#include <stdint.h>
#include <string.h>
#include "rng.h"

typedef struct { uint64_t high, low; } Hash;

static inline Hash hash_start(uint64_t salt) {
    Hash hash = { salt ^ 0x9e3779b97f4a7c15ULL, salt ^ 0xbf58476d1ce4e5b9ULL };
    return hash;
}

static inline void hash_add(Hash *hash, uint64_t word) {
    hash->high = mix_words(hash->high ^ word, 0xd6e8feb86659fd93ULL);
    hash->low = mix_words(hash->low ^ word, 0xa0761d6478bd642fULL) + hash->high;
}

/* The bytes must be zero-padded to whole words: `size` is rounded up to eight. */
static inline void hash_bytes(Hash *hash, const void *bytes, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word;
        memcpy(&word, at + i, 8);
        hash_add(hash, word);
    }
}

static inline uint64_t hash_fold(const Hash *hash) { return mix_words(hash->high ^ 0xe7037ed1a0b428dbULL, hash->low | 1); }
#endif
