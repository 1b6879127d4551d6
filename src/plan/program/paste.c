/*
 * Files of cl/ as the build has embedded them, and macros. #line directives name the files, so that
 * a compiler's message points into cl/.
 */
#include "plan/program/paste.h"

#include <string.h>

#include "plan/program/embedded.h"

static tally_embedded find(const char *file) {
    const tally_embedded *embedded = tally_embedded_files;
    while (embedded->name != NULL && strcmp(embedded->name, file) != 0)
        embedded++;
    return embedded->name != NULL ? *embedded
                                  : (tally_embedded){file, file, "#error not embedded\n"};
}

void tally_program_paste(tally_text *source, const char *file) {
    const tally_embedded found = find(file);
    tally_text_format(source, "#line 1 \"%s\"\n", found.path);
    tally_text_add(source, found.text);
    tally_text_add(source, "\n#line 1 \"spec\"\n");
}

void tally_program_undefine(tally_text *source, const char *file) {
    static const char directive[] = "\n#define ";
    const char *at = find(file).text;
    while ((at = strstr(at, directive)) != NULL) {
        at += sizeof directive - 1;
        tally_text_format(source, "#undef %.*s\n", (int)strcspn(at, " (\n"), at);
    }
}

void tally_program_define(tally_text *source, const char *name, const char *value) {
    tally_text_format(source, "#define TALLY_%s %s\n", name, value);
}

void tally_program_define_number(tally_text *source, const char *name, unsigned value) {
    tally_text_format(source, "#define TALLY_%s %u\n", name, value);
}
