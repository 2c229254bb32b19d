#include "tasks/json/bilingual_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "tasks/json/struct_json.h"

void bilingual_text_release(struct bilingual_text *bilingual_text)
{
    free(bilingual_text->any);
    free(bilingual_text->en);
    free(bilingual_text->zh);
    *bilingual_text = (struct bilingual_text){.any = NULL};
}

const char *bilingual_text_in(const struct bilingual_text *bilingual_text,
                              const char *locale)
{
    bool chinese = locale && !strncmp(locale, "zh", 2);
    const char *first = chinese ? bilingual_text->zh : bilingual_text->en;
    const char *second = chinese ? bilingual_text->en : bilingual_text->zh;

    return bilingual_text->any ? bilingual_text->any : first ? first : second;
}

void bilingual_text_to_json(const struct bilingual_text *bilingual_text,
                            struct cJSON *into, const char *key)
{
    struct cJSON *languages;

    if (bilingual_text->any)
        json_add_string(into, key, bilingual_text->any);
    if (!bilingual_text->en && !bilingual_text->zh)
        return;
    languages = json_add_object(into, key);
    if (bilingual_text->en)
        json_add_string(languages, "en", bilingual_text->en);
    if (bilingual_text->zh)
        json_add_string(languages, "zh", bilingual_text->zh);
}
