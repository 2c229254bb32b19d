#include "tools/selftest/trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/text.h"

/* Foreign text is cut to this before it is cleaned. */
#define FOREIGN_MAX ((size_t)4096)

const char *trial_outcome_name(enum trial_outcome outcome)
{
    static const char *const names[] = {
        [TRIAL_PASSED] = "passed",
        [TRIAL_FAILED] = "failed",
        [TRIAL_NOT_OFFERED] = "not offered",
    };

    return names[outcome];
}

void trial_init(struct trial *trial)
{
    *trial = (struct trial){.redactor = REDACTOR_INIT};
}

void trial_release(struct trial *trial)
{
    redactor_release(&trial->redactor);
    free(trial->checks);
    free(trial->facts);
    free(trial->made);
    *trial = (struct trial){.redactor = REDACTOR_INIT};
}

/* Secrets first: cut ones would not be known again. */
static void clean(struct trial *trial, const char *text, char *to, size_t size)
{
    struct buf redacted = BUF_INIT(4 * FOREIGN_MAX);

    redactor_apply(&trial->redactor, text, strnlen(text, FOREIGN_MAX),
                   &redacted);
    text_copy_clean(to, size, buf_cstr(&redacted), redacted.length);
    buf_release(&redacted);
}

void trial_add_check(struct trial *trial, const char *topic, const char *name,
                     enum trial_outcome outcome, int64_t took_ns,
                     const char *words)
{
    struct trial_check *check;

    trial->checks = mem_resize(trial->checks, trial->check_count + 1,
                               sizeof(*trial->checks));
    check = &trial->checks[trial->check_count++];
    *check = (struct trial_check){
        .topic = topic, .name = name, .outcome = outcome, .took_ns = took_ns};
    clean(trial, words, check->words, sizeof(check->words));
}

void trial_add_fact(struct trial *trial, const char *name, const char *value)
{
    struct trial_fact *fact;

    trial->facts =
        mem_resize(trial->facts, trial->fact_count + 1, sizeof(*trial->facts));
    fact = &trial->facts[trial->fact_count++];
    *fact = (struct trial_fact){.name = name};
    clean(trial, value, fact->value, sizeof(fact->value));
}

void trial_add_made(struct trial *trial, const char *kind, const char *name,
                    bool removed)
{
    struct trial_made *made;

    trial->made =
        mem_resize(trial->made, trial->made_count + 1, sizeof(*trial->made));
    made = &trial->made[trial->made_count++];
    *made = (struct trial_made){.kind = kind, .removed = removed};
    clean(trial, name, made->name, sizeof(made->name));
}

void trial_end_early(struct trial *trial, const char *why)
{
    clean(trial, why, trial->ending, sizeof(trial->ending));
}

const char *trial_fact(const struct trial *trial, const char *name)
{
    for (size_t i = 0; i < trial->fact_count; i++) {
        if (!strcmp(trial->facts[i].name, name))
            return trial->facts[i].value;
    }
    return "";
}

size_t trial_count(const struct trial *trial, enum trial_outcome outcome)
{
    size_t count = 0;

    for (size_t i = 0; i < trial->check_count; i++)
        count += trial->checks[i].outcome == outcome;
    return count;
}

static void add_checks(struct cJSON *tree, const struct trial *trial)
{
    struct cJSON *list = json_add_array(tree, "checks");

    for (size_t i = 0; i < trial->check_count; i++) {
        const struct trial_check *check = &trial->checks[i];
        struct cJSON *object = json_add_object(list, NULL);

        json_add_string(object, "topic", check->topic);
        json_add_string(object, "name", check->name);
        json_add_string(object, "outcome", trial_outcome_name(check->outcome));
        json_add_number(object, "ms", (double)check->took_ns / 1e6);
        json_add_string(object, "words", check->words);
    }
}

static void add_made(struct cJSON *tree, const struct trial *trial)
{
    struct cJSON *list = json_add_array(tree, "made");

    for (size_t i = 0; i < trial->made_count; i++) {
        struct cJSON *object = json_add_object(list, NULL);

        json_add_string(object, "kind", trial->made[i].kind);
        json_add_string(object, "name", trial->made[i].name);
        json_add_bool(object, "removed", trial->made[i].removed);
    }
}

struct cJSON *trial_json(const struct trial *trial)
{
    struct cJSON *tree = json_new_object();
    struct cJSON *facts;

    json_add_string(tree, "version", PROCTOR_VERSION);
    json_add_int(tree, "passed", (int64_t)trial_count(trial, TRIAL_PASSED));
    json_add_int(tree, "failed", (int64_t)trial_count(trial, TRIAL_FAILED));
    json_add_int(tree, "not_offered",
                 (int64_t)trial_count(trial, TRIAL_NOT_OFFERED));
    if (trial->ending[0])
        json_add_string(tree, "ended_early", trial->ending);
    facts = json_add_object(tree, "phone");
    for (size_t i = 0; i < trial->fact_count; i++)
        json_add_string(facts, trial->facts[i].name, trial->facts[i].value);
    add_checks(tree, trial);
    add_made(tree, trial);
    return tree;
}
