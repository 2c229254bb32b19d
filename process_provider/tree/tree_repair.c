/*
 * A reader that takes anything for a dump, and a writer of what it found.
 *
 *    text ──▶ element ──▶ attribute ──▶ value
 *      ▲         │  ▲          │          │
 *      └── > ────┘  └──────────┴──────────┘
 *
 * Names of elements that are open lie on a stack, so that each end tag finds
 * its beginning, and all are ended where the dump is cut off.
 */
#include "process_provider/tree/tree_repair.h"

#include <ctype.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/macros.h"
#include "base/utf8.h"
#include "process_provider/tree/tree_decode.h"

#define ATTRIBUTES_MAX 64
#define QUOTE_MAX 80 /* of the text that is there instead of a tree */

struct raw_span {
    const char *start;
    size_t length;
};

struct repairer {
    const char *at;
    const char *end;
    struct buf *xml;
    struct tree_repairs *repairs;
    struct raw_span open[TREE_DEPTH_MAX];
    size_t depth;
    size_t roots;
    /* The next of each from at on, so that nothing is searched twice. */
    const char *next_close;
    const char *next_bounds;
};

static const struct {
    const char *name;
    const char *words;
} kinds[TREE_REPAIRS] = {
    [REPAIR_ENCODING_MARK] = {"encoding-mark", "left out a byte order mark"},
    [REPAIR_UTF16] = {"utf-16", "decoded UTF-16"},
    [REPAIR_GBK] = {"gbk", "decoded GBK"},
    [REPAIR_CP949] = {"cp949", "decoded CP949"},
    [REPAIR_INVALID_BYTES] = {"invalid-bytes",
                              "replaced bytes that are no characters"},
    [REPAIR_TEXT_AROUND] = {"text-around", "left out text around the tree"},
    [REPAIR_CONTROL] = {"control", "left out control characters"},
    [REPAIR_SURROGATES] = {"surrogates",
                           "joined references to halves of a character"},
    [REPAIR_REFERENCES] = {"references", "fixed references to no character"},
    [REPAIR_LESS] = {"less-than", "escaped < in values"},
    [REPAIR_QUOTES] = {"quotes", "fixed quotes of values"},
    [REPAIR_ATTRIBUTES] = {"attributes",
                           "left out attributes that were broken or there "
                           "twice"},
    [REPAIR_NAMES] = {"names", "fixed names of elements"},
    [REPAIR_END_TAGS] = {"end-tags", "left out end tags without a start tag"},
    [REPAIR_ROOTS] = {"roots", "took further roots"},
    [REPAIR_CUT_OFF] = {"cut-off", "ended elements where the dump was cut "
                                   "off: what followed is lost"},
};

const char *tree_repair_name(enum tree_repair repair)
{
    return kinds[repair].name;
}

const char *tree_repair_words(enum tree_repair repair)
{
    return kinds[repair].words;
}

bool tree_repaired(const struct tree_repairs *repairs)
{
    for (size_t i = 0; i < TREE_REPAIRS; i++) {
        if (repairs->count[i])
            return true;
    }
    return false;
}

static void did(struct repairer *repairer, enum tree_repair repair)
{
    repairer->repairs->count[repair]++;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || (c & 0x80) || strchr("_:.-$", c);
}

static bool starts_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool ahead(const struct repairer *repairer, const char *at,
                  const char *text)
{
    size_t length = strlen(text);

    return (size_t)(repairer->end - at) >= length &&
           !strncasecmp(at, text, length);
}

static const char *skip_spaces(const struct repairer *repairer, const char *at)
{
    while (at < repairer->end && is_space(*at))
        at++;
    return at;
}

static struct raw_span read_name(const struct repairer *repairer,
                                 const char *at)
{
    struct raw_span name = {.start = at};

    while (at < repairer->end && *at && is_name(*at))
        at++;
    name.length = (size_t)(at - name.start);
    return name;
}

