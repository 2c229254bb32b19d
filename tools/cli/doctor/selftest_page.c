#include "tools/cli/doctor/selftest_page.h"

#include <stdio.h>
#include <string.h>

#include "tools/cli/terminal/human_units.h"

#define NAME_COLUMN 4
#define TIME_COLUMN 25
#define TIME_WIDTH 9
#define WORDS_COLUMN (TIME_COLUMN + TIME_WIDTH + 2)

static const struct {
    const char *mark;
    const char *ascii_mark;
    enum text_style style;
} marks[] = {
    [CHECK_PASSED] = {"\xe2\x9c\x93", "+", TEXT_STYLE_GREEN},
    [CHECK_FAILED] = {"\xe2\x9c\x97", "x", TEXT_STYLE_RED},
    [CHECK_NOT_OFFERED] = {"\xc2\xb7", "-", TEXT_STYLE_DIM},
};

static void put_title(struct text_page *page,
                      const struct check_results *check_results)
{
    const char *model = check_results_fact(check_results, "model");
    const char *android = check_results_fact(check_results, "android");

    text_page_add(page, TEXT_STYLE_BOLD, "Selftest of ");
    text_page_add(page, TEXT_STYLE_BOLD,
                  *model ? model : "a device that is not an Android phone");
    if (*android)
        text_page_printf(page, ", Android %s", android);
    text_page_printf(page, ", with proctor %s\n", PROCTOR_VERSION);
}

/* Right-aligned in its column, as a number. */
static void put_time(struct text_page *page, int64_t took_ns)
{
    char text[HUMAN_UNITS_MAX];

    if (took_ns < 1000000000)
        snprintf(text, sizeof(text), "%.1f ms", (double)took_ns / 1e6);
    else
        human_units_time((double)took_ns / 1e9, text);
    text_page_pad(page, strlen(text), TIME_WIDTH);
    text_page_add(page, TEXT_STYLE_DIM, text);
}

static void put_check(struct text_page *page, const struct check_result *check)
{
    const char *mark = page->unicode ? marks[check->outcome].mark
                                     : marks[check->outcome].ascii_mark;

    text_page_add(page, TEXT_STYLE_PLAIN, "  ");
    text_page_add(page, marks[check->outcome].style, mark);
    text_page_add(page, TEXT_STYLE_PLAIN, " ");
    text_page_add(page, TEXT_STYLE_PLAIN, check->name);
    text_page_pad(page, NAME_COLUMN + text_page_columns(check->name),
                  TIME_COLUMN);
    put_time(page, check->took_ns);
    text_page_pad(page, TIME_COLUMN + TIME_WIDTH, WORDS_COLUMN);
    text_page_wrap(page, WORDS_COLUMN, WORDS_COLUMN, check->detail);
}

/* A sentence that lists what was created and then removed, or still exists. */
static void put_made(struct text_page *page,
                     const struct check_results *check_results, bool removed,
                     const char *beginning)
{
    struct buf text = BUF_INIT(4096);

    for (size_t i = 0; i < check_results->made_count; i++) {
        const struct check_results_made *made = &check_results->made[i];

        if (made->removed == removed)
            buf_printf(&text, "%s %s %s", text.length ? "," : beginning,
                       made->kind, made->name);
    }
    if (text.length) {
        buf_text(&text, ".");
        text_page_wrap(page, 0, 0, buf_cstr(&text));
    }
    buf_release(&text);
}

static void put_sum(struct text_page *page,
                    const struct check_results *check_results)
{
    size_t failed = check_results_count(check_results, CHECK_FAILED);
    char text[32];

    text_page_printf(page, "%zu passed, ",
                     check_results_count(check_results, CHECK_PASSED));
    snprintf(text, sizeof(text), "%zu failed", failed);
    text_page_add(page, failed ? TEXT_STYLE_RED : TEXT_STYLE_PLAIN, text);
    text_page_printf(page, ", %zu not offered.\n",
                     check_results_count(check_results, CHECK_NOT_OFFERED));
}

void selftest_page(struct text_page *page,
                   const struct check_results *check_results)
{
    const char *topic = "";

    put_title(page, check_results);
    for (size_t i = 0; i < check_results->check_count; i++) {
        if (strcmp(topic, check_results->checks[i].topic) != 0) {
            topic = check_results->checks[i].topic;
            text_page_add(page, TEXT_STYLE_PLAIN, "\n");
            text_page_add(page, TEXT_STYLE_BOLD, topic);
            text_page_add(page, TEXT_STYLE_PLAIN, "\n");
        }
        put_check(page, &check_results->checks[i]);
    }
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    if (check_results->ending[0]) {
        text_page_add(page, TEXT_STYLE_RED, "It ended early: ");
        text_page_wrap(page, 16, 0, check_results->ending);
    }
    put_made(page, check_results, false, "STILL ON THE PHONE:");
    put_made(page, check_results, true,
             "Made on the phone, and removed again:");
    text_page_wrap(
        page, 0, 0,
        "Not tried, because it would change the phone: install, reboot, "
        "root, unroot, remount, tcpip, usb.");
    put_sum(page, check_results);
}
