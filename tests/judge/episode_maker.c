#include "tests/judge/episode_maker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/picture/png.h"

#define WIDTH 1000
#define HEIGHT 2000
#define ROW 100
#define LINE 30 /* height of a text inside a row */
#define SEPARATOR " | "

/* ---- screens ---- */

struct look {
    const char *sign;
    const char *class_name;
    const char *id;
    const char *states;
};

static const struct look looks[] = {
    {"title: ", "TextView", "title", ""},
    {"row: ", "TextView", "row", "clickable=\"true\""},
    {"text: ", "TextView", "text", ""},
    {"[ ] ", "CheckBox", "box", "clickable=\"true\" checkable=\"true\""},
    {"[x] ", "CheckBox", "box",
     "clickable=\"true\" checkable=\"true\" checked=\"true\""},
    {"( ) ", "RadioButton", "radio", "clickable=\"true\" checkable=\"true\""},
    {"(x) ", "RadioButton", "radio",
     "clickable=\"true\" checkable=\"true\" checked=\"true\""},
    {"{ } ", "TextView", "tab", "clickable=\"true\""},
    {"{x} ", "TextView", "tab", "clickable=\"true\" selected=\"true\""},
    {"field: ", "EditText", "field", "clickable=\"true\" focusable=\"true\""},
    {"*field: ", "EditText", "field",
     "clickable=\"true\" focusable=\"true\" focused=\"true\""},
};

static const struct look *look_of(const char *line)
{
    for (size_t i = 0; i < ARRAY_LEN(looks); i++) {
        if (!strncmp(line, looks[i].sign, strlen(looks[i].sign)))
            return &looks[i];
    }
    fail_msg("no such row: %s", line);
    return &looks[0];
}

/* The texts inside a row, one below the other. */
static void write_inside(struct buf *xml, int top, const char *text,
                         size_t length)
{
    const char *bar = memmem(text, length, SEPARATOR, strlen(SEPARATOR));
    size_t first = bar ? (size_t)(bar - text) : length;

    buf_printf(xml,
               "<node text=\"%.*s\" class=\"android.widget.TextView\" "
               "package=\"com.test\" bounds=\"[0,%d][%d,%d]\"/>",
               (int)first, text, top, WIDTH, top + LINE);
    if (bar)
        write_inside(xml, top + LINE, bar + strlen(SEPARATOR),
                     length - first - strlen(SEPARATOR));
}

static void write_row(struct buf *xml, int row, const char *line, size_t length)
{
    const struct look *look = look_of(line);
    const char *text = line + strlen(look->sign);
    size_t size = length - strlen(look->sign);
    bool several = memmem(text, size, SEPARATOR, strlen(SEPARATOR));

    buf_printf(xml,
               "<node text=\"%.*s\" resource-id=\"com.test:id/%s\" "
               "class=\"android.widget.%s\" package=\"com.test\" %s "
               "bounds=\"[0,%d][%d,%d]\">",
               several ? 0 : (int)size, text, look->id, look->class_name,
               look->states, row * ROW, WIDTH, (row + 1) * ROW);
    if (several)
        write_inside(xml, row * ROW, text, size);
    buf_text(xml, "</node>");
}

static void write_screen(struct buf *xml, const char *screen)
{
    int row = 0;

    buf_printf(xml,
               "<hierarchy rotation=\"0\"><node class=\"android.widget."
               "FrameLayout\" package=\"com.test\" bounds=\"[0,0][%d,%d]\">",
               WIDTH, HEIGHT);
    while (*screen) {
        size_t length = strcspn(screen, "\n");

        write_row(xml, row++, screen, length);
        screen += length + (screen[length] == '\n');
    }
    buf_text(xml, "</node></hierarchy>");
}

/* ---- episodes ---- */

static void must(bool done, const struct err *err)
{
    if (!done)
        fail_msg("%s", err->text);
}

void episode_begin(struct episode_maker *maker, const char *task)
{
    episode_begin_asked(maker, "Find the cheapest lamp and show it to me",
                        task);
}

