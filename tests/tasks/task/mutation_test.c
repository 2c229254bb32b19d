/*
 * A valid suite, made invalid at every position in several ways. Each time the
 * message names the file, the task and the member.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"

#define SUITE TESTS_SUITES "/full.json"
#define PATH_SIZE 256
#define NAME_SIZE 64

/* The position of the mistake in the suite. */
struct place {
    struct cJSON *root;
    const struct cJSON *task; /* NULL: outside of them */
    char path[PATH_SIZE];     /* from the task on, or from the root */
};

static unsigned mutations;

static struct cJSON *load(void)
{
    struct buf text = BUF_INIT(1 << 20);
    struct cJSON *tree = NULL;
    struct err err = ERR_INIT;

    if (!file_load(SUITE, &text, &err) ||
        !json_parse(buf_cstr(&text), text.length, &tree, &err))
        fail_msg("%s", err.text);
    buf_release(&text);
    return tree;
}

static bool parses(const struct place *place, struct err *err)
{
    struct buf text = BUF_INIT(1 << 20);
    struct suite suite;
    bool done;

    json_format(place->root, &text);
    done = suite_parse(buf_cstr(&text), text.length, "some/where.json", &suite,
                       err);
    if (done)
        suite_release(&suite);
    buf_release(&text);
    return done;
}

static void expect_text(const struct place *place, const struct err *err,
                        const char *part, const char *what)
{
    if (!strstr(err->text, part))
        fail_msg("%s of %s: no \"%s\" in: %s", what, place->path, part,
                 err->text);
}

/* The suite is refused with a message about the position. */
static void refused(const struct place *place, const char *what,
                    const char *because)
{
    const struct cJSON *id =
        cJSON_GetObjectItemCaseSensitive(place->task, "id");
    bool tasks = !strcmp(place->path, "tasks"); /* "task 1" is one of them */
    char task[NAME_SIZE];
    struct err err = ERR_INIT;

    mutations++;
    if (parses(place, &err))
        fail_msg("%s of %s is taken", what, place->path);
    assert_int_equal(err.code, ERR_INVALID);
    expect_text(place, &err, "some/where.json: ", what);
    expect_text(place, &err, tasks ? "task" : place->path, what);
    expect_text(place, &err, because, what);
    if (cJSON_IsString(id)) {
        snprintf(task, sizeof(task), "task \"%s\"", id->valuestring);
        expect_text(place, &err, task, what);
    } else if (place->task) {
        expect_text(place, &err, "task ", what);
    }
    assert_null(strchr(err.text, '\n'));
}

/* ---- mutations ---- */

/* Replace a value, and restore it. */
static void with_value(const struct place *place, struct cJSON *value,
                       const char *json, const char *because)
{
    struct cJSON *other = cJSON_Parse(json);
    struct cJSON kept = *value;

    assert_non_null(other);
    value->type = other->type;
    value->child = other->child;
    value->valuestring = other->valuestring;
    value->valuedouble = other->valuedouble;
    value->valueint = other->valueint;
    refused(place, json, because);
    *value = kept;
    cJSON_Delete(other);
}

static void with_wrong_types(const struct place *place, struct cJSON *value)
{
    with_value(place, value, "null", "null");
    with_value(place, value, "[]", "");
    with_value(place, value, "[[1]]", "");
    with_value(place, value, "\"\"", "");
    with_value(place, value, "{\"xyzzy\": 1}", "");
    if (!cJSON_IsBool(value) && !strstr(place->path, ".key_step"))
        with_value(place, value, "true", "a boolean");
}

static void with_wrong_numbers(const struct place *place, struct cJSON *value)
{
    static const char *const wrong[] = {"-1", "0.5", "1e15", "-1e15"};

    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        bool fraction = wrong[i][1] == '.';

        /*
         * The number of an answer is unlimited; others must be between 0 and 1.
         */
        if (!strcmp(place->path, "answer") || strstr(place->path, "point") ||
            (fraction &&
             (strstr(place->path, "ssim") || strstr(place->path, "psnr") ||
              strstr(place->path, "tolerance") ||
              strstr(place->path, "relative"))))
            continue;
        with_value(place, value, wrong[i], "expected");
    }
}

