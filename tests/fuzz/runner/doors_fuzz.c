/*
 * What an agent sends over ADB, and what comes back: a service per record, with
 * bytes of the client behind a line ">", and of the phone behind "<". Records
 * are separated by "\n---\n".
 */
#include "runner/classify/door_classifier.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "tests/fuzz/fuzz.h"

#define SEPARATOR "\n---\n"
#define ITEMS_MAX 4096

/* Every action can be written and read back, as a trajectory does. */
static void check_action(const struct action *action)
{
    struct cJSON *tree = json_new_object();
    struct buf text = BUF_INIT(1 << 20);
    struct cJSON *again = NULL;
    struct json root = JSON_NONE;
    struct action read = {.kind = ACTION_CLICK};
    struct err err = ERR_INIT;

    action_to_json(action, tree);
    json_format(tree, &text);
    fuzz_expect(json_parse(buf_cstr(&text), text.length, &again, &err));
    root.value = again;
    fuzz_expect(action_from_json(&root, &read, &err));
    fuzz_expect(action_equal(action, &read));
    action_release(&read);
    cJSON_Delete(tree);
    cJSON_Delete(again);
    buf_release(&text);
}

static void check_items(const struct door_items *items)
{
    fuzz_expect(items->count <= ITEMS_MAX);
    for (size_t i = 0; i < items->count; i++) {
        const struct door_item *item = &items->items[i];

        fuzz_expect(item->command != NULL);
        if (item->kind == DOOR_ACTION)
            fuzz_expect(item->number > 0 && item->action.kind != ACTION_RAW);
        if (item->kind == DOOR_RAW)
            fuzz_expect(item->action.kind == ACTION_RAW && item->action.text);
        if (item->kind == DOOR_ACTION || item->kind == DOOR_RAW)
            check_action(&item->action);
        if (item->kind == DOOR_SCREENSHOT || item->kind == DOOR_TREE)
            fuzz_expect(item->capture > 0);
    }
}

/* The bytes behind a line of one character, up to the next such line. */
static void run_record(struct door_classifier *classifier, const char *data,
                       size_t size, int64_t now)
{
    struct door_items items = DOOR_ITEMS_INIT;
    struct door_captures captures = DOOR_CAPTURES_INIT;
    const char *end = data + size;
    const char *line = memmem(data, size, "\n>\n", 3);
    const char *answer = memmem(data, size, "\n<\n", 3);
    const char *first = line && (!answer || line < answer) ? line : answer;
    struct door_stream *stream = door_stream_open(
        classifier, data, (size_t)((first ? first : end) - data), now, &items);

    while (first) {
        const char *begin = first + 3;
        size_t left = (size_t)(end - begin);
        const char *next_line = memmem(begin, left, "\n>\n", 3);
        const char *next_answer = memmem(begin, left, "\n<\n", 3);
        const char *next =
            next_line && (!next_answer || next_line < next_answer)
                ? next_line
                : next_answer;
        size_t length = (size_t)((next ? next : end) - begin);

        if (first[1] == '>' && door_stream_wants_input(stream))
            door_stream_input(stream, begin, length, now + 50, &items);
        else if (first[1] == '<' && door_stream_wants_output(stream))
            door_stream_output(stream, begin, length, &captures);
        first = next;
    }
    door_stream_close(stream, now + 100, &items, &captures);
    check_items(&items);
    door_items_release(&items);
    door_captures_release(&captures);
}

/* The input is what the phone lists, too; without a device, there is one. */
static void find_touch(void *context, struct touch_devices *devices)
{
    const char *text = context;

    touch_devices_parse(text, strlen(text), devices);
    if (!devices->count)
        *devices = (struct touch_devices){
            .items = {{"/dev/input/event2", {0, 4095}, {0, 4095}}}, .count = 1};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *listed = mem_dup_n((const char *)data, size);
    const struct door_options options = {
        .display = {.size = {1080, 2400}, .rotation = (int)(size % 4)},
        .find_touch = find_touch,
        .context = listed,
    };
    struct door_classifier *classifier = door_classifier_new(&options);
    const char *at = (const char *)data;
    int64_t now = 1000;

    while (size) {
        const char *end = memmem(at, size, SEPARATOR, strlen(SEPARATOR));
        size_t length = end ? (size_t)(end - at) : size;
        size_t used = end ? length + strlen(SEPARATOR) : length;

        run_record(classifier, at, length, now);
        now += 200;
        at += used;
        size -= used;
    }
    door_classifier_free(classifier);
    free(listed);
    return 0;
}
