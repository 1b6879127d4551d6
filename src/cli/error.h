/*
 * Why a command failed, carried up to main, which prints it: so a failure is one line on stderr by
 * construction. Of several files each that fails has a line more. Knows nothing of what the
 * commands do.
 */
#ifndef TALLY_CLI_ERROR_H
#define TALLY_CLI_ERROR_H

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

/* The exit statuses, which every function that can fail returns. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1, /* a file, a device or the library said no */
    CLI_MISUSED = 2 /* the command line is wrong in itself, whatever files and devices there are */
};

/* The caller's. A longer text is cut and ends in "...". */
typedef struct cli_error {
    char text[1024];
} cli_error;

/* Fill error and return CLI_FAILED or CLI_MISUSED, so that failing is one line. */
int cli_fail(cli_error *error, const char *format, ...) CLI_PRINTF(2, 3);
int cli_misuse(cli_error *error, const char *format, ...) CLI_PRINTF(2, 3);

/* CLI_FAILED for an OpenCL call: "clFinish failed: CL_OUT_OF_RESOURCES (-5)". */
int cli_fail_cl(cli_error *error, const char *call, int code);

/* CLI_FAILED for host memory that ran out while making what. */
int cli_fail_memory(cli_error *error, const char *what);

/*
 * Put "LABEL: " before the sentence: the name of a file, or an option as it was written. Of a long
 * label only the end is shown, so that the fault still fits behind it. Returns status.
 */
int cli_error_prefix(cli_error *error, const char *label, int status);

/*
 * Print "tally: SENTENCE" as one line on stderr, whatever characters it has. The name is red on
 * terminals, unless $NO_COLOR is set.
 */
void cli_error_print(const cli_error *error);

#endif
