/* An intent from a command's words, as am and pm take them. */
#ifndef PHONE_INTENT_WORDS_H
#define PHONE_INTENT_WORDS_H

#include "tools/phone/intent.h"
#include "tools/phone/verb.h"

/*
 * What an option means that is none of the intent's own: true when it is one
 * of the command's, which then takes its values itself.
 */
typedef bool intent_option_fn(struct verb_call *verb, const char *option,
                              void *context);

/*
 * Take all words that are left. The intent borrows them. False, with a message
 * and the command's status, for what makes no sense.
 */
MUST_USE bool intent_words(struct verb_call *verb, intent_option_fn *other,
                           void *context, struct intent *intent, int *status);

#endif
