/* A text in English, in Chinese, or in both. */
#ifndef TASKS_JSON_BILINGUAL_TEXT_H
#define TASKS_JSON_BILINGUAL_TEXT_H

#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"

/*
 * In JSON a string, which is used for every language, or an object with "en"
 * and "zh".
 */
struct bilingual_text {
    char *any; /* owned, as the others; NULL where there is none */
    char *en;
    char *zh;
};

void bilingual_text_release(struct bilingual_text *bilingual_text);

/*
 * The text in that language ("en…", "zh…"), or else in any that exists; or
 * NULL.
 */
const char *bilingual_text_in(const struct bilingual_text *bilingual_text,
                              const char *locale);

void bilingual_text_to_json(const struct bilingual_text *bilingual_text,
                            struct cJSON *into, const char *key);

#endif