static bool span_is(struct raw_span span, const char *text)
{
    return strlen(text) == span.length &&
           !memcmp(span.start, text, span.length);
}

static bool span_equal(struct raw_span a, struct raw_span b)
{
    return a.length == b.length && !memcmp(a.start, b.start, a.length);
}

/* Names outside of XML's rules come from classes such as ActionBar$Tab. */
static void put_name(struct repairer *repairer, struct raw_span name)
{
    for (size_t i = 0; i < name.length; i++) {
        char c = name.start[i];

        buf_byte(repairer->xml, c == '$' || c == ':' || c & 0x80 ? '_' : c);
    }
}

static void put_character(struct repairer *repairer, uint32_t character)
{
    buf_printf(repairer->xml, "&#%lu;", (unsigned long)character);
}

static bool may_be_referred(uint32_t character)
{
    return character == '\t' || character == '\n' || character == '\r' ||
           (character >= 0x20 && character < 0xd800) ||
           (character >= 0xe000 && character < 0xfffe) ||
           (character >= 0x10000 && character <= 0x10ffff);
}

/* "&#10;" or "&#xa;" at at: its number, and its length; 0 for none. */
static size_t read_number(const char *at, const char *end, uint32_t *number)
{
    const char *start = at;
    bool hex;
    size_t digits = 0;
    uint32_t value = 0;

    if (end - at < 4 || at[0] != '&' || at[1] != '#')
        return 0;
    at += 2;
    hex = *at == 'x' || *at == 'X';
    at += hex;
    for (; at < end && digits < 8; at++, digits++) {
        unsigned char c = (unsigned char)*at;

        if (!(hex ? isxdigit(c) : isdigit(c)))
            break;
        value = value * (hex ? 16 : 10) +
                (uint32_t)(isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    if (!digits || at == end || *at != ';')
        return 0;
    *number = value;
    return (size_t)(at + 1 - start);
}

static size_t put_number(struct repairer *repairer, const char *at,
                         const char *end)
{
    uint32_t number = 0;
    uint32_t low = 0;
    size_t length = read_number(at, end, &number);
    size_t more;

    if (!length)
        return 0;
    if (may_be_referred(number)) {
        put_character(repairer, number);
        return length;
    }
    more = read_number(at + length, end, &low);
    if (number >= 0xd800 && number < 0xdc00 && more && low >= 0xdc00 &&
        low < 0xe000) {
        put_character(repairer,
                      0x10000 + ((number - 0xd800) << 10) + (low - 0xdc00));
        did(repairer, REPAIR_SURROGATES);
        return length + more;
    }
    buf_text(repairer->xml, number < 0x20 ? " " : "\xef\xbf\xbd");
    did(repairer, REPAIR_REFERENCES);
    return length;
}

/* What begins with & at at; returns its length. */
static size_t put_reference(struct repairer *repairer, const char *at,
                            const char *end)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;",
                                        "&apos;"};
    size_t length = put_number(repairer, at, end);

    if (length)
        return length;
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        length = strlen(known[i]);
        if ((size_t)(end - at) < length || memcmp(at, known[i], length) != 0)
            continue;
        buf_append(repairer->xml, at, length);
        return length;
    }
    buf_text(repairer->xml, "&amp;");
    did(repairer, REPAIR_REFERENCES);
    return 1;
}

static bool is_noncharacter(const char *at, const char *end)
{
    return end - at >= 3 && !memcmp(at, "\xef\xbf", 2) &&
           (unsigned char)at[2] >= 0xbe;
}

/* One character of a value; returns its length. */
static size_t put_value_character(struct repairer *repairer, const char *at,
                                  const char *end)
{
    if (*at == '&')
        return put_reference(repairer, at, end);
    if (*at == '<') {
        buf_text(repairer->xml, "&lt;");
        did(repairer, REPAIR_LESS);
        return 1;
    }
    if (*at == '"') {
        buf_text(repairer->xml, "&quot;");
        return 1;
    }
    if ((unsigned char)*at < 0x20 && !is_space(*at)) {
        buf_byte(repairer->xml, ' ');
        did(repairer, REPAIR_CONTROL);
        return 1;
    }
    if (is_noncharacter(at, end)) {
        buf_text(repairer->xml, "\xef\xbf\xbd");
        did(repairer, REPAIR_INVALID_BYTES);
        return 3;
    }
    buf_byte(repairer->xml, *at);
    return 1;
}

