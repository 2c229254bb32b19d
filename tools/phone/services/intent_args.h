/* An intent from a command's arguments, as am and pm take them. */
#ifndef TOOLS_PHONE_SERVICES_INTENT_ARGS_H
#define TOOLS_PHONE_SERVICES_INTENT_ARGS_H

#include "tools/phone/services/subcommand.h"
#include "tools/phone/system/intent.h"

/*
 * Called for options that are not the intent's: true if it is an option of the
 * command, which then consumes its values.
 */
typedef bool intent_option_fn(struct subcommand_call *subcommand,
                              const char *option, void *context);

/*
 * Parse all remaining arguments. The intent borrows them. False, with a message
 * and the command's status, if they are invalid.
 */
MUST_USE bool intent_words(struct subcommand_call *subcommand,
                           intent_option_fn *other, void *context,
                           struct phone_intent *intent, int *status);

#endif
