/* Checks of the headers in src/ against the obvious; built and run by test_headers.py. Exits with the line that failed. */
#include <math.h>
#include <stdlib.h>
#include "approx.h"
#include "bits.h"
#include "hash.h"
#include "rng.h"

#define CHECK(what) if (!(what)) exit(__LINE__)

static void check_select(uint64_t word) {
    int n = 0;
    for (int bit = 0; bit < 64; bit++)
        if (word >> bit & 1) CHECK(bit_select(word, n++) == bit);
    CHECK(n == bit_count(word));
    if (word) CHECK(bit_first(word) == bit_select(word, 0) && bit_last(word) == bit_select(word, n - 1));
}

static void check_bag(Bag bag, Rng *rng) {
    int there[128], n = 0, seen[128] = {0};
    Urn urn;
    for (int card = 0; card < 128; card++)
        if (bag.word[card >> 6] >> (card & 63) & 1) there[n++] = card;
    CHECK(bag_count(&bag) == n);
    urn_open(&urn, &bag);
    CHECK(urn.count == n);
    for (int i = 0; i < n; i++) CHECK(bag_select(&bag, i) == there[i] && urn.card[i] == there[i]);
    while (urn.count) {                     /* each card once, whichever is taken */
        int card = urn_take(&urn, (int)rng_below(rng, (uint32_t)urn.count));
        CHECK(seen[card]++ == 0);
    }
    for (int i = 0; i < n; i++) CHECK(seen[there[i]] == 1);
    for (int first = 0; first < 128; first++)
        for (int count = 0; count <= 64 && first + count <= 128; count++) {
            uint64_t block = bag_block(&bag, first, count), expected = 0;
            for (int i = 0; i < count; i++)
                expected |= (bag.word[(first + i) >> 6] >> ((first + i) & 63) & 1) << i;
            CHECK(block == expected);
        }
    for (int i = 0; i < n; i++) bag_flip(&bag, there[i]);
    CHECK(bag.word[0] == 0 && bag.word[1] == 0);
}

static void check_counts(Rng *rng) {
    uint8_t counts[32] = {0};
    int total = (int)rng_below(rng, 128), n = 0;
    for (int i = 0; i < total; i++) counts[rng_below(rng, 1 + rng_below(rng, 32))]++;
    CHECK(counts_total(counts) == total);
    for (int kind = 0; kind < 32; kind++)
        for (int i = 0; i < counts[kind]; i++) CHECK(counts_select(counts, n++) == kind);
}

int main(void) {
    Rng rng, again;
    rng_seed(&rng, 1, 2);
    rng_seed(&again, 1, 2);
    CHECK(rng_next(&rng) == rng_next(&again));

    for (uint64_t word = 0; word < 1 << 16; word++)             /* all of 16 bits, in all four places, alone and amid others */
        for (int shift = 0; shift < 64; shift += 16) {
            check_select(word << shift);
            check_select(~(word << shift));
        }
    for (int i = 0; i < 100000; i++) check_select(rng_next(&rng) & (i & 1 ? rng_next(&rng) : ~(uint64_t)0));

    for (int i = 0; i < 1000; i++) check_counts(&rng);

    Bag bags[] = {{{0, 0}}, {{~(uint64_t)0, ~(uint64_t)0}}, {{1, 0}}, {{0, 1}}, {{(uint64_t)1 << 63, (uint64_t)1 << 63}}};
    for (size_t i = 0; i < sizeof bags / sizeof *bags; i++) check_bag(bags[i], &rng);
    for (int i = 0; i < 300; i++) {
        Bag bag = {{rng_next(&rng) & rng_next(&rng), rng_next(&rng)}};
        check_bag(bag, &rng);
    }

    uint8_t bytes[40];
    for (int i = 0; i < 100000; i++) {
        int at = i % 16;
        uint32_t mask = 0;
        for (int j = 0; j < 40; j++) bytes[j] = (uint8_t)(rng_next(&rng) & rng_next(&rng) & 3 ? 0 : rng_next(&rng));
        for (int j = 0; j < 24; j++) mask |= (uint32_t)(bytes[at + j] != 0) << j;
        CHECK(bytes_set(bytes + at) == mask);
    }

    for (int i = 0; i < 100000; i++) {
        uint16_t one[9], other[9];
        uint32_t members = rng_below(&rng, 512), least = 0xffff;
        for (int j = 0; j < 9; j++) {
            one[j] = (uint16_t)(rng_next(&rng) & 0x7fff);
            other[j] = (uint16_t)(rng_next(&rng) & 0x7fff);
            if (members >> j & 1 && (uint32_t)(one[j] + other[j]) < least) least = (uint32_t)(one[j] + other[j]);
        }
        CHECK(least_sum(one, other, members) == least);
    }

    for (uint32_t n = 1; n < 20; n++) {                         /* all values come, about equally often */
        int count[3][20] = {{0}};
        uint8_t one, two;
        for (uint32_t i = 0; i < 10000 * n; i++) {
            count[0][rng_below(&rng, n)]++;
            rng_pair(&rng, n, &one, &two);
            count[1][one]++;
            count[2][two]++;
        }
        for (int which = 0; which < 3; which++)
            for (uint32_t i = 0; i < n; i++) CHECK(abs(count[which][i] - 10000) < 500);
    }
    for (int i = 0; i < 100000; i++) {
        double unit = rng_unit(&rng);
        CHECK(0 <= unit && unit < 1);
    }

    for (int i = -69000; i <= 69000; i++) {
        double x = i / 100.0 + rng_unit(&rng) / 100, e = approx_exp(x);
        CHECK(fabs(e / exp(x) - 1) < 1e-4);
        CHECK(fabs(approx_log(e) - log(e)) <= 1e-4 * fabs(log(e)) + 1e-9);
    }
    CHECK(approx_exp(-701) == 0);

    uint64_t words[2] = {1, 2};
    Hash a = hash_start(3), b = hash_start(3);
    hash_bytes(&a, words, sizeof words);
    hash_add(&b, 1);
    hash_add(&b, 2);
    CHECK(a.high == b.high && a.low == b.low && hash_fold(&a) == hash_fold(&b));
    hash_add(&b, 0);
    CHECK(hash_fold(&a) != hash_fold(&b));
    return 0;
}