static void put_value(struct repairer *repairer, struct raw_span value)
{
    const char *at = value.start;
    const char *end = at + value.length;

    while (at < end)
        at += put_value_character(repairer, at, end);
}

/* Does an attribute, or the end of the tag, begin at at? */
static bool tag_goes_on(const struct repairer *repairer, const char *at)
{
    struct raw_span name;

    at = skip_spaces(repairer, at);
    if (at == repairer->end || *at == '>' || ahead(repairer, at, "/>"))
        return true;
    name = read_name(repairer, at);
    at = skip_spaces(repairer, at + name.length);
    return name.length && (at == repairer->end || *at == '=');
}

/*
 * When the closing quote is gone, the next quote opens the next attribute:
 * where its name begins, if it has one that dumps have; NULL otherwise.
 */
static const char *swallowed_attribute(const char *start, const char *quote)
{
    static const char *const names[] = {
        "index=",           "text=",      "resource-id=",
        "class=",           "package=",   "checkable=",
        "content-desc=",    "checked=",   "clickable=",
        "enabled=",         "focusable=", "focused=",
        "scrollable=",      "password=",  "long-clickable=",
        "selected=",        "bounds=",    "displayed=",
        "drawing-order=",   "hint=",      "display-id=",
        "visible-to-user=",
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        size_t length = strlen(names[i]);
        const char *name = quote - length;

        if ((size_t)(quote - start) <= length || memcmp(name, names[i], length))
            continue;
        /* "long-clickable=" ends like "clickable=" does. */
        if (!is_name(name[-1]) || (name[-1] & 0x80))
            return name;
    }
    return NULL;
}

/* Where a value without a closing quote ends: with its tag, or at name. */
static const char *end_of_unquoted(const char *start, const char *name)
{
    const char *close = memmem(start, (size_t)(name - start), "><", 2);

    if (close && close > start && close[-1] == '/')
        close--;
    return close ? close : name;
}

/*
 * The value that begins behind its opening quote. *next is where to go on.
 * False when the dump ends first.
 */
static bool read_value(struct repairer *repairer, const char *start, char quote,
                       struct raw_span *value, const char **next)
{
    const char *at = start;

    for (;; at++) {
        const char *name;

        at = memchr(at, quote, (size_t)(repairer->end - at));
        if (!at)
            return false;
        name = swallowed_attribute(start, at);
        if (name) {
            *next = end_of_unquoted(start, name);
            at = *next;
            while (at > start && is_space(at[-1]))
                at--;
            did(repairer, REPAIR_QUOTES);
            break;
        }
        *next = at + 1;
        if (tag_goes_on(repairer, at + 1))
            break;
        did(repairer, REPAIR_QUOTES);
    }
    *value = (struct raw_span){start, (size_t)(at - start)};
    return true;
}

struct attributes {
    struct raw_span names[ATTRIBUTES_MAX];
    size_t count;
};

static bool add_attribute(struct attributes *attributes, struct raw_span name)
{
    for (size_t i = 0; i < attributes->count; i++) {
        if (span_equal(attributes->names[i], name))
            return false;
    }
    if (attributes->count == ATTRIBUTES_MAX)
        return false;
    attributes->names[attributes->count++] = name;
    return true;
}

/* One attribute at repairer->at. False when the dump ends in it. */
static bool read_attribute(struct repairer *repairer,
                           struct attributes *attributes)
{
    struct raw_span name = read_name(repairer, repairer->at);
    struct raw_span value;
    const char *at = skip_spaces(repairer, repairer->at + name.length);
    bool sound = name.length && starts_name(*name.start);

