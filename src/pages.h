/* Zeroed memory for large tables: aligned to its own size, a power of two, and on huge pages where the system has them,
 * because a random access to a table of gigabytes otherwise misses the processor's address cache every time. */
#ifndef NINEFOLD_PAGES_H
#define NINEFOLD_PAGES_H
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define HUGE_PAGE ((size_t)1 << 21)

static inline void *pages_new(size_t size) {
#if defined(__linux__)
    void *pages = aligned_alloc(size, size);
    if (pages != NULL) {
        if (size >= HUGE_PAGE) madvise(pages, size, MADV_HUGEPAGE);
        memset(pages, 0, size);
    }
    return pages;
#else
    return calloc(1, size);
#endif
}

static inline void pages_free(void *pages) { free(pages); }
static inline void pages_fetch(const void *address) { __builtin_prefetch(address); }
#endif
