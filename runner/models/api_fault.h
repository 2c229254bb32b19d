/* Classifies error replies of services. docs/models.md has the table. */
#ifndef RUNNER_MODELS_API_FAULT_H
#define RUNNER_MODELS_API_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

enum api_fault_kind {
    API_FAULT_PASSING,      /* temporary: retry */
    API_FAULT_TOO_MUCH,     /* overloaded: retry with fewer requests */
    API_FAULT_QUOTA,        /* quota or credit is used up: no retry */
    API_FAULT_UNAUTHORIZED, /* the key is wrong or missing */
    API_FAULT_MISSING,      /* unknown model or path */
    API_FAULT_OVERFLOW,     /* the request is longer than the context */
    API_FAULT_FILTERED,     /* refused by a content filter */
    API_FAULT_OTHER,        /* any other error of the request */
};

struct api_fault {
    enum api_fault_kind kind;
    char message[160]; /* its message, one clean line; "": none */
    int64_t floor_ns;  /* the wait that it asks for; 0: none */
};

/*
 * Read the body of a reply with an error status, in the format of any service.
 */
void api_fault_read(long status, const struct buf *body,
                    struct api_fault *fault);

/* The error code for it. */
enum err_code api_fault_code(const struct api_fault *fault, long status);

#endif
