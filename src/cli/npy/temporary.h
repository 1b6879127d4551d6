/*
 * Files that are there for a while, until they become an output, next to it. Nothing of them stays
 * behind: not of a run that failed or was ended by a signal, and what a run that was killed has
 * left goes with the next one. Knows paths and open files, not what is in them.
 */
#ifndef TALLY_CLI_NPY_TEMPORARY_H
#define TALLY_CLI_NPY_TEMPORARY_H

#include "platform/files.h"

typedef struct temporary {
    char *path;      /* NULL: there is none */
    tally_file file; /* open for writing and locked */
} temporary;

/*
 * Make a file in the folder of that path, whatever its last part is, and remove those there that
 * runs of this host have left, which nobody holds a lock on. A signal that ends the program removes
 * the file. Only one may be there at a time. Returns 0, or why not as errno does; nothing is made
 * then.
 */
int temporary_make(temporary *made, const char *beside);

/*
 * Close it, and give it the name of the target in the place of what is there. Returns 0, or why not
 * as errno does. Either way there is none then.
 */
int temporary_place(temporary *made, const char *target);

/* Close and remove it. A no-op on {0}, which it leaves. */
void temporary_remove(temporary *made);

/* ---- For others that are there for a while -------------------------------------------------- */

/* A word for this host, whose locks others may not see. */
#define TEMPORARY_HOST_BYTES 9
void temporary_host(char text[TEMPORARY_HOST_BYTES]);

/*
 * Lock what was just made and is open. False: somebody was quicker, who takes it for one that was
 * left. Where there are no locks it goes without, and is nobody's to remove.
 */
bool temporary_keep(tally_file file, const char *path);

/*
 * Remove the files of a folder, or the folders with all that is in them, that nobody holds a lock
 * on and whose names begin so and end so; ends may be NULL. The folder's path has a separator at
 * its end.
 */
void temporary_remove_left(const char *folder, const char *begin, bool (*ends)(const char *rest),
                           tally_file_kind kind);

#endif
