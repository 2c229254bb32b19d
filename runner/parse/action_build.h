/* Builds an action, in pixels of the phone, from a verb and its arguments. */
#ifndef RUNNER_PARSE_ACTION_BUILD_H
#define RUNNER_PARSE_ACTION_BUILD_H

#include "base/err.h"
#include "runner/parse/action_call.h"
#include "runner/parse/reply_parser.h"

/*
 * Build the action; the caller releases it. Fails with ERR_INVALID when an
 * argument is missing or out of range; action is then unchanged.
 */
MUST_USE bool action_build(const struct action_call *call,
                           const struct model_family *family,
                           const struct reply_parse_options *options,
                           struct action *action, struct err *err);

#endif
