/*
 * Replies of all families, from replies.jsonl beside this file: one object a
 * line with the reply, how it is read (profile, coords, image, screen), and
 * either the action or the reason why there is none.
 */
#include "runner/parse/reply_parser.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "tasks/task/action_set.h"
#include "tasks/task/action_table.h"

#define LEAST_REPLIES 300
#define LINE_SIZE 8192

static struct extent read_extent(const char *text)
{
    struct extent extent = {0, 0};
    char *end;

    extent.width = (int)strtol(text, &end, 10);
    assert_int_equal(*end, 'x');
    extent.height = (int)strtol(end + 1, &end, 10);
    return extent;
}

static struct reply_parse_options options_of(const struct json *line)
{
    struct reply_parse_options options = {.screen = {1080, 2400}};
    const char *profile = NULL;
    const char *coords = NULL;
    const char *image = NULL;
    const char *screen = NULL;
    struct err err;

    assert_true(json_opt_string(line, "profile", &profile, &err));
    assert_true(json_opt_string(line, "coords", &coords, &err));
    assert_true(json_opt_string(line, "image", &image, &err));
    assert_true(json_opt_string(line, "screen", &screen, &err));
    options.family = profile ? model_family_find(profile) : NULL;
    assert_true(!profile || options.family);
    options.coords_given = coords && coords_find(coords, &options.coords);
    assert_true(!coords || options.coords_given);
    if (screen)
        options.screen = read_extent(screen);
    options.picture = image ? read_extent(image) : options.screen;
    return options;
}

/* The action of the reply as JSON, or "error: " and the reason. */
static void read_reply(const char *reply,
                       const struct reply_parse_options *options,
                       struct buf *said)
{
    struct action action = {.kind = ACTION_CLICK};
    const struct model_family *family = NULL;
    struct err err = ERR_INIT;
    struct cJSON *tree;

    if (!reply_parse(reply, strlen(reply), options, &action, &family, &err)) {
        buf_printf(said, "error: %s", err.text);
        return;
    }
    assert_non_null(family);
    tree = json_new_object();
    action_to_json(&action, tree);
    json_format(tree, said);
    cJSON_Delete(tree);
    action_release(&action);
}

static bool is_right(const struct json *line, const struct buf *said)
{
    const char *error = NULL;
    struct json says = JSON_NONE;
    struct cJSON *got = NULL;
    struct err err;
    bool right;

    assert_true(json_opt_string(line, "error", &error, &err));
    if (error)
        return !strncmp(buf_cstr(said), "error: ", 7) &&
               strstr(buf_cstr(said), error);
    assert_true(json_get_object(line, "says", &says, &err));
    if (!json_parse(buf_cstr(said), said->length, &got, &err))
        return false;
    right = cJSON_Compare(got, says.value, true);
    cJSON_Delete(got);
    return right;
}

/* Check one line of the file; false, with a message, if it is wrong. */
static bool check(const char *text, int number)
{
    struct cJSON *tree = NULL;
    struct json line = JSON_NONE;
    struct buf said = BUF_INIT(64 * 1024);
    struct reply_parse_options options;
    const char *reply = NULL;
    struct err err;
    bool right;

    if (!json_parse(text, strlen(text), &tree, &err))
        fail_msg("line %d: %s", number, err.text);
    line.value = tree;
    assert_true(json_get_string(&line, "reply", &reply, &err));
    options = options_of(&line);
    read_reply(reply, &options, &said);
    right = is_right(&line, &said);
    if (!right)
        print_error("line %d: %s  reads: %s\n", number, text, buf_cstr(&said));
    buf_release(&said);
    cJSON_Delete(tree);
    return right;
}

static void replies_of_every_family_are_parsed(void **state)
{
    FILE *file = fopen(TEST_REPLIES, "re");
    char line[LINE_SIZE];
    int count = 0;
    int wrong = 0;

    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof(line), file))
        wrong += !check(line, ++count);
    fclose(file);
    assert_true(count >= LEAST_REPLIES);
    assert_int_equal(wrong, 0);
}

/* The actions of real replies in the fixtures, on a screen of 1080x2400. */
static const struct {
    const char *name;
    const char *says; /* or the error */
} real_replies[] = {
    {"probench", "{\"action\":\"click\",\"x\":100,\"y\":238}"},
    {"ui-r1", "{\"action\":\"click\",\"x\":278,\"y\":893}"},
    {"ui-r1-probench-no-braces", "{\"action\":\"click\",\"x\":12,\"y\":34}"},
    {"ui-tars-1.0", "{\"action\":\"click\",\"x\":254,\"y\":1229}"},
    {"ui-tars-bbox", "error: click lacks a point"},
    {"qwen3vl", "{\"action\":\"click\",\"x\":483,\"y\":195}"},
    {"gui-owl-1.5", "{\"action\":\"ask\",\"text\":\"which one?\"}"},
    {"mobile-agent-v3", "{\"action\":\"click\",\"x\":540,\"y\":1200}"},
    {"infigui-uigenie", "{\"action\":\"swipe\",\"direction\":\"up\"}"},
    {"androidworld", "{\"action\":\"click\",\"index\":3}"},
    {"step-gui", "{\"action\":\"click\",\"x\":540,\"y\":720}"},
    {"os-atlas", "{\"action\":\"open_app\",\"text\":\"PocketBook\"}"},
    {"os-atlas-base", "{\"action\":\"click\",\"x\":631,\"y\":65}"},
    {"showui", "{\"action\":\"click\",\"x\":529,\"y\":1008}"},
    {"aguvis", "{\"action\":\"click\",\"x\":932,\"y\":936}"},
    {"opencua", "error: the point 1443, 343 lies outside"},
    {"b-moca-tag", "{\"action\":\"click\",\"index\":5}"},
    {"androidarena", "{\"action\":\"click\",\"index\":5}"},
    {"mobilerun-xml", "{\"action\":\"home\"}"},
    {"openai-computer", "{\"action\":\"click\",\"x\":100,\"y\":200}"},
    {"claude-computer", "{\"action\":\"click\",\"x\":640,\"y\":360}"},
    {"gemini-computer-new", "{\"action\":\"click\",\"x\":401,\"y\":1128}"},
};

