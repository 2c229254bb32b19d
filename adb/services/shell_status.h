/*
 * The exit status of a command over shell v1, which does not report it: the
 * device's shell prints it behind a marker, as the last line of the output.
 * Pure: bytes in, values out.
 */
#ifndef ADB_SERVICES_SHELL_STATUS_H
#define ADB_SERVICES_SHELL_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/macros.h"

/* The longest status line: marker, three digits, CR LF. */
#define SHELL_STATUS_MARKER "__proctor_status:"
#define SHELL_STATUS_MAX (sizeof(SHELL_STATUS_MARKER) - 1 + 3 + 2)

struct shell_status {
    int status;
    size_t size; /* of the status line, with its line end */
    bool crlf;   /* the device's terminal turns each LF into CR LF */
};

/*
 * Append a command line that runs command and then prints its status, also
 * when command calls exit or ends with a comment. A syntax error in command
 * prevents both.
 */
void shell_status_put_command(struct buf *line, const char *command);

/* How many bytes at the end of text may be the beginning of a status line. */
size_t shell_status_held(const char *text, size_t length);

/* Does text, all of the output, end with a status line? */
MUST_USE bool shell_status_parse(const char *text, size_t length,
                                 struct shell_status *found);

#endif
