#include "tests/tools/env/env_desk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "tests/support/scratch_folder.h"

#define ANSWER_MAX ((size_t)64 << 20)

static void keep_answer(struct env_sink *sink,
                        const struct env_request *request, struct cJSON *answer,
                        const struct err *err)
{
    struct env_desk *desk = (struct env_desk *)sink;
    struct buf text = BUF_INIT(ANSWER_MAX);

    (void)request, (void)err;
    json_format(answer, &text);
    free(desk->answer);
    desk->answer = mem_dup(buf_cstr(&text));
    buf_release(&text);
}

void env_desk_init(struct env_desk *desk)
{
    struct err err = ERR_INIT;

    *desk = (struct env_desk){.sink = {keep_answer}};
    if (!suite_load(SUITE, &desk->suite, &err) ||
        !fonts_open(&desk->fonts, &err))
        fail_msg("%s", err.text);
    env_builtin_maker_init(&desk->builtin, desk->fonts);
    desk->world.suite = &desk->suite;
    desk->world.maker = &desk->builtin.maker;
    desk->world.scratch = scratch_folder_path();
    policy_init(&desk->world.policy, POLICY_DEFAULT);
}

void env_desk_open(struct env_desk *desk, const struct env_hub_options *options)
{
    struct env_hub_options own = *options;
    struct err err = ERR_INIT;

    own.world = &desk->world;
    if (!env_hub_open(&own, &desk->hub, &err))
        fail_msg("%s", err.text);
}

void env_desk_release(struct env_desk *desk)
{
    env_hub_close(desk->hub);
    fonts_close(desk->fonts);
    suite_release(&desk->suite);
    free(desk->answer);
}

const char *env_desk_ask(struct env_desk *desk, const char *request)
{
    struct env_request parsed;
    struct err err = ERR_INIT;

    if (!env_request_parse(request, strlen(request), &parsed, &err))
        fail_msg("%s: %s", request, err.text);
    env_hub_submit(desk->hub, &parsed, &desk->sink);
    env_hub_drain(desk->hub);
    return desk->answer;
}

const char *env_desk_expect(struct env_desk *desk, const char *request)
{
    const char *answer = env_desk_ask(desk, request);

    if (strstr(answer, "\"error\":"))
        fail_msg("%s: %s", request, answer);
    return answer;
}

void env_desk_expect_error(struct env_desk *desk, const char *request,
                           const char *words)
{
    const char *answer = env_desk_ask(desk, request);

    if (!strstr(answer, "\"error\":") || !strstr(answer, words))
        fail_msg("%s: %s", request, answer);
}

/* The number of the element in an answer; 0: there is none. */
static int find_element(const char *answer, const char *name)
{
    struct cJSON *tree = cJSON_Parse(answer);
    const struct cJSON *seen =
        cJSON_GetObjectItemCaseSensitive(tree, "observation");
    const struct cJSON *list =
        cJSON_GetObjectItemCaseSensitive(seen, "elements");
    const struct cJSON *item;
    int found = 0;

    cJSON_ArrayForEach(item, list)
    {
        const struct cJSON *text =
            cJSON_GetObjectItemCaseSensitive(item, "name");
        const struct cJSON *index =
            cJSON_GetObjectItemCaseSensitive(item, "index");

        if (!found && strstr(text->valuestring, name))
            found = index->valueint;
    }
    cJSON_Delete(tree);
    return found;
}

const char *env_desk_tap(struct env_desk *desk, const char *env,
                         const char *name)
{
    char request[256];
    int number;

    snprintf(request, sizeof(request),
             "{\"method\":\"observe\",\"env\":\"%s\",\"tree\":\"elements\"}",
             env);
    number = find_element(env_desk_expect(desk, request), name);
    if (!number)
        fail_msg("no element %s: %s", name, desk->answer);
    snprintf(request, sizeof(request),
             "{\"method\":\"step\",\"env\":\"%s\",\"action\":{\"action\":"
             "\"click\",\"index\":%d}}",
             env, number);
    return env_desk_expect(desk, request);
}
