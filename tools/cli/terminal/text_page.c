#include "tools/cli/terminal/text_page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/utf8.h"

/* A page is built whole before it is written; lists of files are long. */
#define PAGE_LIMIT ((size_t)256 * 1024 * 1024)

#define WIDTH_DEFAULT 80
#define WIDTH_MIN 40
#define WIDTH_MAX 100

static const char *const escapes[] = {
    [TEXT_STYLE_PLAIN] = "",         [TEXT_STYLE_BOLD] = "\033[1m",
    [TEXT_STYLE_DIM] = "\033[2m",    [TEXT_STYLE_RED] = "\033[31m",
    [TEXT_STYLE_GREEN] = "\033[32m", [TEXT_STYLE_YELLOW] = "\033[33m",
};

static bool wants_colour(int fd)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return isatty(fd) && !(no_color && *no_color) && term &&
           strcmp(term, "dumb") != 0;
}

/* By the locale for characters. */
static bool wants_unicode(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *locale = getenv(names[i]);

        if (locale && *locale)
            return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
    }
    return false;
}

static unsigned width_of(int fd)
{
    struct winsize size;

    if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col)
        return WIDTH_DEFAULT;
    if (size.ws_col < WIDTH_MIN)
        return WIDTH_MIN;
    return size.ws_col > WIDTH_MAX ? WIDTH_MAX : size.ws_col;
}

void text_page_init(struct text_page *page, int fd)
{
    *page = (struct text_page){
        .text = BUF_INIT(PAGE_LIMIT),
        .colour = wants_colour(fd),
        .unicode = wants_unicode(),
        .width = width_of(fd),
    };
}

void text_page_release(struct text_page *page)
{
    buf_release(&page->text);
}

void text_page_add(struct text_page *page, enum text_style style,
                   const char *text)
{
    bool painted = page->colour && style != TEXT_STYLE_PLAIN;

    if (painted)
        buf_text(&page->text, escapes[style]);
    buf_text(&page->text, text);
    if (painted)
        buf_text(&page->text, "\033[0m");
}

void text_page_printf(struct text_page *page, const char *fmt, ...)
{
    char text[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    buf_text(&page->text, text);
}

void text_page_untrusted(struct text_page *page, enum text_style style,
                         const char *text)
{
    char *clean = clean_text_dup(text);

    text_page_add(page, style, clean);
    free(clean);
}

void text_page_untrusted_lines(struct text_page *page, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\r\n");
        char *line = mem_dup_n(text, length);

        text_page_untrusted(page, TEXT_STYLE_PLAIN, line);
        text_page_add(page, TEXT_STYLE_PLAIN, "\n");
        free(line);
        text += length;
        text += *text == '\r';
        text += *text == '\n';
    }
}

void text_page_pad(struct text_page *page, size_t from, size_t to)
{
    for (; from < to; from++)
        buf_byte(&page->text, ' ');
}

/* What East Asian scripts write, and pictures: Unicode's wide characters. */
static bool is_wide(uint32_t character)
{
    static const struct {
        uint32_t first;
        uint32_t last;
    } ranges[] = {
        {0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
        {0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
        {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd},
    };

    for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
        if (character >= ranges[i].first && character <= ranges[i].last)
            return true;
    }
    return false;
}

static size_t columns_of(const char *text, size_t length)
{
    size_t columns = 0;

    while (length) {
        size_t bytes;

        columns += is_wide(utf8_decode(text, length, &bytes)) ? 2 : 1;
        text += bytes;
        length -= bytes;
    }
    return columns;
}

size_t text_page_columns(const char *text)
{
    return columns_of(text, strlen(text));
}

/* A word in bytes, with the % that belongs to it. */
static size_t word_length(const char *text)
{
    size_t length = strcspn(text, " \n");

    if (length && !strncmp(text + length, " %", 2))
        length += 1 + strcspn(text + length + 1, " \n");
    return length;
}

void text_page_wrap(struct text_page *page, size_t from, size_t indent,
                    const char *text)
{
    size_t column = from;
    bool line_begins = true;

    while (*text) {
        size_t length = word_length(text);
        size_t columns = columns_of(text, length);

        if (!line_begins && column + 1 + columns > page->width) {
            buf_byte(&page->text, '\n');
            column = 0;
            line_begins = true;
        }
        if (length && column < indent) {
            text_page_pad(page, column, indent);
            column = indent;
        }
        if (length && !line_begins) {
            buf_byte(&page->text, ' ');
            column++;
        }
        buf_append(&page->text, text, length);
        column += columns;
        line_begins = line_begins && !length;
        text += length;
        if (*text == '\n') {
            buf_byte(&page->text, '\n');
            column = 0;
            line_begins = true;
        }
        text += *text != '\0';
    }
    if (!line_begins)
        buf_byte(&page->text, '\n');
}

char *text_page_cut(const char *text, size_t columns, bool unicode)
{
    const char *mark = unicode ? "…" : "...";
    size_t room = columns - text_page_columns(mark);
    struct buf kept = BUF_INIT(PAGE_LIMIT);
    size_t before = 0;
    char *result;

    if (text_page_columns(text) <= columns)
        return mem_dup(text);
    while (text_page_columns(buf_cstr(&kept)) <= room) {
        size_t bytes;

        (void)utf8_decode(text, strlen(text), &bytes);
        before = kept.length;
        buf_append(&kept, text, bytes);
        text += bytes;
    }
    buf_truncate(&kept, before);
    while (kept.length && kept.data[kept.length - 1] == ' ')
        buf_truncate(&kept, kept.length - 1);
    buf_text(&kept, mark);
    result = mem_dup(buf_cstr(&kept));
    buf_release(&kept);
    return result;
}

void text_page_wrap_untrusted(struct text_page *page, enum text_style style,
                              const char *text)
{
    struct text_page lines = {.text = BUF_INIT(PAGE_LIMIT),
                              .width = page->width};
    char *clean = clean_text_dup(text);

    text_page_wrap(&lines, 0, 0, clean);
    text_page_add(page, style, buf_cstr(&lines.text));
    buf_release(&lines.text);
    free(clean);
}
