/*
 * How many hold an object.
 */
#ifndef TALLY_BASE_COUNT_H
#define TALLY_BASE_COUNT_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct tally_count {
    atomic_uint holders;
} tally_count;

void tally_count_init(tally_count *count); /* one holder */
void tally_count_retain(tally_count *count);
bool tally_count_release(tally_count *count); /* true for the last holder, who frees the object */

#endif
