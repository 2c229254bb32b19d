#include "tests/tools/phone/apps/app_phone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define XML_MAX ((size_t)4 << 20)
#define SHELL_UID 2000
#define TAG_MAX 8192

void app_phone_open(struct app_phone *phone,
                    const struct app_phone_options *options)
{
    struct screen_options screen = {
        .fonts = options->fonts,
        .locale = options->locale,
        .dark = options->dark,
        .seed = options->seed,
    };
    struct err err = ERR_INIT;

    *phone = (struct app_phone){.seen = 1};
    assert_true(handset_init(&phone->handset,
                             &(struct handset_options){.seed = options->seed},
                             &err));
    truth_log_init(&phone->truth);
    phone->apps = (struct app_registry){.handset = &phone->handset,
                                        .truth = &phone->truth,
                                        .seed = options->seed,
                                        .skin = options->skin,
                                        .directory = options->directory};
    phone->task_stack = app_registry_task_stack(&phone->apps);
    screen.clock = virtual_clock_view(&phone->handset.clock);
    phone->shade = notification_shade_open(phone->task_stack, &phone->handset,
                                           &phone->truth);
    phone->popup = popup_open(notification_shade_app(phone->shade));
    screen.app = popup_app(phone->popup);
    assert_true(screen_open(&screen, &phone->screen, &err));
    display_settings_follow(&phone->display, &phone->handset.settings,
                            phone->screen);
    timers_own(&phone->handset.clock.timers,
               &(struct timers_owner){APP_TIMERS, screen_fire, phone->screen});
}

void app_phone_close(struct app_phone *phone)
{
    virtual_clock_stop(&phone->handset.clock);
    screen_close(phone->screen);
    truth_log_release(&phone->truth);
    handset_release(&phone->handset);
}

void app_phone_launch(struct app_phone *phone, const char *package)
{
    assert_int_not_equal(
        task_stack_launch(phone->task_stack, package, SHELL_UID),
        TASK_STACK_NO_ANSWER);
}

struct buf app_phone_dump(struct app_phone *phone)
{
    struct buf xml = BUF_INIT(XML_MAX);

    screen_dump(phone->screen, false, &xml);
    assert_false(xml.overflow);
    return xml;
}

bool app_phone_shows(struct app_phone *phone, const char *what)
{
    struct buf xml = app_phone_dump(phone);
    bool found = strstr(buf_cstr(&xml), what) != NULL;

    buf_release(&xml);
    return found;
}

void app_phone_tap(struct app_phone *phone, int x, int y)
{
    screen_touch(phone->screen, SCREEN_DOWN, x, y);
    screen_touch(phone->screen, SCREEN_UP, x, y);
}

void app_phone_wait(struct app_phone *phone, double seconds)
{
    virtual_clock_advance(&phone->handset.clock,
                          (int64_t)(seconds * (double)PHONE_SECOND));
}

/* ---- nodes ---- */

/* The value of an attribute, as it is written. */
static void read_attribute(const char *node, const char *name, char *value,
                           size_t size)
{
    char wanted[40];
    const char *at;
    size_t length;

    snprintf(wanted, sizeof(wanted), " %s=", name);
    at = strstr(node, wanted);
    assert_non_null(at);
    at += strlen(wanted);
    length = (size_t)(strchr(at + 1, *at) - at - 1);
    length = length < size ? length : size - 1;
    memcpy(value, at + 1, length);
    value[length] = '\0';
}

static bool read_flag(const char *node, const char *name)
{
    char value[8];

    read_attribute(node, name, value, sizeof(value));
    return !strcmp(value, "true");
}

/* "[1,2][3,4]" */
static struct box read_bounds(const char *node)
{
    char value[64];
    char *at = value;
    int sides[4];

    read_attribute(node, "bounds", value, sizeof(value));
    for (int i = 0; i < 4; i++) {
        at += strcspn(at, "-0123456789");
        sides[i] = (int)strtol(at, &at, 10);
    }
    return (struct box){sides[0], sides[1], sides[2], sides[3]};
}

