/*
 * Writing JSON, based on cJSON: builders that cannot fail, and one line of
 * text.
 *
 *     struct cJSON *phone = json_new_object();
 *
 *     json_add_string(phone, "serial", serial);
 *     json_add_int(phone, "width", 1080);
 *     printed = json_print(phone, stdout, err);
 *     cJSON_Delete(phone);
 */
#ifndef BASE_JSON_WRITE_H
#define BASE_JSON_WRITE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"

/* New and empty; never NULL. Free the outermost one with cJSON_Delete. */
struct cJSON *json_new_object(void);
struct cJSON *json_new_array(void);

/*
 * Add a value to an object under key, or to the end of an array (key NULL).
 * Invalid UTF-8 is replaced by U+FFFD. Every int64_t is written exactly;
 * infinite numbers and NaN are written as null.
 */
void json_add_string(struct cJSON *into, const char *key, const char *text);
/* The same, unless text is NULL. */
void json_add_opt_string(struct cJSON *into, const char *key, const char *text);
void json_add_int(struct cJSON *into, const char *key, int64_t number);
void json_add_number(struct cJSON *into, const char *key, double number);
void json_add_bool(struct cJSON *into, const char *key, bool truth);
void json_add_null(struct cJSON *into, const char *key);
struct cJSON *json_add_object(struct cJSON *into, const char *key);
struct cJSON *json_add_array(struct cJSON *into, const char *key);

/*
 * Append the tree to text: one line, without its line end. Control characters
 * (text_is_control) are escaped, so that it is safe to print on a terminal.
 */
void json_format(const struct cJSON *tree, struct buf *text);

/* The same in several indented lines, for humans. */
void json_format_indented(const struct cJSON *tree, struct buf *text);

/* Print the tree as one line. Fails when writing fails. */
MUST_USE bool json_print(const struct cJSON *tree, FILE *out, struct err *err);

#endif
