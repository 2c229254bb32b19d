#include "tools/cli/selftest_page.h"

#include <stdio.h>
#include <string.h>

#include "tools/cli/units.h"

#define NAME_COLUMN 4
#define TIME_COLUMN 25
#define TIME_WIDTH 9
#define WORDS_COLUMN (TIME_COLUMN + TIME_WIDTH + 2)

static const struct {
    const char *mark;
    const char *ascii_mark;
    enum page_style style;
} marks[] = {
    [TRIAL_PASSED] = {"\xe2\x9c\x93", "+", PAGE_GREEN},
    [TRIAL_FAILED] = {"\xe2\x9c\x97", "x", PAGE_RED},
    [TRIAL_NOT_OFFERED] = {"\xc2\xb7", "-", PAGE_DIM},
};

static void put_title(struct page *page, const struct trial *trial)
{
    const char *model = trial_fact(trial, "model");
    const char *android = trial_fact(trial, "android");

    page_text(page, PAGE_BOLD, "Selftest of ");
    page_text(page, PAGE_BOLD, *model ? model : "what is no Android phone");
    if (*android)
        page_printf(page, ", Android %s", android);
    page_printf(page, ", with proctor %s\n", PROCTOR_VERSION);
}

/* To the right of its column, as numbers stand. */
static void put_time(struct page *page, int64_t took_ns)
{
    char text[UNITS_TEXT_MAX];

    if (took_ns < 1000000000)
        snprintf(text, sizeof(text), "%.1f ms", (double)took_ns / 1e6);
    else
        units_time((double)took_ns / 1e9, text);
    page_pad(page, strlen(text), TIME_WIDTH);
    page_text(page, PAGE_DIM, text);
}

static void put_check(struct page *page, const struct trial_check *check)
{
    const char *mark = page->unicode ? marks[check->outcome].mark
                                     : marks[check->outcome].ascii_mark;

    page_text(page, PAGE_PLAIN, "  ");
    page_text(page, marks[check->outcome].style, mark);
    page_text(page, PAGE_PLAIN, " ");
    page_text(page, PAGE_PLAIN, check->name);
    page_pad(page, NAME_COLUMN + page_columns(check->name), TIME_COLUMN);
    put_time(page, check->took_ns);
    page_pad(page, TIME_COLUMN + TIME_WIDTH, WORDS_COLUMN);
    page_wrap(page, WORDS_COLUMN, WORDS_COLUMN, check->words);
}

/* A sentence that lists what was made and is gone again, or is still there. */
static void put_made(struct page *page, const struct trial *trial, bool removed,
                     const char *beginning)
{
    struct buf text = BUF_INIT(4096);

    for (size_t i = 0; i < trial->made_count; i++) {
        const struct trial_made *made = &trial->made[i];

        if (made->removed == removed)
            buf_printf(&text, "%s %s %s", text.length ? "," : beginning,
                       made->kind, made->name);
    }
    if (text.length) {
        buf_text(&text, ".");
        page_wrap(page, 0, 0, buf_cstr(&text));
    }
    buf_release(&text);
}

static void put_sum(struct page *page, const struct trial *trial)
{
    size_t failed = trial_count(trial, TRIAL_FAILED);
    char text[32];

    page_printf(page, "%zu passed, ", trial_count(trial, TRIAL_PASSED));
    snprintf(text, sizeof(text), "%zu failed", failed);
    page_text(page, failed ? PAGE_RED : PAGE_PLAIN, text);
    page_printf(page, ", %zu not offered.\n",
                trial_count(trial, TRIAL_NOT_OFFERED));
}

void selftest_page(struct page *page, const struct trial *trial)
{
    const char *topic = "";

    put_title(page, trial);
    for (size_t i = 0; i < trial->check_count; i++) {
        if (strcmp(topic, trial->checks[i].topic) != 0) {
            topic = trial->checks[i].topic;
            page_text(page, PAGE_PLAIN, "\n");
            page_text(page, PAGE_BOLD, topic);
            page_text(page, PAGE_PLAIN, "\n");
        }
        put_check(page, &trial->checks[i]);
    }
    page_text(page, PAGE_PLAIN, "\n");
    if (trial->ending[0]) {
        page_text(page, PAGE_RED, "It ended early: ");
        page_wrap(page, 16, 0, trial->ending);
    }
    put_made(page, trial, false, "STILL ON THE PHONE:");
    put_made(page, trial, true, "Made on the phone, and removed again:");
    page_wrap(page, 0, 0,
              "Not tried, because it would change the phone: install, reboot, "
              "root, unroot, remount, tcpip, usb.");
    put_sum(page, trial);
}
