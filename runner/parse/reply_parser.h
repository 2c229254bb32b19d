/*
 * From what a model says to what is done: any family's reply to one action,
 * in the device's pixels, or the reason why not.
 *
 *     reply ──> reply_parts.h: which part ──> action_call.h: verb, arguments
 *                                          │ loose_value.h: any notation
 *           action <── coords.h: pixels <──┘
 */
#ifndef RUNNER_PARSE_REPLY_PARSER_H
#define RUNNER_PARSE_REPLY_PARSER_H

#include "base/err.h"
#include "runner/parse/coords.h"
#include "runner/parse/model_family.h"
#include "tasks/task/action.h"

struct reply_parse_options {
    const struct model_family *family; /* NULL: guess */
    bool coords_given;                 /* otherwise they are the family's */
    enum coords coords;
    enum model_family_typing typing;
    struct extent picture; /* as it was sent */
    struct extent screen;
    size_t
        *work; /* set to the work done, as parse_work.h counts; may be NULL */
};

/*
 * Read one reply, of length bytes. On success the caller releases the action,
 * and *family says whose way of writing it is. Fails with ERR_INVALID and the
 * precise reason; action is then untouched. The work is bounded by the length
 * of the reply: one that would take more fails, too.
 */
MUST_USE bool reply_parse(const char *text, size_t length,
                          const struct reply_parse_options *options,
                          struct action *action,
                          const struct model_family **family, struct err *err);

#endif
