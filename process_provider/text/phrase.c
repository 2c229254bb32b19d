#include "process_provider/text/phrase.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/macros.h"
#include "base/utf8.h"

#define PARTS_MAX 12

static bool is_blank(uint32_t character)
{
    return character <= ' ' || character == 0x7f || character == 0xa0 ||
           (character >= 0x80 && character < 0xa0) ||
           (character >= 0x2000 && character <= 0x200a) ||
           character == 0x2028 || character == 0x2029 || character == 0x202f ||
           character == 0x205f || character == 0x3000;
}

/*
 * Direction and width marks, glyphs of private fonts, object replacement
 * characters.
 */
static bool is_hidden(uint32_t character)
{
    return character == 0x200b || character == 0x200e || character == 0x200f ||
           (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2060 && character <= 0x206f) ||
           character == 0x00ad || character == 0xfeff || character == 0xfffc ||
           (character >= 0xe000 && character <= 0xf8ff) || character >= 0xe0000;
}

/* Emoji, arrows and stars, with their joiners and modifiers. */
static bool is_picture(uint32_t character)
{
    return (character >= 0x2190 && character <= 0x2bff) ||
           (character >= 0xfe00 && character <= 0xfe0f) ||
           character == 0x200d ||
           (character >= 0x1f000 && character <= 0x1faff);
}

/* Cut a text that is too long, and end it with an ellipsis. */
static void end_cut(char *to, size_t length, size_t size)
{
    static const char more[] = "…";

    while (length && (length + sizeof(more) > size ||
                      ((unsigned char)to[length] & 0xc0) == 0x80))
        length--;
    memcpy(to + length, more, sizeof(more));
}

/* utf8_decode, faster for most text. */
static uint32_t decode(const char *text, size_t length, size_t *bytes)
{
    if (*text & 0x80)
        return utf8_decode(text, length, bytes);
    *bytes = 1;
    return (unsigned char)*text;
}

bool phrase_copy(const char *text, char *to, size_t size)
{
    size_t left = strlen(text);
    size_t length = 0;
    bool space = false;

    while (left) {
        size_t bytes;
        uint32_t character = decode(text, left, &bytes);

        if (is_blank(character)) {
            space = length > 0;
        } else if (!is_hidden(character)) {
            if (length + bytes + space + 1 > size) {
                to[length] = '\0';
                end_cut(to, length, size);
                return true;
            }
            if (space)
                to[length++] = ' ';
            memcpy(to + length, text, bytes);
            length += bytes;
            space = false;
        }
        text += bytes;
        left -= bytes;
    }
    to[length] = '\0';
    return length > 0;
}

bool phrase_clean(const char *text, struct phrase *phrase)
{
    return phrase_copy(text, phrase->text, sizeof(phrase->text));
}

/* Does any character show, and do pictures count? */
static bool shows(const char *text, bool pictures)
{
    size_t left = strlen(text);

    while (left) {
        size_t bytes;
        uint32_t character = decode(text, left, &bytes);

        if (!is_blank(character) && !is_hidden(character) &&
            (pictures || !is_picture(character)))
            return true;
        text += bytes;
        left -= bytes;
    }
    return false;
}

bool phrase_readable(const char *text)
{
    return shows(text, true);
}

bool phrase_has_words(const char *text)
{
    return shows(text, false);
}

/* Identifiers. */

struct name_part {
    const char *start;
    size_t length;
};

static bool part_is_one_of(struct name_part part, const char *const *words)
{
    for (; *words; words++) {
        if (strlen(*words) == part.length &&
            !strncasecmp(*words, part.start, part.length))
            return true;
    }
    return false;
}

/* Does a new word begin at at? "btn_ok", "searchBox". */
static bool is_border(const char *start, const char *at)
{
    if (at == start)
        return false;
    return isupper((unsigned char)at[0]) && !isupper((unsigned char)at[-1]);
}

static size_t split(const char *name, struct name_part parts[PARTS_MAX])
{
    size_t count = 0;
    const char *start = name;

    for (const char *at = name;; at++) {
        bool ends = !isalnum((unsigned char)*at) && !(*at & 0x80);

        if (!ends && !is_border(start, at))
            continue;
        if (at > start && count < PARTS_MAX)
            parts[count++] = (struct name_part){start, (size_t)(at - start)};
        start = ends ? at + 1 : at;
        if (!*at)
            return count;
    }
}

