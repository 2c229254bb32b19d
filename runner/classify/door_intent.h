/* An intent as the words of `am` describe it. */
#ifndef RUNNER_CLASSIFY_DOOR_INTENT_H
#define RUNNER_CLASSIFY_DOOR_INTENT_H

#include "runner/classify/door_shell.h"

#define DOOR_EXTRAS_MAX 16

struct door_extra {
    const char *key;
    const char *value; /* NULL: it is not known, or there is none */
};

/* All texts are borrowed from the words; NULL: not given, or not known. */
struct door_intent {
    const char *action;
    const char *data;
    const char *component; /* "package/class", also where it stands last */
    const char *package;
    bool home;    /* it has the category of the home screen */
    bool unknown; /* a word is not known */
    struct door_extra extras[DOOR_EXTRAS_MAX];
    size_t extra_count;
};

void door_intent_read(struct door_args args, struct door_intent *intent);

/* NULL: there is none. */
const char *door_intent_extra(const struct door_intent *intent,
                              const char *key);

/* The package of its component, or the one it is for; false for none. */
MUST_USE bool door_intent_package(const struct door_intent *intent,
                                  char package[DOOR_PATH_MAX]);

#endif
