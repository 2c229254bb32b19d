/*
 * What a service says when it does not answer the question, and whose fault
 * that is. docs/models.md has the table.
 */
#ifndef RUNNER_API_FAULT_H
#define RUNNER_API_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

enum api_fault_kind {
    API_FAULT_PASSING,  /* may be gone the next time */
    API_FAULT_TOO_MUCH, /* the same, if it gets less to do */
    API_FAULT_QUOTA,    /* paid up, or used up: asking again does not help */
    API_FAULT_UNAUTHORIZED, /* the key is wrong */
    API_FAULT_MISSING,      /* no such model, or no such service */
    API_FAULT_OVERFLOW,     /* the question is longer than the model reads */
    API_FAULT_FILTERED,     /* a filter does not let the question pass */
    API_FAULT_OTHER,        /* the request is wrong */
};

struct api_fault {
    enum api_fault_kind kind;
    char message[160]; /* what it says, one clean line; "" */
    int64_t floor_ns;  /* how long it wants one to wait; 0: not said */
};

/*
 * Read the body of an answer with a status that is no success. Any service's
 * way of writing, or none.
 */
void api_fault_read(long status, const struct buf *body,
                    struct api_fault *fault);

/* Which error stands for it. */
enum err_code api_fault_code(const struct api_fault *fault, long status);

#endif
