/* Coney: the nine cells of a farm, and hands as a playout keeps them. */
#ifndef NINEFOLD_FARM_H
#define NINEFOLD_FARM_H
#include <stdint.h>
#include <string.h>

/* Cell 3 * row + column: which cells lie side by side, and which in one row or column. */

static const uint16_t NEXT_TO[9] = {
    0x00a, 0x015, 0x022, 0x051, 0x0aa, 0x114, 0x088, 0x150, 0x0a0,
};
static const uint16_t IN_LINE[9] = {
    0x04e, 0x095, 0x123, 0x071, 0x0aa, 0x11c, 0x189, 0x152, 0x0e4,
};

/* An ascending row of cards, 255 behind the last one; count < 32, and 32 bytes of room. */
static inline void row_clear(uint8_t *row) { memset(row, 255, 32); }

#ifdef __SSE2__
#include <emmintrin.h>
static const uint8_t ROW_KEPT[32] = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
};
#endif

static inline void row_put(uint8_t *row, int count, int card) {
#ifdef __SSE2__
    if (count < 16) {       /* at each place the middle one of the card, what lies there, and what lies before */
        __m128i old = _mm_loadu_si128((const __m128i *)row);
        __m128i moved = _mm_max_epu8(_mm_slli_si128(old, 1), _mm_set1_epi8((char)card));
        _mm_storeu_si128((__m128i *)row, _mm_min_epu8(moved, old));
        return;
    }
#endif
    while (count > 0 && row[count - 1] > card) { row[count] = row[count - 1]; count--; }
    row[count] = (uint8_t)card;
}

/* Take out the i-th card. */
static inline int row_take(uint8_t *row, int count, int i) {
    int card = row[i];
#ifdef __SSE2__
    if (count <= 16) {
        __m128i old = _mm_loadu_si128((const __m128i *)row);
        __m128i kept = _mm_loadu_si128((const __m128i *)(ROW_KEPT + 16 - i));
        __m128i moved = _mm_or_si128(_mm_srli_si128(old, 1), _mm_slli_si128(_mm_set1_epi8(-1), 15));
        _mm_storeu_si128((__m128i *)row, _mm_or_si128(_mm_and_si128(kept, old), _mm_andnot_si128(kept, moved)));
        return card;
    }
#endif
    for (; i < count; i++) row[i] = i + 1 < 32 ? row[i + 1] : 255;
    return card;
}
#endif
