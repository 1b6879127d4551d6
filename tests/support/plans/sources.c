/*
 * sources.c: programs of all specs, of which a share may be enough.
 */
#include "sources.h"

#include <string.h>

#include <check.h>

#include "plan/program/source.h"
#include "support/plans/all_specs.h"
#include "support/share.h"

tally_text sources_write(const tally_spec *program) {
    tally_text source = TALLY_TEXT_INIT;
    tally_source_write(program, &source);
    if (source.failed || source.data == NULL || strlen(source.data) != source.length)
        ck_abort_msg("a source that is not whole");
    return source;
}

void sources_fail(const tally_spec *program, const char *what) {
    char name[TALLY_NAME_BYTES];
    tally_spec_name(program, name);
    ck_abort_msg("the source of %s: %s", name, what);
}

typedef struct sample {
    void (*check)(const tally_spec *program, const char *source);
    int step, seen, checked;
} sample;

static void visit(const tally_spec *program, void *user) {
    sample *it = user;
    if (it->seen++ % it->step != 0)
        return;
    tally_text source = sources_write(program);
    it->check(program, source.data);
    tally_text_free(&source);
    it->checked++;
}

void sources_check(int step, void (*check)(const tally_spec *, const char *)) {
    const int share = share_is_asked_for() ? 5 : 1;
    sample it = {check, step * share, 0, 0};
    all_specs_each_program(true, visit, &it);
    ck_assert_int_gt(it.checked, 150 / share);
}
