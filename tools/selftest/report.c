#include "tools/selftest/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/text.h"

/* Foreign text is cut to this before it is cleaned. */
#define FOREIGN_MAX ((size_t)4096)

static const char *outcome_name(enum outcome outcome)
{
    static const char *const names[] = {
        [OUTCOME_PASSED] = "passed",
        [OUTCOME_FAILED] = "failed",
        [OUTCOME_NOT_OFFERED] = "not offered",
    };

    return names[outcome];
}

void report_init(struct report *report)
{
    *report = (struct report){.redactor = REDACTOR_INIT};
}

void report_release(struct report *report)
{
    redactor_release(&report->redactor);
    free(report->checks);
    free(report->facts);
    free(report->made);
    *report = (struct report){.redactor = REDACTOR_INIT};
}

/* Secrets first: cut ones would not be known again. */
static void clean(struct report *report, const char *text, char *to,
                  size_t size)
{
    struct buf redacted = BUF_INIT(4 * FOREIGN_MAX);

    redactor_apply(&report->redactor, text, strnlen(text, FOREIGN_MAX),
                   &redacted);
    text_copy_clean(to, size, buf_cstr(&redacted), redacted.length);
    buf_release(&redacted);
}

void report_add_check(struct report *report, const char *topic,
                      const char *name, enum outcome outcome, int64_t took_ns,
                      const char *words)
{
    struct report_check *check;

    report->checks = mem_resize(report->checks, report->check_count + 1,
                                sizeof(*report->checks));
    check = &report->checks[report->check_count++];
    *check = (struct report_check){
        .topic = topic, .name = name, .outcome = outcome, .took_ns = took_ns};
    clean(report, words, check->words, sizeof(check->words));
}

void report_add_fact(struct report *report, const char *name, const char *value)
{
    struct report_fact *fact;

    report->facts = mem_resize(report->facts, report->fact_count + 1,
                               sizeof(*report->facts));
    fact = &report->facts[report->fact_count++];
    *fact = (struct report_fact){.name = name};
    clean(report, value, fact->value, sizeof(fact->value));
}

void report_add_made(struct report *report, const char *kind, const char *name,
                     bool removed)
{
    struct report_made *made;

    report->made =
        mem_resize(report->made, report->made_count + 1, sizeof(*report->made));
    made = &report->made[report->made_count++];
    *made = (struct report_made){.kind = kind, .removed = removed};
    clean(report, name, made->name, sizeof(made->name));
}

void report_end_early(struct report *report, const char *why)
{
    clean(report, why, report->ending, sizeof(report->ending));
}

const char *report_fact(const struct report *report, const char *name)
{
    for (size_t i = 0; i < report->fact_count; i++) {
        if (!strcmp(report->facts[i].name, name))
            return report->facts[i].value;
    }
    return "";
}

size_t report_count(const struct report *report, enum outcome outcome)
{
    size_t count = 0;

    for (size_t i = 0; i < report->check_count; i++)
        count += report->checks[i].outcome == outcome;
    return count;
}

static void add_checks(struct cJSON *tree, const struct report *report)
{
    struct cJSON *list = json_add_array(tree, "checks");

    for (size_t i = 0; i < report->check_count; i++) {
        const struct report_check *check = &report->checks[i];
        struct cJSON *object = json_add_object(list, NULL);

        json_add_string(object, "topic", check->topic);
        json_add_string(object, "name", check->name);
        json_add_string(object, "outcome", outcome_name(check->outcome));
        json_add_number(object, "ms", (double)check->took_ns / 1e6);
        json_add_string(object, "words", check->words);
    }
}

static void add_made(struct cJSON *tree, const struct report *report)
{
    struct cJSON *list = json_add_array(tree, "made");

    for (size_t i = 0; i < report->made_count; i++) {
        struct cJSON *object = json_add_object(list, NULL);

        json_add_string(object, "kind", report->made[i].kind);
        json_add_string(object, "name", report->made[i].name);
        json_add_bool(object, "removed", report->made[i].removed);
    }
}

struct cJSON *report_json(const struct report *report)
{
    struct cJSON *tree = json_new_object();
    struct cJSON *facts;

    json_add_string(tree, "version", PROCTOR_VERSION);
    json_add_int(tree, "passed", (int64_t)report_count(report, OUTCOME_PASSED));
    json_add_int(tree, "failed", (int64_t)report_count(report, OUTCOME_FAILED));
    json_add_int(tree, "not_offered",
                 (int64_t)report_count(report, OUTCOME_NOT_OFFERED));
    if (report->ending[0])
        json_add_string(tree, "ended_early", report->ending);
    facts = json_add_object(tree, "phone");
    for (size_t i = 0; i < report->fact_count; i++)
        json_add_string(facts, report->facts[i].name, report->facts[i].value);
    add_checks(tree, report);
    add_made(tree, report);
    return tree;
}
