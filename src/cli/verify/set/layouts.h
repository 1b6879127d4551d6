/*
 * The layouts of the fixed set: sizes, swept axes, and how the tensors lie in memory. Part of what
 * a hash means, as set.h says. Knows no function and no type.
 */
#ifndef TALLY_CLI_VERIFY_SET_LAYOUTS_H
#define TALLY_CLI_VERIFY_SET_LAYOUTS_H

#include <tally/types.h>

/* How a tensor lies in memory. */
typedef enum verify_arrangement {
    PACKED,
    TRANSPOSED,   /* the first axis is innermost */
    GAPPED,       /* three elements between what the outermost axis steps over */
    SPACED,       /* every other element, and a gap on each axis */
    REPEAT_OUTER, /* the outermost axis steps nowhere */
    REPEAT_INNER  /* the innermost axis steps nowhere */
} verify_arrangement;

typedef struct verify_layout {
    uint32_t rank;
    uint64_t size[TALLY_MAX_RANK];
    uint32_t axes; /* swept, a bit for each */
    verify_arrangement in, out;
    uint64_t skip; /* elements before the input's first */
} verify_layout;

typedef struct verify_layout_list {
    const verify_layout *layouts;
    size_t count;
} verify_layout_list;

extern const verify_layout_list verify_layouts_common;   /* for every function and type */
extern const verify_layout_list verify_layouts_optional; /* for each of the options, over float32 */
extern const verify_layout_list
    verify_layouts_few; /* for each of the options, over the other types */
extern const verify_layout_list
    verify_layouts_ranked; /* of many ranks, for a few functions and types */
extern const verify_layout_list verify_layouts_large;    /* beyond 4096 blocks, for very few */
extern const verify_layout_list verify_layouts_repeated; /* as large, but in little memory */

/* Of scans: axes has the one that is scanned. */
extern const verify_layout_list verify_layouts_scans;       /* for every function and type */
extern const verify_layout_list verify_layouts_scan_few;    /* where NaN is ignored */
extern const verify_layout_list verify_layouts_scan_ranked; /* of many ranks, for a few */
extern const verify_layout_list verify_layouts_scan_long;   /* of stretches, for a few */

/* Of fills: matrices and what the description says of them. axes means nothing. */
typedef struct verify_band {
    int64_t begin, end;
    bool in_place;
    verify_layout shape;
} verify_band;

typedef struct verify_band_list {
    const verify_band *bands;
    size_t count;
} verify_band_list;

extern const verify_band_list verify_bands;

/* Give a tensor of that rank and those sizes the strides. */
void verify_arrange(tally_tensor *tensor, verify_arrangement how);

#endif
