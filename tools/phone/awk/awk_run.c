/* Statements and rules. */
#include "tools/phone/awk/awk_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FORMAT_ARGUMENTS_MAX 64U

/* ---- output ---- */

/* The destination of print: the output, or a file that is opened once. */
static struct sh_out *open_out(struct awk *awk, const struct awk_node *node)
{
    struct awk_file *free_one = NULL;
    char *name = awk_eval_text(awk, node->b);

    for (size_t i = 0; i < AWK_FILES_MAX; i++) {
        struct awk_file *file = &awk->files[i];

        if (file->name && !strcmp(file->name, name)) {
            free(name);
            return file->out;
        }
        if (!file->name && !free_one)
            free_one = file;
    }
    if (!free_one || !call_create(awk->call, name, !strcmp(node->text, ">>"),
                                  &free_one->out)) {
        awk_break(awk, "can't redirect");
        free(name);
        return NULL;
    }
    free_one->name = name;
    return free_one->out;
}

static void write_out(struct awk *awk, const struct awk_node *node,
                      const struct buf *text)
{
    struct sh_out *out = *node->text ? open_out(awk, node) : NULL;

    if (text->overflow)
        awk_break(awk, "string too long");
    else if (!*node->text)
        call_write(awk->call, buf_cstr(text), text->length);
    else if (out && !sh_out_write(out, buf_cstr(text), text->length))
        awk_break(awk, "write error");
}

static const char *format_of(const struct awk *awk)
{
    const struct awk_value *format = &awk->variables[AWK_SLOT_OFMT];

    return format->text ? format->text : "%.6g";
}

static void run_print(struct awk *awk, const struct awk_node *node)
{
    struct buf text = BUF_INIT(AWK_VALUE_MAX);

    if (!node->a)
        buf_append(&text, buf_cstr(&awk->record), awk->record.length);
    for (const struct awk_node *at = node->a; at; at = at->next) {
        struct awk_value value = awk_eval(awk, at);

        if (at != node->a)
            awk_value_put(&awk->variables[AWK_SLOT_OFS], "%.6g", &text);
        awk_value_put(&value, format_of(awk), &text);
        awk_value_release(&value);
    }
    awk_value_put(&awk->variables[AWK_SLOT_ORS], "%.6g", &text);
    if (!awk->broken)
        write_out(awk, node, &text);
    buf_release(&text);
}

static void run_printf(struct awk *awk, const struct awk_node *node)
{
    struct awk_value values[FORMAT_ARGUMENTS_MAX];
    struct buf text = BUF_INIT(AWK_VALUE_MAX);
    char *format = awk_eval_text(awk, node->a);
    size_t count = 0;

    for (const struct awk_node *at = node->a->next;
         at && count < FORMAT_ARGUMENTS_MAX; at = at->next)
        values[count++] = awk_eval(awk, at);
    awk_format(format, values, count, &text);
    if (!awk->broken)
        write_out(awk, node, &text);
    while (count)
        awk_value_release(&values[--count]);
    buf_release(&text);
    free(format);
}

/* ---- loops ---- */

/* After an iteration: does another one follow? */
static bool loops_on(struct awk *awk)
{
    bool breaks = awk->flow == AWK_FLOW_BREAK;

    if (breaks || awk->flow == AWK_FLOW_CONTINUE)
        awk->flow = AWK_FLOW_ON;
    return !breaks && awk->flow == AWK_FLOW_ON && call_step(awk->call);
}

static void run_while(struct awk *awk, const struct awk_node *node)
{
    if (node->first) {
        awk_run(awk, node->b);
        if (!loops_on(awk))
            return;
    }
    while (awk_eval_true(awk, node->a) && awk->flow == AWK_FLOW_ON) {
        awk_run(awk, node->b);
        if (!loops_on(awk))
            return;
    }
}

static void run_for(struct awk *awk, const struct awk_node *node)
{
    if (node->a)
        awk_run(awk, node->a);
    while (awk->flow == AWK_FLOW_ON &&
           (!node->b || awk_eval_true(awk, node->b))) {
        awk_run(awk, node->body);
        if (!loops_on(awk))
            return;
        if (node->c)
            awk_run(awk, node->c);
    }
}

/* Iterates over a copy of the keys, because the body may change the array. */
static void run_for_in(struct awk *awk, const struct awk_node *node)
{
    const struct awk_array *array = &awk->arrays[node->slot];
    size_t count = array->count;
    char **keys = mem_new(count + 1, sizeof(*keys));

    for (size_t i = 0; i < count; i++)
        keys[i] = mem_dup(array->elements[i].key);
    for (size_t i = 0; i < count; i++) {
        struct awk_value key = awk_value_input(keys[i], strlen(keys[i]));

        awk_assign(awk, node->a, &key);
        awk_value_release(&key);
        awk_run(awk, node->body);
        if (!loops_on(awk))
            break;
    }
    for (size_t i = 0; i < count; i++)
        free(keys[i]);
    free(keys);
}

