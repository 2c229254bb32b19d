#include "tasks/task/task_rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/regex.h"
#include "tasks/task/action.h"
#include "tasks/task/dates.h"
#include "tasks/task/task.h"

#define LINE_MAX_BYTES ((size_t)256)
#define WORDS_MAX ((size_t)8192)
#define COMMAND_MAX ((size_t)4096)
#define EDGE_MAX 100000
#define SHOWN 48 /* of an invalid text, in messages */

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

static bool made_of(const char *text, const char *characters)
{
    return !text[strspn(text, characters)];
}

/* Report that text is not what the example shows. */
static bool refuse(const char *text, const char *expected, struct err *err)
{
    return err_set(err, ERR_INVALID, "\"%.*s\" is not %s", SHOWN, text,
                   expected);
}

static bool check_id(const char *text, struct err *err)
{
    /* An id becomes a folder name: "." and ".." are not allowed. */
    return (made_of(text, LOWER DIGITS ".-") && text[0] != '.') ||
           refuse(text, "an id of a-z, 0-9, . and -, such as shop.sort", err);
}

static bool check_name(const char *text, struct err *err)
{
    return (made_of(text, LOWER DIGITS "_") && !strchr(DIGITS, text[0]) &&
            strcmp(text, "today") != 0) ||
           refuse(text, "a name of a-z, 0-9 and _, such as first_price", err);
}

static bool check_label(const char *text, struct err *err)
{
    for (const char *at = text; *at; at++) {
        if ((unsigned char)*at < ' ')
            return err_set(err, ERR_INVALID, "has a control character");
    }
    return true;
}

static bool check_package(const char *text, struct err *err)
{
    bool fits = made_of(text, LOWER UPPER DIGITS "._") && strchr(text, '.') &&
                !strstr(text, "..") && text[0] != '.' &&
                !strchr(DIGITS, text[0]) && text[strlen(text) - 1] != '.';

    return fits || refuse(text, "a package, such as com.example.app", err);
}

static bool check_permission(const char *text, struct err *err)
{
    return (made_of(text, LOWER UPPER DIGITS "._") && strchr(text, '.')) ||
           refuse(text, "a permission, such as android.permission.CAMERA", err);
}

static bool check_locale(const char *text, struct err *err)
{
    size_t language = strspn(text, LOWER);
    bool fits = (language == 2 || language == 3) &&
                (!text[language] || text[language] == '-') &&
                made_of(text + language, LOWER UPPER DIGITS "-");

    return fits || refuse(text, "a locale, such as en or zh-CN", err);
}

static bool check_date(const char *text, struct err *err)
{
    struct date date;

    return date_parse(text, &date) ||
           refuse(text, "a date, such as 2026-11-16", err);
}

static bool check_version(const char *text, struct err *err)
{
    return (strchr(DIGITS, text[0]) && check_label(text, err)) ||
           refuse(text, "a version, such as 12.3.4", err);
}

/* A suite must not read files outside its folder. */
static bool check_beside(const char *text, struct err *err)
{
    size_t length = strlen(text);
    bool leaves = text[0] == '/' || !strcmp(text, "..") ||
                  !strncmp(text, "../", 3) || strstr(text, "/../") ||
                  (length > 2 && !strcmp(text + length - 3, "/.."));

    return !leaves || refuse(text, "a path below the suite's folder", err);
}

static bool check_on_phone(const char *text, struct err *err)
{
    return text[0] == '/' ||
           refuse(text, "a path on the phone, such as /sdcard/a.png", err);
}

/* "LEFT,TOP,RIGHT,BOTTOM", not empty. */
static bool is_box(const char *text)
{
    long edges[4];
    const char *at = text;

    if (!made_of(text, "," DIGITS))
        return false;
    for (int i = 0; i < 4; i++) {
        char *end;

        edges[i] = strtol(at, &end, 10);
        if (end == at || *end != (i < 3 ? ',' : '\0'))
            return false;
        at = end + 1;
    }
    return edges[0] < edges[2] && edges[1] < edges[3] && edges[2] <= EDGE_MAX &&
           edges[3] <= EDGE_MAX;
}

static bool check_transform(const char *text, struct err *err)
{
    static const char *const whole[] = {
        "flip", "flip ends", "rotate 90", "rotate 180", "rotate 270",
    };

    for (size_t i = 0; i < ARRAY_LEN(whole); i++) {
        if (!strcmp(text, whole[i]))
            return true;
    }
    if (!strncmp(text, "crop ", 5) && is_box(text + 5))
        return true;
    return refuse(text,
                  "flip, flip ends, rotate 90, rotate 180, rotate 270 or "
                  "crop LEFT,TOP,RIGHT,BOTTOM",
                  err);
}

static bool check_node_path(const char *text, struct err *err)
{
    bool fits = made_of(text, DIGITS "/") && text[0] != '/' &&
                !strstr(text, "//") && text[strlen(text) - 1] != '/';

    return fits || refuse(text, "places from the root, such as 0/1/3", err);
}

static bool check_pattern(const char *text, struct err *err)
{
    struct regex *pattern;

    if (!regex_open(text, REGEX_CASELESS, &pattern, err))
        return false;
    regex_close(pattern);
    return true;
}

const struct text_rule task_rule_id = {TASK_ID_MAX, TEXT_RULE_AS_IT_IS,
                                       check_id};
const struct text_rule task_rule_name = {TASK_ID_MAX, TEXT_RULE_AS_IT_IS,
                                         check_name};
const struct text_rule task_rule_label = {LINE_MAX_BYTES, TEXT_RULE_AS_IT_IS,
                                          check_label};
const struct text_rule task_rule_package = {LINE_MAX_BYTES, TEXT_RULE_AS_IT_IS,
                                            check_package};
const struct text_rule task_rule_permission = {
    LINE_MAX_BYTES, TEXT_RULE_AS_IT_IS, check_permission};
const struct text_rule task_rule_locale = {32, TEXT_RULE_AS_IT_IS,
                                           check_locale};
const struct text_rule task_rule_date = {32, TEXT_RULE_AS_IT_IS, check_date};
const struct text_rule task_rule_version = {64, TEXT_RULE_AS_IT_IS,
                                            check_version};
const struct text_rule task_rule_beside = {LINE_MAX_BYTES, TEXT_RULE_AS_IT_IS,
                                           check_beside};
const struct text_rule task_rule_on_phone = {LINE_MAX_BYTES, TEXT_RULE_FILL,
                                             check_on_phone};
const struct text_rule task_rule_transform = {64, TEXT_RULE_AS_IT_IS,
                                              check_transform};
const struct text_rule task_rule_node_path = {
    LINE_MAX_BYTES, TEXT_RULE_AS_IT_IS, check_node_path};
const struct text_rule task_rule_plain = {WORDS_MAX, TEXT_RULE_FILL, NULL};
const struct text_rule task_rule_comment = {WORDS_MAX, TEXT_RULE_AS_IT_IS,
                                            NULL};
const struct text_rule task_rule_typed = {ACTION_TEXT_MAX, TEXT_RULE_FILL,
                                          NULL};
const struct text_rule task_rule_pattern = {PATTERN_MAX, TEXT_RULE_PATTERN,
                                            check_pattern};
const struct text_rule task_rule_command = {COMMAND_MAX, TEXT_RULE_COMMAND,
                                            NULL};
