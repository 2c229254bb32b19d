/*
 * Words for people and judges, made of what apps write for screens and
 * programmers for themselves: one line, bounded, and nothing in it that does
 * not show.
 */
#ifndef PROCESS_PROVIDER_PHRASE_H
#define PROCESS_PROVIDER_PHRASE_H

#include <stdbool.h>
#include <stddef.h>

#define PHRASE_MAX 96 /* bytes of one name, with its NUL */

/* A name that fits. */
struct phrase {
    char text[PHRASE_MAX];
};

/*
 * Text as words: white space becomes one space, characters that do not show
 * (controls, marks of direction, icons of private fonts) are left out, and
 * what is too long is cut at a character and ends with "…".
 * False when nothing is left.
 */
bool phrase_clean(const char *text, struct phrase *phrase);

/* The same into a buffer of any size. */
bool phrase_copy(const char *text, char *to, size_t size);

/* Is there anything to be seen? */
bool phrase_readable(const char *text);

/* Are there letters, digits or signs to be read, and not only pictures? */
bool phrase_has_words(const char *text);

/*
 * A resource-id as words: "com.app:id/btn_filter_icon" is "filter icon". What
 * only says the kind of view is left out. False when nothing says anything,
 * as where names were obfuscated.
 */
bool phrase_of_id(const char *id, struct phrase *phrase);

/* What every launcher is called. */
#define PHRASE_HOME "the home screen"

/* A package as the name of an app: "com.android.settings" is "settings". */
bool phrase_of_package(const char *package, struct phrase *phrase);

/* The last part of a resource-id, as it is. */
const char *phrase_id_tail(const char *id);

#endif
