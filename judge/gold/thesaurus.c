#include "judge/gold/thesaurus.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/regex.h"
#include "judge/data/judge_data.h"

struct thesaurus_entry {
    struct thesaurus_meaning meaning;
    struct regex *like;   /* owned */
    struct regex *unless; /* owned; NULL: nothing */
};

struct thesaurus {
    struct cJSON *tree; /* owned: the texts */
    struct thesaurus_entry *entries;
    size_t count;
};

static bool open_entry(const struct json *json, const char *language,
                       struct thesaurus_entry *entry, struct err *err)
{
    struct json names = JSON_NONE;

    *entry = (struct thesaurus_entry){.like = NULL};
    return json_get_string(json, "is", &entry->meaning.is, err) &&
           json_opt_string(json, "undone_by", &entry->meaning.undone_by, err) &&
           json_opt_bool(json, "key", &entry->meaning.key, err) &&
           json_opt_bool(json, "adds_up", &entry->meaning.adds_up, err) &&
           json_opt_bool(json, "collects", &entry->meaning.collects, err) &&
           json_opt_bool(json, "arranges", &entry->meaning.arranges, err) &&
           json_opt_bool(json, "settles", &entry->meaning.settles, err) &&
           json_opt_bool(json, "commits", &entry->meaning.commits, err) &&
           json_opt_bool(json, "takes_back", &entry->meaning.takes_back, err) &&
           json_get_object(json, language, &names, err) &&
           json_get_string(&names, "like", &entry->meaning.like, err) &&
           json_opt_string(&names, "not", &entry->meaning.unless, err) &&
           regex_open(entry->meaning.like, REGEX_CASELESS, &entry->like, err) &&
           (!entry->meaning.unless ||
            regex_open(entry->meaning.unless, REGEX_CASELESS, &entry->unless,
                       err));
}

static bool open_entries(struct thesaurus *thesaurus, const char *language,
                         struct err *err)
{
    const char *text = embedded_get(&judge_files, "data/thesaurus.json")->text;
    struct json root = JSON_NONE;
    struct json entry = JSON_NONE;

    if (!json_parse(text, strlen(text), &thesaurus->tree, err))
        return false;
    root.value = thesaurus->tree;
    thesaurus->entries =
        mem_new((size_t)cJSON_GetArraySize(thesaurus->tree) + 1,
                sizeof(*thesaurus->entries));
    while (json_next(&root, &entry)) {
        if (!open_entry(&entry, language,
                        &thesaurus->entries[thesaurus->count++], err))
            return false;
    }
    return true;
}

struct thesaurus *thesaurus_open(const char *locale)
{
    struct thesaurus *thesaurus = mem_new(1, sizeof(*thesaurus));
    bool chinese = locale && !strncmp(locale, "zh", 2);
    struct err err = ERR_INIT;
    bool done = open_entries(thesaurus, chinese ? "zh" : "en", &err);

    assert(done && "the embedded thesaurus is valid");
    (void)done;
    return thesaurus;
}

void thesaurus_close(struct thesaurus *thesaurus)
{
    if (!thesaurus)
        return;
    for (size_t i = 0; i < thesaurus->count; i++) {
        regex_close(thesaurus->entries[i].like);
        regex_close(thesaurus->entries[i].unless);
    }
    free(thesaurus->entries);
    cJSON_Delete(thesaurus->tree);
    free(thesaurus);
}

const struct thesaurus_meaning *thesaurus_find(struct thesaurus *thesaurus,
                                               const char *name)
{
    return thesaurus_find_other(thesaurus, name, NULL);
}

const struct thesaurus_meaning *thesaurus_find_other(
    struct thesaurus *thesaurus, const char *name,
    const struct thesaurus_meaning *but)
{
    for (size_t i = 0; i < thesaurus->count; i++) {
        struct thesaurus_entry *entry = &thesaurus->entries[i];

        if (&entry->meaning != but && regex_matches(entry->like, name) &&
            !(entry->unless && regex_matches(entry->unless, name)))
            return &entry->meaning;
    }
    return NULL;
}

const struct thesaurus_meaning *thesaurus_get(struct thesaurus *thesaurus,
                                              const char *is)
{
    for (size_t i = 0; i < thesaurus->count; i++) {
        if (!strcmp(thesaurus->entries[i].meaning.is, is))
            return &thesaurus->entries[i].meaning;
    }
    return NULL;
}

void thesaurus_pattern(const struct thesaurus_meaning *meaning,
                       struct buf *pattern)
{
    buf_byte(pattern, '^');
    if (meaning->unless)
        buf_printf(pattern, "(?!.*(?:%s))", meaning->unless);
    buf_printf(pattern, ".*(?:%s)", meaning->like);
}
