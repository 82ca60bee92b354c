/* Bit sets of up to 128 members, two words each: the bag of unseen cards. */
#ifndef NINEFOLD_BITS_H
#define NINEFOLD_BITS_H
#include <stdint.h>
#include <string.h>

static inline int bit_count(uint64_t word) { return __builtin_popcountll(word); }
static inline int bit_first(uint64_t word) { return __builtin_ctzll(word); }   /* word != 0 */
static inline int bit_last(uint64_t word) { return 63 - __builtin_clzll(word); }

/* Position of the n-th set bit (n from 0), which must exist: byte sums by one product, then the byte by comparison,
 * then the same within the byte (Vigna, "Broadword implementation of rank/select queries", 2008). */
static inline int bit_select(uint64_t word, int n) {
    const uint64_t ones = 0x0101010101010101ULL, tops = 0x8080808080808080ULL;
    uint64_t sums = word - ((word >> 1) & 0x5555555555555555ULL);
    sums = (sums & 0x3333333333333333ULL) + ((sums >> 2) & 0x3333333333333333ULL);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * ones;
    int byte = bit_count((((uint64_t)n * ones | tops) - sums) & tops) * 8;   /* bytes whose running sum is <= n */
    n -= (int)((sums << 8) >> byte & 0xff);
    uint64_t rest = (word >> byte & 0xff) * ones & 0x8040201008040201ULL;       /* bit i of the byte alone in byte i */
    rest = ((rest + 0x7f7f7f7f7f7f7f7fULL) | rest) >> 7 & ones;                  /* as 0 or 1 */
    return byte + bit_count((((uint64_t)n * ones | tops) - rest * ones) & tops);
}

/* Which of 24 bytes, at any address, are not zero: bit i for byte i. */
#ifdef __SSE2__
#include <emmintrin.h>
static inline uint32_t bytes_set(const uint8_t *bytes) {
    const __m128i zero = _mm_setzero_si128();
    int low = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)bytes), zero));
    int high = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadl_epi64((const __m128i *)(bytes + 16)), zero));
    return ~((uint32_t)low | (uint32_t)high << 16) & 0xffffff;
}
/* Which of 16 bytes, at any address, are less than a limit: bit i for byte i. */
static inline uint32_t bytes_below(const uint8_t *bytes, uint8_t limit) {
    __m128i rest = _mm_subs_epu8(_mm_set1_epi8((char)limit), _mm_loadu_si128((const __m128i *)bytes));
    return ~(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(rest, _mm_setzero_si128())) & 0xffff;
}
#else
static inline uint32_t bytes_set(const uint8_t *bytes) {
    uint32_t mask = 0;
    for (int i = 0; i < 24; i++) mask |= (uint32_t)(bytes[i] != 0) << i;
    return mask;
}
static inline uint32_t bytes_below(const uint8_t *bytes, uint8_t limit) {
    uint32_t mask = 0;
    for (int i = 0; i < 16; i++) mask |= (uint32_t)(bytes[i] < limit) << i;
    return mask;
}
#endif

/* The least of nine sums one[i] + other[i], each below 65536, over the members i of a set; 65535 if it is empty. */
#ifdef __SSE4_1__
#include <smmintrin.h>
static inline uint32_t least_sum(const uint16_t *one, const uint16_t *other, uint32_t members) {
    const __m128i bits = _mm_set_epi16(128, 64, 32, 16, 8, 4, 2, 1);
    __m128i sums = _mm_add_epi16(_mm_loadu_si128((const __m128i *)one), _mm_loadu_si128((const __m128i *)other));
    __m128i absent = _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16((short)members), bits), _mm_setzero_si128());
    uint32_t least = (uint32_t)_mm_cvtsi128_si32(_mm_minpos_epu16(_mm_or_si128(sums, absent))) & 0xffff;
    uint32_t last = (uint32_t)(one[8] + other[8]) | ((members >> 8 & 1) - 1);
    return last < least ? last : least;
}
#else
static inline uint32_t least_sum(const uint16_t *one, const uint16_t *other, uint32_t members) {
    uint32_t least = 0xffff;
    for (; members; members &= members - 1) {
        int i = bit_first(members);
        if ((uint32_t)(one[i] + other[i]) < least) least = (uint32_t)(one[i] + other[i]);
    }
    return least;
}
#endif

/* Cards as counts: 32 bytes, one a kind, which sum up to less than 128. How many they are, and the kind of the n-th. */
static inline int counts_total(const uint8_t *counts) {
    uint64_t words[4];
    memcpy(words, counts, sizeof words);
    return (int)((words[0] + words[1] + words[2] + words[3]) * 0x0101010101010101ULL >> 56);
}

static inline int counts_select(const uint8_t *counts, int n) {
    const uint64_t ones = 0x0101010101010101ULL, tops = 0x8080808080808080ULL;
    for (int first = 0;; first += 8) {      /* word by word: in `sums` a byte is the sum of those up to it */
        uint64_t sums;
        memcpy(&sums, counts + first, sizeof sums);
        sums *= ones;
        if (n < (int)(sums >> 56)) return first + bit_count((((uint64_t)n * ones | tops) - sums) & tops);
        n -= (int)(sums >> 56);
    }
}

typedef struct { uint64_t word[2]; } Bag;

static inline int bag_count(const Bag *bag) { return bit_count(bag->word[0]) + bit_count(bag->word[1]); }

static inline int bag_select(const Bag *bag, int n) {
    int low = bit_count(bag->word[0]);
    return n < low ? bit_select(bag->word[0], n) : 64 + bit_select(bag->word[1], n - low);
}

static inline void bag_flip(Bag *bag, int bit) { bag->word[bit >> 6] ^= (uint64_t)1 << (bit & 63); }

/* How many of the cards first .. first+count-1 (count <= 64) are in the bag. */
static inline uint64_t bag_block(const Bag *bag, int first, int count) {
    uint64_t bits = bag->word[first >> 6] >> (first & 63);
    if ((first & 63) + count > 64) bits |= bag->word[1] << (64 - (first & 63));
    return count < 64 ? bits & (((uint64_t)1 << count) - 1) : bits;
}

/* The cards of a bag laid out for drawing: what a playout uses, as it draws often and never looks at the bag again. */
typedef struct { uint8_t card[128]; int count; } Urn;

static inline void urn_open(Urn *urn, const Bag *bag) {
    urn->count = 0;
    for (int half = 0; half < 2; half++) {
        uint64_t word = bag->word[half];
        while (word) {                      /* run by run: of a kind, the cards that are left lie side by side */
            int first = bit_first(word);
            uint64_t gaps = ~(word >> first);
            int length = gaps ? bit_first(gaps) : 64;
            for (int i = 0; i < length; i++) urn->card[urn->count + i] = (uint8_t)(64 * half + first + i);
            urn->count += length;
            word = first + length < 64 ? word >> (first + length) << (first + length) : 0;
        }
    }
}

/* Take out the n-th card of an urn that has more than n; a uniform n draws uniformly. */
static inline int urn_take(Urn *urn, int n) {
    int card = urn->card[n];
    urn->card[n] = urn->card[--urn->count];
    return card;
}
#endif