/* From one tag to the next: a text holds no "<". */
static const char *next_tag(const char *at)
{
    while (*at && *at != '<')
        at++;
    return *at ? at : NULL;
}

static void read_node(const char *tag, struct app_node *node)
{
    *node = (struct app_node){
        .bounds = read_bounds(tag),
        .clickable = read_flag(tag, "clickable"),
        .enabled = read_flag(tag, "enabled"),
        .checkable = read_flag(tag, "checkable"),
        .focusable = read_flag(tag, "focusable"),
    };
    read_attribute(tag, "text", node->text, sizeof(node->text));
    read_attribute(tag, "content-desc", node->description,
                   sizeof(node->description));
    read_attribute(tag, "resource-id", node->id, sizeof(node->id));
    read_attribute(tag, "class", node->class, sizeof(node->class));
}

/*
 * A tag is read from a separate copy: a sanitizer measures the whole text
 * that a search begins in, each time.
 */
bool app_node_next(struct app_node_reader *reader, struct app_node *node)
{
    char tag[TAG_MAX];
    const char *at = next_tag(reader->at);
    const char *end;
    size_t length;

    while (at && strncmp(at, "<node ", 6) != 0) {
        reader->depth -= !strncmp(at, "</node>", 7);
        at = next_tag(at + 1);
    }
    if (!at)
        return false;
    end = next_tag(at + 1);
    length = (size_t)(end - at);
    assert_in_range(length, 1, sizeof(tag) - 1);
    memcpy(tag, at, length);
    tag[length] = '\0';
    read_node(tag, node);
    node->depth = reader->depth;
    reader->depth += !strstr(tag, "]\" />");
    reader->at = end;
    return true;
}

static bool is_called(const struct app_node *node, const char *what)
{
    const char *id = strstr(node->id, ":id/");

    return !strcmp(node->text, what) || !strcmp(node->description, what) ||
           (id && !strcmp(id + 4, what));
}

struct app_node app_phone_find(struct app_phone *phone, const char *what)
{
    struct buf xml = app_phone_dump(phone);
    struct app_node_reader reader = {buf_cstr(&xml), 0};
    struct app_node node;
    bool found = false;

    while (!found && app_node_next(&reader, &node))
        found = is_called(&node, what);
    if (!found) {
        fprintf(stderr, "%s\n", buf_cstr(&xml)); /* fail_msg would cut it */
        fail_msg("there is no %s", what);
    }
    buf_release(&xml);
    return node;
}

void app_phone_press(struct app_phone *phone, const char *what)
{
    struct box box = app_phone_find(phone, what).bounds;

    app_phone_tap(phone, (box.left + box.right) / 2,
                  (box.top + box.bottom) / 2);
}

/* ---- the truth ---- */

/* {..."event":"NAME","args":[A,"B"]}: NAME A B, without quotes. */
static void put_event(const char *line, const char *end, struct buf *text)
{
    const char *name = strstr(line, "\"event\":\"") + strlen("\"event\":\"");
    const char *arguments = strstr(line, "\"args\":[") + strlen("\"args\":[");

    if (text->length)
        buf_text(text, ", ");
    buf_append(text, name, strcspn(name, "\""));
    if (*arguments != ']')
        buf_byte(text, ' ');
    for (const char *at = arguments; at < end - 2; at++) {
        if (*at != '"')
            buf_byte(text, *at == ',' ? ' ' : *at);
    }
}

const char *app_phone_events(struct app_phone *phone)
{
    static char said[4096];
    struct buf lines = BUF_INIT(TRUTH_LOG_EVENTS_MAX);
    struct buf text = BUF_INIT(sizeof(said) - 1);
    const char *at, *end;

    truth_log_print_events(&phone->truth, phone->seen, &lines);
    for (at = buf_cstr(&lines); (end = strchr(at, '\n')); at = end + 1) {
        put_event(at, end, &text);
        phone->seen++;
    }
    snprintf(said, sizeof(said), "%s", buf_cstr(&text));
    buf_release(&lines);
    buf_release(&text);
    return said;
}
