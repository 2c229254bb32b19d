/*
 * From what a model says to what is done: any family's reply to one action,
 * in the device's pixels, or the reason why not.
 *
 *     reply ──> reply.h: which part ──> said.h: verb and arguments
 *                                          │ reader.h: any notation
 *           action <── coords.h: pixels <──┘
 */
#ifndef RUNNER_PARSE_H
#define RUNNER_PARSE_H

#include "base/err.h"
#include "runner/coords.h"
#include "runner/family.h"
#include "tasks/action.h"

struct parse_options {
    const struct family *family; /* NULL: guess */
    bool coords_told;            /* otherwise they are the family's */
    enum coords coords;
    struct extent picture; /* as it was sent */
    struct extent screen;
};

/*
 * Read one reply, of length bytes. On success the caller releases the action,
 * and *family says whose way of writing it is. Fails with ERR_INVALID and the
 * precise reason; action is then untouched.
 */
MUST_USE bool parse_reply(const char *text, size_t length,
                          const struct parse_options *options,
                          struct action *action, const struct family **family,
                          struct err *err);

#endif