/* ---- statements ---- */

static void run_delete(struct awk *awk, const struct awk_node *node)
{
    char *key;

    if (!node->a) {
        awk_array_release(&awk->arrays[node->slot], &awk->array_bytes);
    } else {
        key = awk_eval_key(awk, node->a);
        awk_array_delete(&awk->arrays[node->slot], key, &awk->array_bytes);
        free(key);
    }
    awk_pay(awk);
}

static void run_block(struct awk *awk, const struct awk_node *node)
{
    for (const struct awk_node *at = node->a; at; at = at->next) {
        awk_run(awk, at);
        if (awk->flow != AWK_FLOW_ON)
            return;
    }
}

static void run_exit(struct awk *awk, const struct awk_node *node)
{
    if (node->a)
        awk->status = (int)(awk_integer(awk_eval_number(awk, node->a)) & 0xff);
    awk->flow = AWK_FLOW_EXIT;
}

static void run_expression(struct awk *awk, const struct awk_node *node)
{
    struct awk_value value = awk_eval(awk, node->a);

    awk_value_release(&value);
}

void awk_run(struct awk *awk, const struct awk_node *node)
{
    if (!call_step(awk->call)) {
        awk->flow = AWK_FLOW_EXIT;
        return;
    }
    switch (node->kind) {
    case AWK_NODE_BLOCK:
        run_block(awk, node);
        break;
    case AWK_NODE_DO_EXPRESSION:
        run_expression(awk, node);
        break;
    case AWK_NODE_PRINT:
        run_print(awk, node);
        break;
    case AWK_NODE_PRINTF:
        run_printf(awk, node);
        break;
    case AWK_NODE_IF:
        if (awk_eval_true(awk, node->a))
            awk_run(awk, node->b);
        else if (node->c)
            awk_run(awk, node->c);
        break;
    case AWK_NODE_WHILE:
        run_while(awk, node);
        break;
    case AWK_NODE_FOR:
        run_for(awk, node);
        break;
    case AWK_NODE_FOR_IN:
        run_for_in(awk, node);
        break;
    case AWK_NODE_DELETE:
        run_delete(awk, node);
        break;
    case AWK_NODE_NEXT:
        awk->flow = AWK_FLOW_NEXT;
        break;
    case AWK_NODE_EXIT:
        run_exit(awk, node);
        break;
    case AWK_NODE_BREAK:
        awk->flow = AWK_FLOW_BREAK;
        break;
    case AWK_NODE_CONTINUE:
        awk->flow = AWK_FLOW_CONTINUE;
        break;
    case AWK_NODE_NUMBER:
    case AWK_NODE_STRING:
    case AWK_NODE_REGEX:
    case AWK_NODE_VARIABLE:
    case AWK_NODE_FIELD:
    case AWK_NODE_ELEMENT:
    case AWK_NODE_ASSIGN:
    case AWK_NODE_STEP:
    case AWK_NODE_CHOOSE:
    case AWK_NODE_BINARY:
    case AWK_NODE_UNARY:
    case AWK_NODE_IN:
    case AWK_NODE_CALL:
    case AWK_NODE_GROUP:
        break; /* expressions are evaluated by their statements */
    }
}

/* ---- rules ---- */

static bool range_fits(struct awk *awk, struct awk_rule *rule)
{
    if (!rule->inside && !awk_eval_true(awk, rule->from))
        return false;
    rule->inside = !awk_eval_true(awk, rule->to);
    return true;
}

static bool rule_fits(struct awk *awk, struct awk_rule *rule,
                      enum awk_when when)
{
    switch (rule->when) {
    case AWK_WHEN_BEGIN:
    case AWK_WHEN_END:
        return rule->when == when;
    case AWK_WHEN_ALWAYS:
        return when == AWK_WHEN_ALWAYS;
    case AWK_WHEN_MATCH:
        return when == AWK_WHEN_ALWAYS && awk_eval_true(awk, rule->from);
    case AWK_WHEN_RANGE:
        return when == AWK_WHEN_ALWAYS && range_fits(awk, rule);
    }
    return false;
}

void awk_run_rules(struct awk *awk, enum awk_when when)
{
    static const struct awk_node print = {.kind = AWK_NODE_PRINT, .text = ""};

    for (struct awk_rule *rule = awk->program->rules; rule; rule = rule->next) {
        if (!rule_fits(awk, rule, when))
            continue;
        awk_run(awk, rule->action ? rule->action : &print);
        if (awk->flow == AWK_FLOW_NEXT)
            break;
        if (awk->flow == AWK_FLOW_EXIT)
            return;
        awk->flow = AWK_FLOW_ON;
    }
    if (awk->flow != AWK_FLOW_EXIT)
        awk->flow = AWK_FLOW_ON;
}
