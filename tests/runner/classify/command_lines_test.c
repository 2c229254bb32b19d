/*
 * The table of command lines in command_lines.txt: what frameworks send, and
 * the items that each line must give.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "runner/classify/door_classifier.h"
#include "tests/runner/classify/item_text.h"

#define LEAST_LINES 120
#define LEAST_FRAMEWORKS 8

struct table {
    struct door_classifier *classifier;
    int64_t now;
    size_t lines;
    size_t frameworks;
    size_t wrong;
};

static void find_touch(void *context, struct touch_devices *devices)
{
    (void)context;
    *devices = (struct touch_devices){
        .items = {{"/dev/input/event2", {0, 4095}, {0, 4095}}}, .count = 1};
}

static void restart(struct table *table)
{
    const struct door_options options = {
        .display.size = {1080, 2400},
        .find_touch = find_touch,
    };

    door_classifier_free(table->classifier);
    table->classifier = door_classifier_new(&options);
}

/* "service:…" as it is; anything else is a command of the shell. */
static bool is_service(const char *line)
{
    static const char *const services[] = {
        "shell:",  "shell,", "exec:", "sync:", "framebuffer:",  "reverse:",
        "reboot:", "tcp:",   "jdwp:", "root:", "localabstract:"};

    for (size_t i = 0; i < ARRAY_LEN(services); i++) {
        if (!strncmp(line, services[i], strlen(services[i])))
            return true;
    }
    return false;
}

static void check_line(struct table *table, const char *line,
                       const char *expected, size_t number)
{
    struct door_items items = DOOR_ITEMS_INIT;
    struct door_captures captures = DOOR_CAPTURES_INIT;
    struct buf service = BUF_INIT(1 << 16);
    struct buf found = BUF_INIT(1 << 16);
    struct door_stream *stream;

    buf_printf(&service, "%s%s", is_service(line) ? "" : "shell:", line);
    stream = door_stream_open(table->classifier, buf_cstr(&service),
                              service.length, table->now, &items);
    door_stream_close(stream, table->now, &items, &captures);
    item_text_put_all(&items, &found);
    if (strcmp(buf_cstr(&found), expected) != 0) {
        print_error("line %zu: %s\n  expected: %s\n  found:    %s\n", number,
                    line, expected, buf_cstr(&found));
        table->wrong++;
    }
    table->lines++;
    door_items_release(&items);
    door_captures_release(&captures);
    buf_release(&service);
    buf_release(&found);
}

/*
 * "COMMAND => ITEMS" in a new episode; "+250 COMMAND => ITEMS" so many
 * milliseconds later in the same one. "## NAME" begins a framework.
 */
static void take_line(struct table *table, char *line, size_t number)
{
    char *arrow = strstr(line, " => ");

    if (!strncmp(line, "## ", 3))
        table->frameworks++;
    if (!*line || *line == '#')
        return;
    if (!arrow)
        fail_msg("line %zu has no =>", number);
    *arrow = '\0';
    if (*line == '+') {
        table->now += strtol(line + 1, &line, 10);
        line++;
    } else {
        restart(table);
    }
    check_line(table, line, arrow + strlen(" => "), number);
}

static void every_line_gives_its_items(void **state)
{
    struct table table = {.now = 1000};
    struct buf text = BUF_INIT(1 << 20);
    struct err err = ERR_INIT;
    size_t number = 0;
    char *line;
    char *rest;

    (void)state;
    assert_true(file_load(TEST_COMMAND_LINES, &text, &err));
    rest = text.data;
    while ((line = strsep(&rest, "\n")))
        take_line(&table, line, ++number);
    assert_int_equal(table.wrong, 0);
    assert_true(table.lines >= LEAST_LINES);
    assert_true(table.frameworks >= LEAST_FRAMEWORKS);
    door_classifier_free(table.classifier);
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_gives_its_items),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
