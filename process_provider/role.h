/* What kind of thing a node is, as people call it. */
#ifndef PROCESS_PROVIDER_ROLE_H
#define PROCESS_PROVIDER_ROLE_H

#include <stdbool.h>

#include "process_provider/tree.h"

enum role {
    ROLE_NONE, /* a view like any other */
    ROLE_BUTTON,
    ROLE_CHECKBOX,
    ROLE_SWITCH,
    ROLE_RADIO,
    ROLE_OPTION, /* to be checked in some way */
    ROLE_FIELD,
    ROLE_SLIDER,
    ROLE_CHOICE,
    ROLE_TAB,
    ROLE_IMAGE,
    ROLE_TEXT,
    ROLE_LIST,
    ROLE_PAGE, /* of the web */
    ROLES,
};

enum role role_of(const struct tree_node *node);

/* The same; what only a view inside of it says counts, too. */
enum role role_within(const struct tree *tree, uint32_t node);

/* "checkbox"; "" for ROLE_NONE. */
const char *role_name(enum role role);

/* Does a tap on it do something, as far as the dump tells? */
bool role_takes_taps(const struct tree_node *node);

#endif
