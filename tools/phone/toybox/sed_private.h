/* A running sed: its files, its script and its two spaces. */
#ifndef TOOLS_PHONE_TOYBOX_SED_PRIVATE_H
#define TOOLS_PHONE_TOYBOX_SED_PRIVATE_H

#include "tools/phone/toybox/cmd.h"
#include "tools/phone/toybox/sed_script.h"

/* Limit of the pattern space and the hold space. */
#define SPACE_MAX ((size_t)1 << 20)

struct sed {
    struct command_call *call;
    struct sed_script script;
    bool quiet;         /* -n */
    bool separate;      /* -s and -i: line numbers start again in each file */
    bool in_place;      /* -i */
    const char *suffix; /* of -i: suffix of the backup; or NULL */

    char **names;
    size_t name_count;
    size_t name_next;
    struct sh_in *in; /* the current file; or NULL */
    struct command_lines lines;
    struct buf ahead; /* the next line, read ahead to detect the last one */
    bool has_ahead;

    struct sh_out *out; /* of -i; NULL: the command's output */
    struct regex *last; /* the regular expression used last */
    struct buf space;   /* the current line */
    struct buf held;
    struct buf behind; /* text of "a" to print after the line */
    long long number;  /* number of the line */
    bool replaced;     /* a substitution was made, for "t" */
    bool over;         /* q */
    int status;
};

/* Write to the command's output, or with -i to the file's new content. */
void sed_put(struct sed *sed, const char *data, size_t size);
void sed_put_line(struct sed *sed, const char *data, size_t size);

/* Write what "a" has left for the end of the line. */
void sed_flush_behind(struct sed *sed);

/* Open the next file; a file that cannot be opened is reported and left out. */
bool sed_next_file(struct sed *sed);
void sed_end_file(struct sed *sed);

/* Read the line after the current one, if there is one. */
void sed_look_ahead(struct sed *sed);

/* Append the next line to the pattern space; false at the end. */
bool sed_read_line(struct sed *sed);

/* Run the script on all lines of all files. */
void sed_run_files(struct sed *sed);

#endif
