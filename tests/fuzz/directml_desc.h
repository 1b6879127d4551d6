/*
 * directml_desc.h: descriptions of DirectML's operators from bytes: a legal one, or nearly, some of
 * whose numbers, pointers and elements of arrays are then others.
 */
#ifndef TESTS_FUZZ_DIRECTML_DESC_H
#define TESTS_FUZZ_DIRECTML_DESC_H

#include "api/directml/sample.h"
#include "bytes.h"

/*
 * The sample has to stay where it is, and is to be freed. Its arrays are as long as their counts
 * say, and empty where a count is beyond all limits, so that nobody may read them.
 */
void directml_desc_draw(byte_source *from, sample *made);

#endif