/* A misspelt member is unknown, and the right name is suggested. */
static void with_wrong_name(struct place *place, struct cJSON *value)
{
    struct place wrong = *place;
    char *name = value->string;
    char misspelt[NAME_SIZE];
    char suggestion[NAME_SIZE + 32];

    snprintf(misspelt, sizeof(misspelt), "%s_", name);
    snprintf(wrong.path, sizeof(wrong.path), "%s_", place->path);
    snprintf(suggestion, sizeof(suggestion), "did you mean \"%s\"?", name);
    if (!strcmp(name, "en") || !strcmp(name, "zh"))
        suggestion[0] = '\0';
    value->string = misspelt;
    refused(&wrong, "another name", suggestion);
    value->string = name;
}

static void with_twice(const struct place *place, struct cJSON *object,
                       struct cJSON *value)
{
    struct cJSON *twin = cJSON_Duplicate(value, true);

    assert_true(cJSON_AddItemToArray(object, twin));
    refused(place, "a second one", "");
    cJSON_Delete(cJSON_DetachItemViaPointer(object, twin));
}

/* ---- all positions ---- */

static void step_into(struct place *place, const struct cJSON *parent,
                      const struct cJSON *child, int index)
{
    size_t length = strlen(place->path);

    if (cJSON_IsArray(parent))
        snprintf(place->path + length, PATH_SIZE - length, "[%d]", index);
    else
        snprintf(place->path + length, PATH_SIZE - length, "%s%s",
                 length ? "." : "", child->string);
    if (!strncmp(place->path, "tasks[", 6) && !place->task) {
        place->task = child;
        place->path[0] = '\0';
    }
}

static void break_all_below(const struct place *place, struct cJSON *parent)
{
    int index = 0;

    for (struct cJSON *child = parent->child; child; child = child->next) {
        struct place here = *place;

        step_into(&here, parent, child, index++);
        with_wrong_types(&here, child);
        if (cJSON_IsNumber(child))
            with_wrong_numbers(&here, child);
        if (cJSON_IsObject(parent)) {
            with_wrong_name(&here, child);
            with_twice(&here, parent, child);
        }
        break_all_below(&here, child);
    }
}

static void every_mistake_is_reported_with_its_position(void **state)
{
    struct place place = {.root = load()};

    (void)state;
    break_all_below(&place, place.root);
    print_message("%u mistakes\n", mutations);
    assert_true(mutations >= 200);
    cJSON_Delete(place.root);
}

/* ---- missing and contradictory members ---- */

struct missing {
    const char *suite;
    const char *message;
};

#define TASK(rest_)                                                            \
    "[{\"id\":\"a\",\"app\":\"org.a\",\"kind\":\"state\"," rest_ "}]"
#define ASKED(rest_) TASK("\"instruction\":\"Do.\",\"needs\":[\"b\"]," rest_)