void episode_begin_asked(struct episode_maker *maker, const char *instruction,
                         const char *task)
{
    char name[] = "test.task";
    char locale[] = "en-US";
    struct trajectory_head head = {.task = name,
                                   .instruction =
                                       (char *)(uintptr_t)instruction,
                                   .locale = locale,
                                   .width = WIDTH,
                                   .height = HEIGHT};
    struct buf text = BUF_INIT(1 << 16);
    const char *kind = strstr(task, "\"kind\"") ? "" : ",\"kind\":\"process\"";
    char path[160];
    struct err err;

    snprintf(path, sizeof(path), "/tmp/judge-test-XXXXXX");
    assert_non_null(mkdtemp(path));
    snprintf(maker->folder, sizeof(maker->folder), "%s/episode", path);
    must(trajectory_create(maker->folder, &head, &maker->writer, &err), &err);
    buf_printf(&text,
               "{\"id\":\"test.task\",\"app\":\"com.test\","
               "\"instruction\":\"%s\"%s%s%s}",
               instruction, kind, *task ? "," : "", task);
    snprintf(path, sizeof(path), "%s/task.json", maker->folder);
    must(file_save(path, 0666, buf_cstr(&text), text.length, &err), &err);
    buf_release(&text);
}

void episode_picture(const char *screen, struct buf *png)
{
    struct picture picture = PICTURE_INIT;
    uint8_t shade = 0;
    struct err err;

    for (const char *at = screen; *at; at++)
        shade = (uint8_t)(shade * 31 + *at);
    must(picture_resize(&picture, 20, 40, &err), &err);
    memset(picture.pixels, shade, picture.stride * picture.height);
    must(png_encode(&picture, PNG_FAST, png, &err), &err);
    picture_release(&picture);
}

void episode_see(struct episode_maker *maker, const char *screen)
{
    struct buf xml = BUF_INIT(1 << 16);
    struct buf png = BUF_INIT(1 << 16);
    struct trajectory_observation observation = {.package = "com.test"};
    struct err err;

    write_screen(&xml, screen);
    episode_picture(screen, &png);
    observation.tree = buf_cstr(&xml);
    observation.tree_size = xml.length;
    observation.screen = buf_cstr(&png);
    observation.screen_size = png.length;
    must(trajectory_write_observation(maker->writer, &observation, &err), &err);
    buf_release(&xml);
    buf_release(&png);
}

void episode_act(struct episode_maker *maker, const char *screen,
                 const struct action *action, const char *blocked)
{
    struct err err;

    episode_see(maker, screen);
    must(trajectory_write_plain_action(maker->writer, ACTOR_AGENT, action,
                                       blocked, 0, &err),
         &err);
}

void episode_tap_at(struct episode_maker *maker, const char *screen, int x,
                    int y)
{
    const struct action action = {
        .kind = ACTION_CLICK, .has_from = true, .from = {x, y}};

    episode_act(maker, screen, &action, NULL);
}

void episode_tap(struct episode_maker *maker, const char *screen, int row)
{
    episode_tap_at(maker, screen, WIDTH / 2, row * ROW + ROW / 2);
}

static void say(struct episode_maker *maker, const char *screen,
                enum action_kind kind, const char *text)
{
    char words[256] = "";
    struct action action = {.kind = kind};

    if (text) {
        snprintf(words, sizeof(words), "%s", text);
        action.text = words;
    }
    episode_act(maker, screen, &action, NULL);
}

void episode_type(struct episode_maker *maker, const char *screen,
                  const char *text)
{
    say(maker, screen, ACTION_TYPE, text);
}

void episode_evidence(struct episode_maker *maker, const char *name,
                      const char *value)
{
    struct err err;

    must(trajectory_evidence(maker->writer, name, value, &err), &err);
}

void episode_before(struct episode_maker *maker, const char *name,
                    const char *value)
{
    struct err err;

    must(trajectory_evidence_before(maker->writer, name, value, &err), &err);
}

void episode_end(struct episode_maker *maker, enum trajectory_ending ending,
                 const char *reason)
{
    struct err err;

    must(trajectory_end(maker->writer, ending, reason, 0, &err), &err);
    trajectory_close(maker->writer);
    maker->writer = NULL;
}

void episode_complete(struct episode_maker *maker, const char *screen)
{
    say(maker, screen, ACTION_COMPLETE, NULL);
    episode_end(maker, ENDING_COMPLETE, "said so");
}

void episode_answer(struct episode_maker *maker, const char *screen,
                    const char *text)
{
    say(maker, screen, ACTION_ANSWER, text);
    episode_end(maker, ENDING_ANSWER, "answered");
}

void episode_remove(struct episode_maker *maker)
{
    char command[] = "exec rm -r \"$(dirname \"$0\")\"";
    pid_t child = fork();
    int status = 0;

    trajectory_close(maker->writer);
    if (child == 0)
        execl("/bin/sh", "sh", "-c", command, maker->folder, (char *)NULL);
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}