static void check_real(const char *text)
{
    const struct reply_parse_options options = {.picture = {1080, 2400},
                                                .screen = {1080, 2400}};
    struct buf said = BUF_INIT(4096);
    struct cJSON *tree = NULL;
    struct json line = JSON_NONE;
    const char *name = NULL;
    const char *raw = NULL;
    struct err err;

    assert_true(json_parse(text, strlen(text), &tree, &err));
    line.value = tree;
    assert_true(json_get_string(&line, "name", &name, &err));
    assert_true(json_get_string(&line, "raw", &raw, &err));
    read_reply(raw, &options, &said);
    for (size_t i = 0; i < ARRAY_LEN(real_replies); i++) {
        const char *says = real_replies[i].says;

        if (!strcmp(real_replies[i].name, name) &&
            strncmp(buf_cstr(&said), says, strlen(says)) != 0)
            fail_msg("%s: %s", name, buf_cstr(&said));
    }
    buf_release(&said);
    cJSON_Delete(tree);
}

static void real_replies_are_parsed(void **state)
{
    FILE *file = fopen(TEST_FIXTURES "/grammars.jsonl", "re");
    char line[LINE_SIZE];

    (void)state;
    if (!file)
        skip();
    while (fgets(line, sizeof(line), file))
        check_real(line);
    fclose(file);
}

/* An action of this kind with what the table says it needs. */
static struct action needed_action(enum action_kind kind)
{
    const struct action_info *info = action_table_kind(kind);
    uint32_t needs = info->required | info->either[0];
    struct action action = {.kind = kind};

    if (needs & ACTION_MEMBER_BIT(ACTION_MEMBER_X)) {
        action.has_from = true;
        action.from = (struct action_point){120, 340};
    }
    if (needs & ACTION_MEMBER_BIT(ACTION_MEMBER_X2)) {
        action.has_to = true;
        action.to = (struct action_point){560, 780};
    }
    if (needs & ACTION_MEMBER_BIT(ACTION_MEMBER_DIRECTION))
        action.direction = DIRECTION_LEFT;
    if (needs & ACTION_MEMBER_BIT(ACTION_MEMBER_TEXT))
        action.text = mem_dup(kind == ACTION_KEY ? "VOLUME_UP" : "Clock");
    return action;
}

static void every_action_of_the_table_is_understood_as_json(void **state)
{
    const struct reply_parse_options options = {
        .coords_given = true,
        .coords = COORDS_PX,
        .picture = {1080, 2400},
        .screen = {1080, 2400},
    };

    (void)state;
    for (int i = 0; i < ACTION_KINDS; i++) {
        bool asked_for = ACTION_SET_ALL & ACTION_BIT(i);
        struct action action = needed_action((enum action_kind)i);
        struct action found = {.kind = ACTION_CLICK};
        struct cJSON *tree = json_new_object();
        struct buf text = BUF_INIT(1024);
        const struct model_family *family;
        struct err err = ERR_INIT;

        action_to_json(&action, tree);
        json_format(tree, &text);
        if (asked_for != reply_parse(buf_cstr(&text), text.length, &options,
                                     &found, &family, &err))
            fail_msg("%s: %s", buf_cstr(&text), err.text);
        assert_true(!asked_for || action_equal(&action, &found));
        action_release(&action);
        action_release(&found);
        buf_release(&text);
        cJSON_Delete(tree);
    }
}

static void a_picture_is_resized_as_qwen_does(void **state)
{
    struct extent size = coords_smart_resize((struct extent){1080, 2400}, 28);

    (void)state;
    assert_int_equal(size.width, 1092);
    assert_int_equal(size.height, 2408);
    size = coords_smart_resize((struct extent){1080, 2400}, 32);
    assert_int_equal(size.width, 1088);
    assert_int_equal(size.height, 2400);
    size = coords_smart_resize((struct extent){8000, 8000}, 28);
    assert_true(size.width * size.height <= 12845056);
    size = coords_smart_resize((struct extent){14, 14}, 28);
    assert_int_equal(size.width, 56);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replies_of_every_family_are_parsed),
        cmocka_unit_test(real_replies_are_parsed),
        cmocka_unit_test(every_action_of_the_table_is_understood_as_json),
        cmocka_unit_test(a_picture_is_resized_as_qwen_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
