/*
 * Files of JSON lines that survive a kill at any moment: a line is appended by
 * one write, so that only the last one can be torn, and a torn one is dropped.
 */
#ifndef TASKS_JSON_JSONL_H
#define TASKS_JSON_JSONL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

#define JSONL_FILE_MAX ((size_t)256 << 20)

struct jsonl_writer {
    int fd;     /* owned */
    char *path; /* owned */
};

#define JSONL_WRITER_INIT                                                      \
    {                                                                          \
        .fd = -1                                                               \
    }

/*
 * Open a file for appending, and create it if necessary; a torn last line is
 * removed.
 */
MUST_USE bool jsonl_open(struct jsonl_writer *writer, const char *path,
                         struct err *err);

/* Append one line. */
MUST_USE bool jsonl_add(struct jsonl_writer *writer, const struct cJSON *line,
                        struct err *err);

/* Return when all lines are on the disk. */
MUST_USE bool jsonl_sync(struct jsonl_writer *writer, struct err *err);

/* An empty one is allowed. */
void jsonl_close(struct jsonl_writer *writer);

/* The content of a file while it is read line by line. */
struct jsonl_reader {
    const char *text; /* borrowed */
    size_t left;
    int line;           /* number of the line that was read last, from 1 */
    bool torn;          /* there was a torn last line */
    struct cJSON *tree; /* owned: the line that was read last */
};

#define JSONL_READER(text_, length_)                                           \
    {                                                                          \
        .text = (text_), .left = (length_)                                     \
    }

/*
 * Read the next line, which is valid until the one after it is read; its value
 * is NULL after the last. Fails with ERR_INVALID and the line number for a line
 * that is not a JSON object.
 */
MUST_USE bool jsonl_next(struct jsonl_reader *reader, struct json *line,
                         struct err *err);
/* Prefix the error with the line number. */
bool jsonl_wrap(const struct jsonl_reader *reader, struct err *err);
void jsonl_reader_release(struct jsonl_reader *reader);

#endif
