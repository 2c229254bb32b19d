/*
 * Short names for people and judges, made from texts of apps and from
 * identifiers: one line, bounded, without invisible characters.
 */
#ifndef PROCESS_PROVIDER_TEXT_PHRASE_H
#define PROCESS_PROVIDER_TEXT_PHRASE_H

#include <stdbool.h>
#include <stddef.h>

#define PHRASE_MAX 96 /* bytes of one name, with its NUL */

/* A name that fits. */
struct phrase {
    char text[PHRASE_MAX];
};

/*
 * Clean a text: white space becomes one space, invisible characters (controls,
 * direction marks, icons of private fonts) are removed, and a text that is too
 * long is cut at a character and ends with "…". False when nothing is left.
 */
bool phrase_clean(const char *text, struct phrase *phrase);

/* The same into a buffer of any size. */
bool phrase_copy(const char *text, char *to, size_t size);

/* Is anything visible? */
bool phrase_readable(const char *text);

/* Are there letters, digits or signs to be read, and not only pictures? */
bool phrase_has_words(const char *text);

/*
 * A resource-id as words: "com.app:id/btn_filter_icon" is "filter icon". Parts
 * that only name the kind of view are left out. False when nothing is left, or
 * the name is obfuscated.
 */
bool phrase_of_id(const char *id, struct phrase *phrase);

/* The name for every launcher. */
#define PHRASE_HOME "the home screen"

/* A package as the name of an app: "com.android.settings" is "settings". */
bool phrase_of_package(const char *package, struct phrase *phrase);

/* The last part of a resource-id, as it is. */
const char *phrase_id_tail(const char *id);

#endif
