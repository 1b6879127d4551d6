/*
 * To be included first by the sources of this folder: what these systems have beyond C11. Some show
 * all that they have unless asked for less; these names ask the others for all.
 */
#ifndef TALLY_PLATFORM_POSIX_POSIX_H
#define TALLY_PLATFORM_POSIX_POSIX_H

#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#define _NETBSD_SOURCE
#define _FILE_OFFSET_BITS 64

#include <sys/stat.h>

#include "platform/files.h"

/* What stat says. */
void tally_posix_facts(const struct stat *about, tally_file_facts *facts);

#endif
