/* The current record, its fields, and the field separator. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/awk/awk_run.h"
#include "tools/phone/toybox/grep_pattern.h"

static size_t bytes_of(const struct awk_value *value)
{
    return value->text ? strlen(value->text) : 0;
}

/* Replace a value by another one, which is moved; *bytes is of all its kind. */
static void put_value(struct awk_value *to, struct awk_value value,
                      size_t *bytes)
{
    *bytes += bytes_of(&value);
    *bytes -= bytes_of(to);
    awk_value_release(to);
    *to = value;
}

static void set_text(struct awk *awk, size_t slot, const char *text)
{
    put_value(&awk->variables[slot], awk_value_text(text, strlen(text)),
              &awk->variable_bytes);
}

static size_t bytes_used(const struct awk *awk)
{
    return awk->array_bytes + awk->variable_bytes + awk->field_bytes +
           awk->field_capacity * sizeof(*awk->fields) + awk->record.capacity;
}

void awk_pay(struct awk *awk)
{
    struct memory_account *account = call_memory(awk->call);
    size_t used = bytes_used(awk);

    if (used <= awk->paid)
        memory_account_return(account, awk->paid - used);
    else if (!memory_account_take(account, used - awk->paid)) {
        awk_break(awk, "out of memory");
        return;
    }
    awk->paid = used;
}

void awk_init(struct awk *awk, struct command_call *call,
              struct awk_program *program)
{
    *awk = (struct awk){
        .call = call,
        .program = program,
        .variables = mem_new(AWK_NAMES_MAX, sizeof(*awk->variables)),
        .arrays = mem_new(AWK_NAMES_MAX, sizeof(*awk->arrays)),
        .record = BUF_INIT(AWK_VALUE_MAX),
        .random = 1,
    };
    set_text(awk, AWK_SLOT_FS, " ");
    set_text(awk, AWK_SLOT_OFS, " ");
    set_text(awk, AWK_SLOT_ORS, "\n");
    set_text(awk, AWK_SLOT_RS, "\n");
    set_text(awk, AWK_SLOT_SUBSEP, "\034");
    set_text(awk, AWK_SLOT_OFMT, "%.6g");
    set_text(awk, AWK_SLOT_CONVFMT, "%.6g");
    awk_pay(awk);
}

static void drop_fields(struct awk *awk, size_t kept)
{
    while (awk->field_count > kept)
        put_value(&awk->fields[--awk->field_count],
                  (struct awk_value)AWK_VALUE_INIT, &awk->field_bytes);
}

void awk_release(struct awk *awk)
{
    for (size_t i = 0; i < AWK_NAMES_MAX; i++) {
        awk_value_release(&awk->variables[i]);
        awk_array_release(&awk->arrays[i], &awk->array_bytes);
    }
    for (size_t i = 0; i < AWK_FILES_MAX; i++) {
        (void)!call_finish(awk->call, awk->files[i].out);
        free(awk->files[i].name);
    }
    drop_fields(awk, 0);
    free(awk->fields);
    free(awk->variables);
    free(awk->arrays);
    free(awk->splitter_text);
    free(awk->dynamic_text);
    regex_close(awk->splitter);
    regex_close(awk->dynamic);
    buf_release(&awk->record);
    memory_account_return(call_memory(awk->call), awk->paid);
}

void awk_break(struct awk *awk, const char *why)
{
    if (!awk->broken)
        call_fail(awk->call, "%s", why);
    awk->broken = true;
    awk->flow = AWK_FLOW_EXIT;
    awk->status = 2;
}

/*
 * Compile text, or return the regular expression compiled last if text is the
 * same.
 */
static struct regex *keep_pattern(struct awk *awk, const char *text,
                                  struct regex **regex, char **kept)
{
    struct err err;

    if (*regex && !strcmp(*kept, text))
        return *regex;
    regex_close(*regex);
    free(*kept);
    *regex = NULL;
    *kept = mem_dup(text);
    if (!grep_pattern_open(text, GREP_PATTERN_EXTENDED, false, regex, &err)) {
        *regex = NULL;
        awk_break(awk, "bad regular expression");
    }
    return *regex;
}

struct regex *awk_pattern(struct awk *awk, const char *text)
{
    return keep_pattern(awk, text, &awk->dynamic, &awk->dynamic_text);
}

/* ---- splitting ---- */

static void split_blanks(const char *text, awk_piece_fn *take, void *context)
{
    for (;;) {
        size_t length;

        text += strspn(text, " \t\n");
        length = strcspn(text, " \t\n");
        if (!length)
            return;
        take(context, text, length);
        text += length;
    }
}

static void split_at(const char *text, char separator, awk_piece_fn *take,
                     void *context)
{
    const char *end;

    while ((end = strchr(text, separator))) {
        take(context, text, (size_t)(end - text));
        text = end + 1;
    }
    take(context, text, strlen(text));
}

