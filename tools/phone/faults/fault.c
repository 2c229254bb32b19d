#include "tools/phone/faults/fault.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"

#define BYTES_MAX ((int64_t)1 << 40)
#define COUNT_MAX 1000000
#define MS_MAX 600000

static const char *const kinds[FAULT_KINDS] = {
    [FAULT_DROP] = "drop",       [FAULT_CUT] = "cut",
    [FAULT_STALL] = "stall",     [FAULT_DELAY] = "delay",
    [FAULT_OFFLINE] = "offline", [FAULT_PNG] = "png",
    [FAULT_DUMP] = "dump",       [FAULT_SWALLOW] = "swallow",
    [FAULT_SLOW] = "slow",       [FAULT_ROTATE] = "rotate",
    [FAULT_POPUP] = "popup",     [FAULT_PERMISSION] = "permission",
    [FAULT_BATTERY] = "battery", [FAULT_CALL] = "call",
    [FAULT_UPDATE] = "update",
};

static const char *const hows[FAULT_HOWS] = {
    [FAULT_NULL_ROOT] = "null-root",
    [FAULT_NO_IDLE] = "no-idle",
    [FAULT_KILLED] = "killed",
    [FAULT_STALE] = "stale",
};

static struct phone_fault new_fault(enum phone_fault_kind kind)
{
    return (struct phone_fault){
        .kind = kind,
        .chance = FAULT_CERTAIN,
        .after = -1,
        .ms = kind == FAULT_OFFLINE ? 0 : 1000,
        .hosts = 1,
        .turns = 1,
    };
}

/* ---- table of fields ---- */

enum field_type {
    FIELD_TEXT,
    FIELD_NUMBER,
    FIELD_CHANCE,
    FIELD_HOW,
};

#define KIND(kind) (1U << (unsigned)(kind))
#define ALL_KINDS (KIND(FAULT_KINDS) - 1)

static const struct field {
    const char *name;
    enum field_type type;
    unsigned kinds; /* kinds that have it */
    size_t offset;
    int64_t size; /* longest text, or largest number */
} fields[] = {
    {"service", FIELD_TEXT, ALL_KINDS, offsetof(struct phone_fault, service),
     FAULT_SERVICE_SIZE},
    {"chance", FIELD_CHANCE, ALL_KINDS, offsetof(struct phone_fault, chance),
     FAULT_CERTAIN},
    {"skip", FIELD_NUMBER, ALL_KINDS, offsetof(struct phone_fault, skip),
     COUNT_MAX},
    {"times", FIELD_NUMBER, ALL_KINDS, offsetof(struct phone_fault, times),
     COUNT_MAX},
    {"after", FIELD_NUMBER,
     KIND(FAULT_DROP) | KIND(FAULT_CUT) | KIND(FAULT_STALL) | KIND(FAULT_PNG) |
         KIND(FAULT_SWALLOW),
     offsetof(struct phone_fault, after), BYTES_MAX},
    {"ms", FIELD_NUMBER,
     KIND(FAULT_DELAY) | KIND(FAULT_OFFLINE) | KIND(FAULT_SLOW),
     offsetof(struct phone_fault, ms), MS_MAX},
    {"hosts", FIELD_NUMBER, KIND(FAULT_OFFLINE),
     offsetof(struct phone_fault, hosts), COUNT_MAX},
    {"turns", FIELD_NUMBER, KIND(FAULT_ROTATE),
     offsetof(struct phone_fault, turns), 3},
    {"how", FIELD_HOW, KIND(FAULT_DUMP), offsetof(struct phone_fault, how), 0},
    {"text", FIELD_TEXT,
     KIND(FAULT_POPUP) | KIND(FAULT_PERMISSION) | KIND(FAULT_BATTERY) |
         KIND(FAULT_CALL) | KIND(FAULT_UPDATE),
     offsetof(struct phone_fault, text), FAULT_TEXT_SIZE},
};

static void *field_of(struct phone_fault *fault, const struct field *field)
{
    return (char *)fault + field->offset;
}

static int64_t number_of(const struct phone_fault *fault,
                         const struct field *field)
{
    int64_t number;

    memcpy(&number, (const char *)fault + field->offset, sizeof(number));
    return number;
}

