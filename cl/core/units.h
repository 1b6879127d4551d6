/*
 * Which units a work-item of a CPU takes: grains of neighbours, each as many groups further on as
 * there are. Text for kernels alone.
 */
#ifndef TALLY_CL_UNITS_H
#define TALLY_CL_UNITS_H

/* For the first unit of each grain; and for each unit of each grain, whose first has a name too. */
#define TALLY_FOR_GRAINS(first, units, grain)                                                      \
    for (tally_index first = get_group_id(0) * (grain); first < (units);                           \
         first += get_num_groups(0) * (grain))
#define TALLY_FOR_UNITS(unit, first, units, grain)                                                 \
    TALLY_FOR_GRAINS(first, units, grain)                                                          \
    for (tally_index unit = first; unit < min(first + (grain), (units)); unit++)

#endif