static bool has_vowel(struct name_part part)
{
    for (size_t i = 0; i < part.length; i++) {
        if (strchr("aeiouyAEIOUY", part.start[i]) || part.start[i] & 0x80)
            return true;
    }
    return false;
}

/* "kbq", "a1b" and "e3x" come from an obfuscator, "ok", "up" and "tab" not. */
static bool says_something(const struct name_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool digits = false;

        for (size_t c = 0; c < parts[i].length; c++)
            digits = digits || isdigit((unsigned char)parts[i].start[c]);
        if (parts[i].length >= 2 && has_vowel(parts[i]) && !digits)
            return true;
        if (parts[i].length >= 5)
            return true;
    }
    return false;
}

static void join(const struct name_part *parts, size_t count,
                 struct phrase *phrase)
{
    size_t length = 0;

    for (size_t i = 0; i < count; i++) {
        if (length + parts[i].length + 2 > sizeof(phrase->text))
            break;
        if (length)
            phrase->text[length++] = ' ';
        for (size_t c = 0; c < parts[i].length; c++)
            phrase->text[length++] =
                (char)tolower((unsigned char)parts[i].start[c]);
    }
    phrase->text[length] = '\0';
}

const char *phrase_id_tail(const char *id)
{
    const char *slash = strrchr(id, '/');

    return slash ? slash + 1 : id;
}

bool phrase_of_id(const char *id, struct phrase *phrase)
{
    static const char *const before[] = {
        "btn", "bt", "ib",  "iv", "img", "tv",  "txt", "et", "ll",
        "rl",  "fl", "cl",  "rv", "lv",  "cb",  "sw",  "rb", "fab",
        "id",  "gv", "mtv", "lb", "lbl", "edt", "vp",  NULL,
    };
    static const char *const behind[] = {
        "btn",    "button",    "tv",       "iv",       "img",    "view",
        "layout", "container", "wrapper",  "ll",       "rl",     "fl",
        "cl",     "imageview", "textview", "root",     "holder", "frame",
        "group",  "viewgroup", "content",  "edittext", NULL,
    };
    struct name_part parts[PARTS_MAX];
    struct phrase tail;
    size_t count;
    size_t first = 0;

    if (!phrase_clean(phrase_id_tail(id), &tail) ||
        strstr(tail.text, "obfuscated"))
        return false;
    count = split(tail.text, parts);
    while (first + 1 < count && part_is_one_of(parts[first], before))
        first++;
    while (first + 1 < count && part_is_one_of(parts[count - 1], behind))
        count--;
    if (!says_something(parts + first, count - first) ||
        (count - first == 1 && (part_is_one_of(parts[first], behind) ||
                                part_is_one_of(parts[first], before))))
        return false;
    join(parts + first, count - first, phrase);
    return phrase->text[0] != '\0';
}

/* Every maker has its own, and people call none by its name. */
static bool is_launcher(const char *package)
{
    return strcasestr(package, "launcher") || strstr(package, "trebuchet") ||
           !strcmp(package, "com.miui.home");
}

bool phrase_of_package(const char *package, struct phrase *phrase)
{
    static const char *const generic[] = {
        "com", "org", "net",    "android", "app",   "apps", "mobile",
        "cn",  "io",  "client", "debug",   "phone", "main", NULL,
    };
    struct name_part parts[PARTS_MAX];
    struct phrase clean;
    size_t count = 0;
    const char *at = clean.text;

    if (!phrase_clean(package, &clean))
        return false;
    if (is_launcher(clean.text))
        return phrase_clean(PHRASE_HOME, phrase);
    while (*at && count < PARTS_MAX) {
        size_t length = strcspn(at, ".");

        parts[count++] = (struct name_part){at, length};
        at += length + (at[length] == '.');
    }
    while (count > 1 && part_is_one_of(parts[count - 1], generic))
        count--;
    if (!count || !parts[count - 1].length)
        return false;
    join(parts + count - 1, 1, phrase);
    return phrase->text[0] != '\0';
}