static void split_pattern(struct awk *awk, const char *text, const char *regex,
                          awk_piece_fn *take, void *context)
{
    struct regex *pattern =
        keep_pattern(awk, regex, &awk->splitter, &awk->splitter_text);
    size_t length = strlen(text);
    struct regex_span spans[REGEX_SPANS];
    size_t begin = 0;

    while (pattern && call_step(awk->call) &&
           regex_find_spans(pattern, text, length, begin, spans) &&
           spans[0].end > spans[0].begin) {
        take(context, text + begin, spans[0].begin - begin);
        begin = spans[0].end;
    }
    take(context, text + begin, length - begin);
}

void awk_split(struct awk *awk, const char *text, const char *separator,
               awk_piece_fn *take, void *context)
{
    if (!*text)
        return;
    if (!strcmp(separator, " ")) {
        split_blanks(text, take, context);
    } else if (!*separator) {
        for (; *text; text++)
            take(context, text, 1);
    } else if (!separator[1] && *separator != '\\') {
        split_at(text, *separator, take, context);
    } else {
        split_pattern(awk, text, separator, take, context);
    }
}

static void add_field(void *context, const char *text, size_t length)
{
    struct awk *awk = context;

    if (awk->field_count >= AWK_FIELDS_MAX)
        return;
    if (awk->field_count == awk->field_capacity) {
        awk->field_capacity =
            awk->field_capacity ? 2 * awk->field_capacity : 16;
        awk->fields =
            mem_resize(awk->fields, awk->field_capacity, sizeof(*awk->fields));
    }
    awk->fields[awk->field_count++] = awk_value_input(text, length);
    awk->field_bytes += length;
}

static void count_fields(struct awk *awk)
{
    put_value(&awk->variables[AWK_SLOT_NF],
              awk_value_number((double)awk->field_count), &awk->variable_bytes);
}

void awk_set_record(struct awk *awk, const char *line, size_t length)
{
    struct buf separator = BUF_INIT(AWK_VALUE_MAX);

    buf_clear(&awk->record);
    for (size_t i = 0; i < length; i++) {
        if (line[i])
            buf_byte(&awk->record, line[i]);
    }
    drop_fields(awk, 0);
    awk_value_put(&awk->variables[AWK_SLOT_FS], "%.6g", &separator);
    awk_split(awk, buf_cstr(&awk->record), buf_cstr(&separator), add_field,
              awk);
    buf_release(&separator);
    count_fields(awk);
    awk_pay(awk);
}

/* ---- fields ---- */

static void join_record(struct awk *awk)
{
    struct buf separator = BUF_INIT(AWK_VALUE_MAX);

    awk_value_put(&awk->variables[AWK_SLOT_OFS], "%.6g", &separator);
    buf_clear(&awk->record);
    for (size_t i = 0; i < awk->field_count; i++) {
        if (i)
            buf_append(&awk->record, buf_cstr(&separator), separator.length);
        awk_value_put(&awk->fields[i], "%.6g", &awk->record);
    }
    if (awk->record.overflow)
        awk_break(awk, "record too long");
    buf_release(&separator);
}

struct awk_value awk_field(struct awk *awk, double index)
{
    if (!(index >= 0)) {
        awk_break(awk, "trying to access out of range field");
        return (struct awk_value)AWK_VALUE_INIT;
    }
    if (index < 1)
        return awk_value_input(buf_cstr(&awk->record), awk->record.length);
    if (index >= (double)awk->field_count + 1)
        return (struct awk_value)AWK_VALUE_INIT;
    return awk_value_copy(&awk->fields[(size_t)index - 1]);
}

void awk_set_field(struct awk *awk, double index, const struct awk_value *value)
{
    struct buf text = BUF_INIT(AWK_VALUE_MAX);
    size_t at;

    if (!(index >= 0) || index > AWK_FIELDS_MAX) {
        awk_break(awk, "trying to access out of range field");
        return;
    }
    if (index < 1) {
        awk_value_put(value, "%.6g", &text);
        awk_set_record(awk, buf_cstr(&text), text.length);
        buf_release(&text);
        return;
    }
    at = (size_t)index - 1;
    while (awk->field_count <= at)
        add_field(awk, "", 0);
    put_value(&awk->fields[at], awk_value_copy(value), &awk->field_bytes);
    count_fields(awk);
    join_record(awk);
    awk_pay(awk);
}

void awk_set_variable(struct awk *awk, size_t slot,
                      const struct awk_value *value)
{
    double fields = awk_value_to_number(value);

    put_value(&awk->variables[slot], awk_value_copy(value),
              &awk->variable_bytes);
    if (slot != AWK_SLOT_NF) {
        awk_pay(awk);
        return;
    }
    if (!(fields >= 0) || fields > AWK_FIELDS_MAX) {
        awk_break(awk, "cannot set NF to that");
        return;
    }
    drop_fields(awk, (size_t)fields);
    while (awk->field_count < (size_t)fields)
        add_field(awk, "", 0);
    join_record(awk);
    awk_pay(awk);
}
