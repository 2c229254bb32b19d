/*
 * Files of JSON lines that survive a kill at any moment: a line is appended in
 * one write, so that only the last one can be torn, and a torn one is dropped.
 */
#ifndef TASKS_JSONL_H
#define TASKS_JSONL_H

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

/* Go on with a file, which is made if need be; a torn last line is cut off. */
MUST_USE bool jsonl_open(struct jsonl_writer *writer, const char *path,
                         struct err *err);

/* Append one line. */
MUST_USE bool jsonl_add(struct jsonl_writer *writer, const struct cJSON *line,
                        struct err *err);

/* Return when all lines are on the disk. */
MUST_USE bool jsonl_sync(struct jsonl_writer *writer, struct err *err);

/* An empty one is fine. */
void jsonl_close(struct jsonl_writer *writer);

/* What a file holds, while it is read line by line. */
struct jsonl_reader {
    const char *text; /* borrowed */
    size_t left;
    int line;           /* the number of the one that was read last, from 1 */
    bool torn;          /* there was a torn last line */
    struct cJSON *tree; /* owned: the line that was read last */
};

#define JSONL_READER(text_, length_)                                           \
    {                                                                          \
        .text = (text_), .left = (length_)                                     \
    }

/*
 * The next line, which lives until the one after it is read; its value is NULL
 * after the last. Fails with ERR_INVALID and the line's number for one that is
 * no JSON object.
 */
MUST_USE bool jsonl_next(struct jsonl_reader *reader, struct json *line,
                         struct err *err);
/* Put the number of the line in front of what is wrong with it. */
bool jsonl_wrap(const struct jsonl_reader *reader, struct err *err);
void jsonl_reader_release(struct jsonl_reader *reader);

#endif
