/*
 * The argument structs of all kinds of problems, as the host's compiler has them: one header of
 * cl/core for each kind. Which structs there are, and their members, args.def says.
 */
#ifndef TALLY_PLAN_ARGS_H
#define TALLY_PLAN_ARGS_H

#include "cl/core/fill_args.h"
#include "cl/core/fold_args.h"
#include "cl/core/scan_args.h"

#endif