static const struct missing table[] = {
    {"[{\"app\":\"org.a\",\"kind\":\"state\",\"instruction\":\"Do.\","
     "\"needs\":[\"b\"]}]",
     "s.json: task 1: id: missing"},
    {"[{\"id\":\"a\",\"kind\":\"state\",\"instruction\":\"Do.\","
     "\"needs\":[\"b\"]}]",
     "s.json: task \"a\": app: missing"},
    {"[{\"id\":\"a\",\"app\":\"org.a\",\"instruction\":\"Do.\","
     "\"needs\":[\"b\"]}]",
     "s.json: task \"a\": kind: missing"},
    {TASK("\"needs\":[\"b\"]"), "instruction: missing"},
    {TASK("\"instruction\":\"Do.\""), "needs: missing"},
    {"{\"name\":\"a\"}", "s.json: tasks: missing"},
    {"[]", "s.json: there is no task"},
    {"7", "s.json: expected an array, found a number"},
    {"[{]", "s.json: line 1, column 3: syntax error"},
    {ASKED("\"kind\":\"stat\""), "kind: given twice"},
    {ASKED("\"apps\":[\"org.b\"]"), "apps: conflicts with another member"},
    {ASKED("\"level\":\"L6\""),
     "level: there is no \"L6\"; did you mean \"L1\"?"},
    {ASKED("\"difficulty\":\"medum\""), "did you mean \"medium\"?"},
    {ASKED("\"actions\":[\"clik\"]"),
     "actions[0]: there is no \"clik\"; did you mean \"click\"?"},
    {ASKED("\"actions\":\"probenhc\""), "did you mean \"probench\"?"},
    {ASKED("\"reset\":\"clear\",\"requires\":{\"logged_in\":{\"id\":\"x\"}}"),
     "reset: clear would log out"},
    {ASKED("\"reset\":\"recorded\""), "reset: needs a trajectory"},
    {ASKED("\"reset\":{\"snapshot\":\"a\",\"recorded\":\"b\"}"),
     "reset: needs one of"},
    {ASKED("\"answer\":{\"exact\":\"a\",\"pattern\":\"b\"}"),
     "answer: needs one of"},
    {ASKED("\"answer\":{\"exact\":\"a\",\"tolerance\":1}"),
     "answer: only a number has a tolerance"},
    {ASKED("\"answer\":\"a\",\"actions\":\"probench\""),
     "answer: \"actions\" do not allow to answer"},
    {ASKED("\"never\":[{\"did\":\"(\"}]"),
     "never[0].did: bad pattern: missing closing parenthesis at byte 1"},
    {ASKED("\"never\":[{\"did\":{\"zh\":\"*\"}}]"),
     "never[0].did.zh: bad pattern"},
    {ASKED("\"never\":[{\"did\":\"a\",\"end\":\"b\"}]"),
     "never[0]: a step, the end, evidence and parts do not go together"},
    {ASKED("\"never\":[{\"any\":[\"a\"],\"all\":[\"b\"]}]"),
     "never[0].all: any, all, not and once do not go"},
    {ASKED("\"never\":[{\"any\":[\"a\"],\"end\":\"b\"}]"), "never[0]: a step"},
    {ASKED("\"never\":[{\"evidence\":\"a\"}]"),
     "never[0]: evidence and is go together"},
    {ASKED("\"never\":[{\"evidence\":\"catr\",\"is\":\"0\"}],"
           "\"probes\":[{\"name\":\"cart\",\"command\":\"id\"}]"),
     "never[0].evidence: there is no probe \"catr\"; did you mean \"cart\"?"},
    {ASKED("\"probes\":[{\"name\":\"a\",\"command\":\"b\"},"
           "{\"name\":\"a\",\"command\":\"c\"}]"),
     "probes: \"a\" is there twice"},
    {TASK("\"instruction\":\"Do.\",\"needs\":[{\"say\":\"a\",\"id\":\"a\","
          "\"after\":\"b\"},{\"say\":\"b\",\"id\":\"b\",\"after\":\"a\"}]"),
     "needs: \"after\" goes in a circle"},
    {TASK("\"instruction\":\"Do.\",\"needs\":[{\"say\":\"a\",\"id\":\"a\","
          "\"after\":\"b\"}]"),
     "needs[0]: there is no need \"b\""},
    {TASK("\"instruction\":\"Do.\",\"needs\":[{\"say\":\"a\",\"id\":\"a\"},"
          "{\"say\":\"b\",\"id\":\"a\"}]"),
     "needs[1]: \"a\" is there twice"},
    {ASKED("\"gold\":[{\"do\":\"click\"}]"), "gold[0]: click needs \"at\""},
    {ASKED("\"gold\":[{\"do\":\"type\"}]"), "gold[0]: type needs \"text\""},
    {ASKED("\"gold\":[{\"do\":\"scroll\"}]"),
     "gold[0]: scroll needs \"direction\""},
    {ASKED("\"gold\":[{\"do\":\"drag\",\"at\":\"a\"}]"),
     "gold[0]: drag needs \"at\" and \"to\""},
    {ASKED("\"gold\":[{\"do\":\"home\",\"text\":\"a\"}]"),
     "gold[0]: home takes no \"text\""},
    {ASKED("\"gold\":[{\"do\":\"home\"}],\"actions\":\"probench\""),
     "gold: step 1: \"actions\" do not allow home"},
    {ASKED("\"gold\":[{\"do\":\"click\",\"at\":{\"nth\":2}}]"),
     "gold[0].at: has no property to search for"},
    {ASKED("\"gold\":{\"trajectory\":\"../../etc\"}"),
     "gold.trajectory: \"../../etc\" is not a path below the suite's folder"},
    {ASKED("\"images\":[{\"reference\":\"a.png\"}]"),
     "images[0]: needs \"ssim\" or \"psnr\""},
    {ASKED("\"images\":[{\"reference\":\"a\",\"ssim\":1,\"file\":\"a\"}]"),
     "images[0].file: \"a\" is not a path on the phone"},
    {ASKED("\"images\":[{\"reference\":\"a\",\"ssim\":1,\"transform\":"
           "\"crop 9,0,1,5\"}]"),
     "images[0].transform: \"crop 9,0,1,5\" is not"},
    {ASKED("\"facts\":[\"a\"]"), "facts: need a \"truth\""},
    {ASKED("\"truth\":\"a\",\"facts\":[\"today\"]"),
     "facts[0]: \"today\" is not a name"},
    {ASKED("\"validated\":{\"date\":\"2026-02-29\"}"),
     "validated.date: \"2026-02-29\" is not a date"},
    {TASK("\"instruction\":\"Pay {prize}.\",\"needs\":[\"b\"],"
          "\"truth\":\"a\",\"facts\":[\"price\"]"),
     "instruction: nothing is known of {prize}; did you mean {price}?"},
    {TASK("\"instruction\":\"By {today+3x}.\",\"needs\":[\"b\"]"),
     "instruction: {today+3x}: expected up to 999 days"},
    {TASK("\"instruction\":\"By {today:%Q}.\",\"needs\":[\"b\"]"),
     "instruction: a date has no %Q"},
    {TASK("\"instruction\":\"By {today\",\"needs\":[\"b\"]"),
     "instruction: \"{today\" does not end"},
    {TASK("\"instruction\":\"Do.\",\"needs\":[{\"say\":\"a\",\"check\":"
          "{\"all\":[\"b\",{\"not\":{\"shows\":\"{c}\"}}]}}]"),
     "needs[0].check.all[1].not.shows: nothing is known of {c}"},
};

static void missing_and_contradictory_members_are_reported(void **state)
{
    struct suite suite;
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        const char *text = table[i].suite;

        if (suite_parse(text, strlen(text), "s.json", &suite, &err))
            fail_msg("taken: %s", text);
        if (!strstr(err.text, table[i].message))
            fail_msg("no \"%s\" in: %s", table[i].message, err.text);
    }
}

static void a_long_path_leaves_room_for_the_reason(void **state)
{
    char path[300];
    struct suite suite;
    struct err err = ERR_INIT;

    (void)state;
    memset(path, 'a', sizeof(path) - 1);
    path[100] = '/';
    path[sizeof(path) - 1] = '\0';
    assert_false(suite_parse("[{}]", 4, path, &suite, &err));
    assert_non_null(strstr(err.text, "task 1: id: missing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_is_reported_with_its_position),
        cmocka_unit_test(missing_and_contradictory_members_are_reported),
        cmocka_unit_test(a_long_path_leaves_room_for_the_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
