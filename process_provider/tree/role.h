/* The kind of a view, in words that people use. */
#ifndef PROCESS_PROVIDER_TREE_ROLE_H
#define PROCESS_PROVIDER_TREE_ROLE_H

#include <stdbool.h>

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
    ROLE_PAGE,    /* of the web */
    ROLE_SURFACE, /* drawn by the app, without views */
    ROLES,
};

enum role role_of_class(const char *class_name);

/* "checkbox"; "" for ROLE_NONE. */
const char *role_name(enum role role);

/* Does it take taps by its kind, whatever the dump says? */
bool role_is_control(enum role role);

#endif
