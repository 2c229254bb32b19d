/* A text in English, in Chinese, or in both. */
#ifndef TASKS_PHRASING_H
#define TASKS_PHRASING_H

#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"

/*
 * In JSON a string, which then holds for every language, or an object with
 * "en" and "zh".
 */
struct phrasing {
    char *any; /* owned, as the others; NULL where there is none */
    char *en;
    char *zh;
};

void phrasing_release(struct phrasing *phrasing);

/* In that language ("en…", "zh…"), or else in whichever there is; or NULL. */
const char *phrasing_in(const struct phrasing *phrasing, const char *locale);

void phrasing_to_json(const struct phrasing *phrasing, struct cJSON *into,
                      const char *key);

#endif