static bool set_number(struct phone_fault *fault, const struct field *field,
                       const char *value, struct err *err)
{
    double scale = field->type == FIELD_CHANCE ? FAULT_CERTAIN : 1;
    double most = (double)field->size / scale;
    char *end;
    double number = strtod(value, &end);
    int64_t whole;

    if (end == value || *end || !(number >= 0) || number > most ||
        (field->type == FIELD_NUMBER && number != floor(number)))
        return err_set(err, ERR_INVALID, "%s=%.40s: give a number from 0 to %g",
                       field->name, value, most);
    whole = (int64_t)llround(number * scale);
    memcpy(field_of(fault, field), &whole, sizeof(whole));
    return true;
}

static bool set_text(struct phone_fault *fault, const struct field *field,
                     const char *value, struct err *err)
{
    for (const char *at = value; *at; at++) {
        if ((unsigned char)*at < ' ')
            return err_set(err, ERR_INVALID, "%s: expected one line of text",
                           field->name);
    }
    if (strlen(value) >= (size_t)field->size)
        return err_set(err, ERR_INVALID, "%s: longer than %d bytes",
                       field->name, (int)field->size - 1);
    snprintf(field_of(fault, field), (size_t)field->size, "%s", value);
    return true;
}

static bool set_how(struct phone_fault *fault, const char *value,
                    struct err *err)
{
    for (size_t i = 0; i < FAULT_HOWS; i++) {
        if (!strcmp(hows[i], value)) {
            fault->how = (enum phone_fault_how)i;
            return true;
        }
    }
    return err_set(err, ERR_INVALID,
                   "how=%.40s: give null-root, no-idle, killed or stale",
                   value);
}

static bool set_field(struct phone_fault *fault, const char *name,
                      const char *value, struct err *err)
{
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        const struct field *field = &fields[i];

        if (strcmp(field->name, name) != 0 ||
            !(field->kinds & KIND(fault->kind)))
            continue;
        if (field->type == FIELD_TEXT)
            return set_text(fault, field, value, err);
        if (field->type == FIELD_HOW)
            return set_how(fault, value, err);
        return set_number(fault, field, value, err);
    }
    return err_set(err, ERR_INVALID, "a fault \"%s\" has no \"%.40s\"",
                   kinds[fault->kind], name);
}

static bool begin(const char *kind, struct phone_fault *fault, struct err *err)
{
    for (size_t i = 0; i < FAULT_KINDS; i++) {
        if (!strcmp(kinds[i], kind)) {
            *fault = new_fault((enum phone_fault_kind)i);
            return true;
        }
    }
    return err_set(
        err, ERR_INVALID,
        "no fault \"%.40s\": there are drop, cut, stall, delay, "
        "offline, png, dump, swallow, slow, rotate, popup, permission, "
        "battery, call and update",
        kind);
}

/* ---- the short form ---- */

/* Cut off the text before the separator; NULL if nothing is left. */
static char *next_word(char **rest, char separator)
{
    char *word = *rest;
    char *end = word;

    if (!word)
        return NULL;
    while (*end && *end != separator)
        end += *end == '\\' && end[1] ? 2 : 1;
    *rest = *end ? end + 1 : NULL;
    *end = '\0';
    return word;
}

/* Removes each "\" and takes the next character literally. */
static void unescape(char *text)
{
    char *to = text;

    for (; *text; text++) {
        if (*text == '\\' && text[1])
            text++;
        *to++ = *text;
    }
    *to = '\0';
}

static bool parse_one(char *text, struct phone_fault *fault, struct err *err)
{
    const char *kind = next_word(&text, ':');
    char *pair;

    if (!begin(kind, fault, err))
        return false;
    while ((pair = next_word(&text, ','))) {
        const char *name = next_word(&pair, '=');

        if (!pair && !*name)
            continue;
        if (!pair)
            return err_set(err, ERR_INVALID, "%s: give NAME=VALUE, not %.40s",
                           kind, name);
        unescape(pair);
        if (!set_field(fault, name, pair, err))
            return false;
    }
    return true;
}

static bool too_many(size_t most, struct err *err)
{
    return err_set(err, ERR_INVALID, "more than %zu faults", most);
}