    if (at == repairer->end)
        return false;
    if (!name.length || *at != '=') {
        did(repairer, REPAIR_ATTRIBUTES);
        repairer->at += name.length ? name.length : 1;
        return true;
    }
    at = skip_spaces(repairer, at + 1);
    if (at == repairer->end)
        return false;
    if (*at != '"' && *at != '\'') {
        did(repairer, REPAIR_ATTRIBUTES);
        repairer->at = at;
        return true;
    }
    if (!read_value(repairer, at + 1, *at, &value, &repairer->at))
        return false;
    if (!sound || !add_attribute(attributes, name)) {
        did(repairer, REPAIR_ATTRIBUTES);
        return true;
    }
    buf_byte(repairer->xml, ' ');
    put_name(repairer, name);
    buf_text(repairer->xml, "=\"");
    put_value(repairer, value);
    buf_byte(repairer->xml, '"');
    return true;
}

/*
 * The start tag at repairer->at. False when the dump ends in it: then nothing
 * of it was written.
 */
static bool read_start_tag(struct repairer *repairer, struct raw_span *name,
                           bool *empty)
{
    struct attributes attributes = {.count = 0};
    size_t written = repairer->xml->length;
    bool overflow = repairer->xml->overflow;

    *name = read_name(repairer, repairer->at + 1);
    if (memchr(name->start, '$', name->length))
        did(repairer, REPAIR_NAMES);
    buf_byte(repairer->xml, '<');
    put_name(repairer, *name);
    repairer->at = name->start + name->length;
    for (;;) {
        repairer->at = skip_spaces(repairer, repairer->at);
        if (repairer->at == repairer->end)
            break;
        *empty = ahead(repairer, repairer->at, "/>");
        if (*empty || *repairer->at == '>') {
            repairer->at += *empty ? 2 : 1;
            buf_text(repairer->xml, *empty ? "/>" : ">");
            return true;
        }
        if (!read_attribute(repairer, &attributes))
            break;
    }
    repairer->at = repairer->end;
    if (!overflow && !repairer->xml->overflow)
        buf_truncate(repairer->xml, written);
    return false;
}

static void put_end_tag(struct repairer *repairer)
{
    buf_text(repairer->xml, "</");
    put_name(repairer, repairer->open[--repairer->depth]);
    buf_byte(repairer->xml, '>');
}

static void read_end_tag(struct repairer *repairer)
{
    struct raw_span name = read_name(repairer, repairer->at + 2);
    size_t depth = repairer->depth;
    const char *close;

    close = memchr(name.start, '>', (size_t)(repairer->end - name.start));
    repairer->at = close ? close + 1 : repairer->end;
    while (depth && !span_equal(repairer->open[depth - 1], name))
        depth--;
    if (!depth) {
        did(repairer, REPAIR_END_TAGS);
        return;
    }
    while (repairer->depth >= depth) {
        if (repairer->depth > depth)
            did(repairer, REPAIR_CUT_OFF);
        put_end_tag(repairer);
    }
}

/* Where text is found next from at on: *cached, or the dump's end. */
static const char *find_next(const struct repairer *repairer, const char *at,
                             const char *text, const char **cached)
{
    const char *found;

    if (*cached && *cached >= at)
        return *cached;
    found = memmem(at, (size_t)(repairer->end - at), text, strlen(text));
    *cached = found ? found : repairer->end;
    return *cached;
}

/* A tag that begins a tree, and not the <init> of a stack trace. */
static bool is_root(struct repairer *repairer, const char *at)
{
    struct raw_span name = read_name(repairer, at + 1);

    if (!name.length || !starts_name(*name.start))
        return false;
    if (span_is(name, "hierarchy") || span_is(name, "displays") ||
        span_is(name, "display") || span_is(name, "window"))
        return true;
    return find_next(repairer, at, " bounds=", &repairer->next_bounds) <
           find_next(repairer, at, ">", &repairer->next_close);
}

