#include "tools/device_checks/check_results.h"

#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/json_write.h"
#include "base/mem.h"

/* Untrusted text is cut to this before it is cleaned. */
#define FOREIGN_MAX ((size_t)4096)

const char *check_outcome_name(enum check_outcome outcome)
{
    static const char *const names[] = {
        [CHECK_PASSED] = "passed",
        [CHECK_FAILED] = "failed",
        [CHECK_NOT_OFFERED] = "not offered",
    };

    return names[outcome];
}

void check_results_init(struct check_results *check_results)
{
    *check_results = (struct check_results){.redactor = REDACTOR_INIT};
}

void check_results_release(struct check_results *check_results)
{
    redactor_release(&check_results->redactor);
    free(check_results->checks);
    free(check_results->facts);
    free(check_results->made);
    *check_results = (struct check_results){.redactor = REDACTOR_INIT};
}

/* Secrets first: cut ones would not be known again. */
static void clean(struct check_results *check_results, const char *text,
                  char *to, size_t size)
{
    struct buf redacted = BUF_INIT(4 * FOREIGN_MAX);

    redactor_apply(&check_results->redactor, text, strnlen(text, FOREIGN_MAX),
                   &redacted);
    clean_text_copy(to, size, buf_cstr(&redacted), redacted.length);
    buf_release(&redacted);
}

void check_results_add_check(struct check_results *check_results,
                             const char *topic, const char *name,
                             enum check_outcome outcome, int64_t took_ns,
                             const char *detail)
{
    struct check_result *check;

    check_results->checks =
        mem_resize(check_results->checks, check_results->check_count + 1,
                   sizeof(*check_results->checks));
    check = &check_results->checks[check_results->check_count++];
    *check = (struct check_result){
        .topic = topic, .name = name, .outcome = outcome, .took_ns = took_ns};
    clean(check_results, detail, check->detail, sizeof(check->detail));
}

void check_results_add_fact(struct check_results *check_results,
                            const char *name, const char *value)
{
    struct check_results_fact *fact;

    check_results->facts =
        mem_resize(check_results->facts, check_results->fact_count + 1,
                   sizeof(*check_results->facts));
    fact = &check_results->facts[check_results->fact_count++];
    *fact = (struct check_results_fact){.name = name};
    clean(check_results, value, fact->value, sizeof(fact->value));
}

void check_results_add_made(struct check_results *check_results,
                            const char *kind, const char *name, bool removed)
{
    struct check_results_made *made;

    check_results->made =
        mem_resize(check_results->made, check_results->made_count + 1,
                   sizeof(*check_results->made));
    made = &check_results->made[check_results->made_count++];
    *made = (struct check_results_made){.kind = kind, .removed = removed};
    clean(check_results, name, made->name, sizeof(made->name));
}

void check_results_end_early(struct check_results *check_results,
                             const char *why)
{
    clean(check_results, why, check_results->ending,
          sizeof(check_results->ending));
}

const char *check_results_fact(const struct check_results *check_results,
                               const char *name)
{
    for (size_t i = 0; i < check_results->fact_count; i++) {
        if (!strcmp(check_results->facts[i].name, name))
            return check_results->facts[i].value;
    }
    return "";
}

size_t check_results_count(const struct check_results *check_results,
                           enum check_outcome outcome)
{
    size_t count = 0;

    for (size_t i = 0; i < check_results->check_count; i++)
        count += check_results->checks[i].outcome == outcome;
    return count;
}

static void add_checks(struct cJSON *tree,
                       const struct check_results *check_results)
{
    struct cJSON *list = json_add_array(tree, "checks");

    for (size_t i = 0; i < check_results->check_count; i++) {
        const struct check_result *check = &check_results->checks[i];
        struct cJSON *object = json_add_object(list, NULL);

        json_add_string(object, "topic", check->topic);
        json_add_string(object, "name", check->name);
        json_add_string(object, "outcome", check_outcome_name(check->outcome));
        json_add_number(object, "ms", (double)check->took_ns / 1e6);
        json_add_string(object, "detail", check->detail);
    }
}

static void add_made(struct cJSON *tree,
                     const struct check_results *check_results)
{
    struct cJSON *list = json_add_array(tree, "made");

    for (size_t i = 0; i < check_results->made_count; i++) {
        struct cJSON *object = json_add_object(list, NULL);

        json_add_string(object, "kind", check_results->made[i].kind);
        json_add_string(object, "name", check_results->made[i].name);
        json_add_bool(object, "removed", check_results->made[i].removed);
    }
}

struct cJSON *check_results_json(const struct check_results *check_results)
{
    struct cJSON *tree = json_new_object();
    struct cJSON *facts;

    json_add_string(tree, "version", PROCTOR_VERSION);
    json_add_int(tree, "passed",
                 (int64_t)check_results_count(check_results, CHECK_PASSED));
    json_add_int(tree, "failed",
                 (int64_t)check_results_count(check_results, CHECK_FAILED));
    json_add_int(
        tree, "not_offered",
        (int64_t)check_results_count(check_results, CHECK_NOT_OFFERED));
    if (check_results->ending[0])
        json_add_string(tree, "ended_early", check_results->ending);
    facts = json_add_object(tree, "phone");
    for (size_t i = 0; i < check_results->fact_count; i++)
        json_add_string(facts, check_results->facts[i].name,
                        check_results->facts[i].value);
    add_checks(tree, check_results);
    add_made(tree, check_results);
    return tree;
}
