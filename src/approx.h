/* Logarithm and exponential from additions and products alone, so that a search takes the same path on every machine:
 * the C library's last bit differs between processors. Relative error below 1e-4, far less than a search needs. */
#ifndef NINEFOLD_APPROX_H
#define NINEFOLD_APPROX_H
#include <stdint.h>
#include <string.h>

/* Natural logarithm of a positive normal number: exponent, and the series of artanh for the mantissa in [sqrt(1/2), sqrt(2)). */
static inline double approx_log(double x) {
    uint64_t bits;
    memcpy(&bits, &x, 8);
    uint64_t shifted = bits - 0x3fe6a09e667f3bcdULL;              /* the bits of sqrt(1/2) */
    int64_t exponent = (int64_t)shifted >> 52;
    bits -= (uint64_t)exponent << 52;
    memcpy(&x, &bits, 8);
    double t = (x - 1) / (x + 1), s = t * t;
    return (double)exponent * 0.6931471805599453 + 2 * t * (1 + s * (1.0 / 3 + s * (1.0 / 5 + s * (1.0 / 7))));
}

/* e to the x; 0 below -700, and x is at most 700. */
static inline double approx_exp(double x) {
    if (x < -700) return 0;
    double scaled = x * 1.4426950408889634;
    int64_t whole = (int64_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
    double t = (scaled - (double)whole) * 0.6931471805599453;     /* |t| <= ln(2) / 2 */
    double power = 1 + t * (1 + t * (0.5 + t * (1.0 / 6 + t * (1.0 / 24 + t * (1.0 / 120)))));
    uint64_t bits = (uint64_t)(whole + 1023) << 52;
    double factor;
    memcpy(&factor, &bits, 8);
    return power * factor;
}
#endif
