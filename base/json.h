/*
 * Reading JSON, based on cJSON: a strict parser with limits, and getters whose
 * errors say what is wrong and where.
 *
 *     struct json root = JSON_ROOT(tree), apps, app = JSON_NONE;
 *
 *     if (!json_get_array(&root, "apps", &apps, err))
 *         return false;
 *     while (json_next(&apps, &app)) {
 *         if (!json_get_string(&app, "name", &name, err))
 *             return false;
 *     }
 *
 * fails with "apps[2].name: expected a string, found a number".
 *
 * cJSON stores numbers as doubles. Integers are therefore accepted only from
 * -JSON_INT_MAX to JSON_INT_MAX, where they are exact.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define JSON_SIZE_MAX ((size_t)16 << 20) /* of a text, in bytes */
#define JSON_VALUES_MAX ((size_t)1 << 20)
#define JSON_DEPTH_MAX 64
#define JSON_INT_MAX INT64_C(9007199254740991) /* 2^53 - 1 */

/*
 * Parse one JSON text, which must be UTF-8, into a tree that the caller frees
 * with cJSON_Delete. Strings that contain U+0000 are refused, since C strings
 * cannot hold them. Fails with ERR_LIMIT beyond the limits above, or with
 * ERR_INVALID and the line and column (in characters, from 1).
 */
MUST_USE bool json_parse(const char *text, size_t length, struct cJSON **tree,
                         struct err *err);

/*
 * A value and its position. Both pointers are borrowed: the tree and the parent
 * must stay valid, and must not move, as long as this is used.
 */
struct json {
    const struct cJSON *value;
    const struct json *parent;
};

#define JSON_NONE                                                              \
    {                                                                          \
        .value = NULL                                                          \
    }
#define JSON_ROOT(tree_)                                                       \
    {                                                                          \
        .value = (tree_)                                                       \
    }

/*
 * Iterate over an array or object, starting with JSON_NONE; false at its end.
 */
bool json_next(const struct json *parent, struct json *child);

/*
 * Fail if a member of an object is there twice: the getters would read only the
 * first one. Other values pass.
 */
MUST_USE bool json_check_unique(const struct json *object, struct err *err);

/*
 * The value as the required type: otherwise ERR_INVALID, and output unchanged.
 */
MUST_USE bool json_as_string(const struct json *json, const char **text,
                             struct err *err);
MUST_USE bool json_as_int(const struct json *json, int64_t min, int64_t max,
                          int64_t *number, struct err *err);
MUST_USE bool json_as_number(const struct json *json, double *number,
                             struct err *err);
MUST_USE bool json_as_bool(const struct json *json, bool *truth,
                           struct err *err);
MUST_USE bool json_as_object(const struct json *json, struct err *err);
MUST_USE bool json_as_array(const struct json *json, struct err *err);

/*
 * json_fail(json, err, fmt, ...): report another problem with the value. Fills
 * err with ERR_INVALID, with its position in front. Always false.
 */
#define json_fail(...) (json_complain(__VA_ARGS__), err_false())
PRINTF_LIKE(3, 4)
void json_complain(const struct json *json, struct err *err, const char *fmt,
                   ...);

/* The same: "expected a string, found a number". Always false. */
bool json_fail_kind(const struct json *json, const char *expected,
                    struct err *err);

/*
 * Get a required member. Keys are case-sensitive; of equal keys the first is
 * used. ERR_INVALID when it is missing or has another type.
 */
MUST_USE bool json_get(const struct json *object, const char *key,
                       struct json *member, struct err *err);
MUST_USE bool json_get_string(const struct json *object, const char *key,
                              const char **text, struct err *err);
MUST_USE bool json_get_int(const struct json *object, const char *key,
                           int64_t min, int64_t max, int64_t *number,
                           struct err *err);
MUST_USE bool json_get_number(const struct json *object, const char *key,
                              double *number, struct err *err);
MUST_USE bool json_get_bool(const struct json *object, const char *key,
                            bool *truth, struct err *err);
MUST_USE bool json_get_object(const struct json *object, const char *key,
                              struct json *child, struct err *err);
MUST_USE bool json_get_array(const struct json *object, const char *key,
                             struct json *child, struct err *err);

/*
 * The same, but for a member that is missing or null the output is unchanged.
 */
MUST_USE bool json_opt_string(const struct json *object, const char *key,
                              const char **text, struct err *err);
MUST_USE bool json_opt_int(const struct json *object, const char *key,
                           int64_t min, int64_t max, int64_t *number,
                           struct err *err);
MUST_USE bool json_opt_number(const struct json *object, const char *key,
                              double *number, struct err *err);
MUST_USE bool json_opt_bool(const struct json *object, const char *key,
                            bool *truth, struct err *err);
MUST_USE bool json_opt_object(const struct json *object, const char *key,
                              struct json *child, struct err *err);
MUST_USE bool json_opt_array(const struct json *object, const char *key,
                             struct json *child, struct err *err);

/*
 * The same, into members of a struct: a copy of the text, which the caller
 * frees, replacing the previous one (or NULL); an int; a count that is not
 * negative.
 */
MUST_USE bool json_get_copy(const struct json *object, const char *key,
                            char **text, struct err *err);
MUST_USE bool json_opt_copy(const struct json *object, const char *key,
                            char **text, struct err *err);
MUST_USE bool json_opt_small(const struct json *object, const char *key,
                             int min, int max, int *number, struct err *err);
MUST_USE bool json_opt_count(const struct json *object, const char *key,
                             int64_t *number, struct err *err);

/*
 * Is this an object of that "format", in a "version" up to the newest known
 * one? A newer one is ERR_UNSUPPORTED, everything else ERR_INVALID.
 */
MUST_USE bool json_check_format(const struct json *object, const char *format,
                                int newest, struct err *err);

/* The old name of a member if the object has only that, otherwise its name. */
const char *json_name_in_use(const struct json *object, const char *name,
                             const char *old_name);

#endif
