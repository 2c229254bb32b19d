#include "tasks/phrasing.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "tasks/shape.h"

void phrasing_release(struct phrasing *phrasing)
{
    free(phrasing->any);
    free(phrasing->en);
    free(phrasing->zh);
    *phrasing = (struct phrasing){.any = NULL};
}

const char *phrasing_in(const struct phrasing *phrasing, const char *locale)
{
    bool chinese = locale && !strncmp(locale, "zh", 2);
    const char *first = chinese ? phrasing->zh : phrasing->en;
    const char *second = chinese ? phrasing->en : phrasing->zh;

    return phrasing->any ? phrasing->any : first ? first : second;
}

void phrasing_to_json(const struct phrasing *phrasing, struct cJSON *into,
                      const char *key)
{
    struct cJSON *languages;

    if (phrasing->any)
        json_add_string(into, key, phrasing->any);
    if (!phrasing->en && !phrasing->zh)
        return;
    languages = json_add_object(into, key);
    if (phrasing->en)
        json_add_string(languages, "en", phrasing->en);
    if (phrasing->zh)
        json_add_string(languages, "zh", phrasing->zh);
}