static bool read_element(struct repairer *repairer, struct err *err)
{
    struct raw_span name;
    bool empty = false;

    if (repairer->depth == TREE_DEPTH_MAX)
        return err_set(err, ERR_LIMIT,
                       "more than %d elements inside of each "
                       "other",
                       TREE_DEPTH_MAX);
    if (!repairer->depth && ++repairer->roots > 1)
        did(repairer, REPAIR_ROOTS);
    if (!read_start_tag(repairer, &name, &empty)) {
        did(repairer, REPAIR_CUT_OFF);
        return true;
    }
    if (!empty)
        repairer->open[repairer->depth++] = name;
    return true;
}

/* Text is nothing to a tree; spaces are not even worth telling. */
static void skip_text(struct repairer *repairer)
{
    const char *start = repairer->at;
    const char *less =
        memchr(start + 1, '<', (size_t)(repairer->end - start - 1));

    repairer->at = less ? less : repairer->end;
    if (skip_spaces(repairer, start) < repairer->at)
        did(repairer, REPAIR_TEXT_AROUND);
}

/* Go behind the next end; the dump's end if there is none. */
static void skip_behind(struct repairer *repairer, const char *end)
{
    size_t length = (size_t)(repairer->end - repairer->at);
    const char *found = memmem(repairer->at, length, end, strlen(end));

    repairer->at = found ? found + strlen(end) : repairer->end;
}

static bool read_markup(struct repairer *repairer, struct err *err)
{
    const char *at = repairer->at;
    bool element = at + 1 < repairer->end && starts_name(at[1]);

    if (ahead(repairer, at, "<!DOCTYPE") || ahead(repairer, at, "<!ENTITY"))
        return err_set(err, ERR_INVALID,
                       "it has a DOCTYPE, which no UI dump has");
    if (ahead(repairer, at, "<?"))
        skip_behind(repairer, "?>");
    else if (ahead(repairer, at, "<!--"))
        skip_behind(repairer, "-->");
    else if (ahead(repairer, at, "</") && repairer->roots)
        read_end_tag(repairer);
    else if (element && (repairer->depth || is_root(repairer, at)))
        return read_element(repairer, err);
    else
        skip_text(repairer);
    return true;
}

/* The text that was found instead of a tree, in one line. */
static bool fail_no_tree(const struct buf *text, struct err *err)
{
    char quote[QUOTE_MAX];
    const char *at = buf_cstr(text);
    size_t length;

    at += strspn(at, " \t\r\n");
    length = strcspn(at, "\r\n");
    if (!length)
        return err_set(err, ERR_INVALID, "there is no UI tree: it is empty");
    clean_text_copy(quote, sizeof(quote), at, length);
    return err_set(err, ERR_INVALID, "there is no UI tree; it begins \"%s\"",
                   quote);
}

bool tree_repair(const char *bytes, size_t length, struct buf *xml,
                 struct tree_repairs *repairs, struct err *err)
{
    struct buf text = BUF_INIT(2 * TREE_SIZE_MAX);
    struct repairer repairer = {.xml = xml, .repairs = repairs};
    bool done = true;

    if (length > TREE_SIZE_MAX)
        return err_set(err, ERR_LIMIT, "it has more than %zu MiB",
                       TREE_SIZE_MAX >> 20);
    tree_decode(bytes, length, &text, repairs);
    repairer.at = buf_cstr(&text);
    repairer.end = repairer.at + text.length;
    buf_text(xml, "<dump>");
    while (done && repairer.at < repairer.end) {
        if (*repairer.at == '<')
            done = read_markup(&repairer, err);
        else
            skip_text(&repairer);
    }
    while (repairer.depth) {
        did(&repairer, REPAIR_CUT_OFF);
        put_end_tag(&repairer);
    }
    buf_text(xml, "</dump>");
    if (done && !repairer.roots)
        done = fail_no_tree(&text, err);
    if (done && (xml->overflow || text.overflow))
        done = err_set(err, ERR_LIMIT, "it is too large after its repair");
    buf_release(&text);
    return done;
}