static bool parse_short(char *text, struct phone_fault *faults, size_t most,
                        size_t *count, struct err *err)
{
    char *one;

    while ((one = next_word(&text, ';'))) {
        if (!*one)
            continue;
        if (*count == most)
            return too_many(most, err);
        if (!parse_one(one, &faults[*count], err))
            return false;
        (*count)++;
    }
    return true;
}

/* ---- JSON ---- */

static bool read_member(const struct json *member, struct phone_fault *fault,
                        struct err *err)
{
    const char *name = member->value->string;
    const char *value;
    char number[32];
    double given;

    if (!strcmp(name, "fault"))
        return true;
    if (cJSON_IsNumber(member->value)) {
        if (!json_as_number(member, &given, err))
            return false;
        snprintf(number, sizeof(number), "%.17g", given);
        value = number;
    } else if (!json_as_string(member, &value, err)) {
        return false;
    }
    return set_field(fault, name, value, err);
}

static bool read_object(const struct json *object, struct phone_fault *fault,
                        struct err *err)
{
    struct json member = JSON_NONE;
    const char *kind;

    if (!json_get_string(object, "fault", &kind, err) ||
        !begin(kind, fault, err))
        return false;
    while (json_next(object, &member)) {
        if (!read_member(&member, fault, err))
            return false;
    }
    return true;
}

static bool read_array(const struct cJSON *tree, struct phone_fault *faults,
                       size_t most, size_t *count, struct err *err)
{
    struct json root = JSON_ROOT(tree);
    struct json object = JSON_NONE;

    if (!json_as_array(&root, err))
        return false;
    while (json_next(&root, &object)) {
        if (*count == most)
            return too_many(most, err);
        if (!read_object(&object, &faults[*count], err))
            return err_wrap(err, "fault %zu", *count + 1);
        (*count)++;
    }
    return true;
}

static bool parse_json(const char *text, size_t length,
                       struct phone_fault *faults, size_t most, size_t *count,
                       struct err *err)
{
    struct cJSON *tree;
    bool done;

    if (!json_parse(text, length, &tree, err))
        return false;
    done = read_array(tree, faults, most, count, err);
    cJSON_Delete(tree);
    return done;
}

bool fault_parse(const char *text, size_t length, struct phone_fault *faults,
                 size_t most, size_t *count, struct err *err)
{
    size_t blank = 0;
    char *copy;
    bool done;

    while (blank < length && strchr(" \t\r\n", text[blank]) && text[blank])
        blank++;
    *count = 0;
    if (blank < length && text[blank] == '[')
        return parse_json(text, length, faults, most, count, err);
    if (memchr(text, '\0', length))
        return err_set(err, ERR_INVALID, "the faults contain a NUL byte");
    copy = mem_dup_n(text + blank, length - blank);
    copy[strcspn(copy, "\r\n")] = '\0';
    done = parse_short(copy, faults, most, count, err);
    free(copy);
    return done;
}

/* ---- writing ---- */

static void put_field(const struct phone_fault *fault,
                      const struct field *field, struct buf *text)
{
    const char *string = (const char *)fault + field->offset;

    switch (field->type) {
    case FIELD_TEXT:
        for (; *string; string++) {
            if (strchr(",;\\", *string))
                buf_byte(text, '\\');
            buf_byte(text, *string);
        }
        break;
    case FIELD_NUMBER:
        buf_printf(text, "%lld", (long long)number_of(fault, field));
        break;
    case FIELD_CHANCE:
        buf_printf(text, "%g", (double)number_of(fault, field) / FAULT_CERTAIN);
        break;
    case FIELD_HOW:
        buf_text(text, hows[fault->how]);
        break;
    }
}

static bool is_default(const struct phone_fault *fault,
                       const struct field *field)
{
    const struct phone_fault defaults = new_fault(fault->kind);

    if (field->type == FIELD_TEXT)
        return !*((const char *)fault + field->offset);
    if (field->type == FIELD_HOW)
        return false;
    return number_of(fault, field) == number_of(&defaults, field);
}

void fault_format(const struct phone_fault *fault, struct buf *text)
{
    char before = ':';

    buf_text(text, kinds[fault->kind]);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        const struct field *field = &fields[i];

        if (!(field->kinds & KIND(fault->kind)) || is_default(fault, field))
            continue;
        buf_byte(text, before);
        buf_printf(text, "%s=", field->name);
        put_field(fault, field, text);
        before = ',';
    }
}
