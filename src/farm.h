/* The nine cells of a Coney farm: which lie side by side, and which in one row or column. Cell 3 * row + column. */
#ifndef NINEFOLD_FARM_H
#define NINEFOLD_FARM_H
#include <stdint.h>

static const uint16_t NEXT_TO[9] = {
    0x00a, 0x015, 0x022, 0x051, 0x0aa, 0x114, 0x088, 0x150, 0x0a0,
};
static const uint16_t IN_LINE[9] = {
    0x04e, 0x095, 0x123, 0x071, 0x0aa, 0x11c, 0x189, 0x152, 0x0e4,
};
#endif
