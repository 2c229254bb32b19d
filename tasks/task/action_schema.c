#include "tasks/task/action_schema.h"

static void add_range(struct cJSON *schema,
                      const struct action_member_info *info)
{
    json_add_string(schema, "type", "integer");
    json_add_int(schema, "minimum", info->min);
    json_add_int(schema, "maximum", info->max);
}

static void add_names_of(struct cJSON *schema,
                         const struct action_member_info *info)
{
    struct cJSON *names;

    json_add_string(schema, "type", "string");
    names = json_add_array(schema, "enum");
    for (int64_t i = 1; i <= info->max; i++)
        json_add_string(names, NULL, info->names[i]);
}

void action_schema_add_member(struct cJSON *properties,
                              enum action_member member)
{
    const struct action_member_info *info = action_table_member(member);
    struct cJSON *schema = json_add_object(properties, info->name);

    switch (info->type) {
    case ACTION_MEMBER_INTEGER:
        add_range(schema, info);
        break;
    case ACTION_MEMBER_STRING:
        json_add_string(schema, "type", "string");
        json_add_int(schema, "maxLength", info->max);
        break;
    case ACTION_MEMBER_BOOLEAN:
        json_add_string(schema, "type", "boolean");
        break;
    case ACTION_MEMBER_ENUM:
        add_names_of(schema, info);
        break;
    }
    json_add_string(schema, "description", info->summary);
}

static bool has(uint32_t set, int member)
{
    return (set & ACTION_MEMBER_BIT(member)) != 0;
}

void action_schema_add(struct cJSON *into, const char *key,
                       enum action_kind kind)
{
    struct cJSON *schema = json_add_object(into, key);
    struct cJSON *properties, *required;

    json_add_string(schema, "type", "object");
    properties = json_add_object(schema, "properties");
    for (int i = 0; i < ACTION_MEMBERS; i++) {
        if (has(action_table_members(kind), i))
            action_schema_add_member(properties, (enum action_member)i);
    }
    if (!action_table_kind(kind)->required)
        return;
    required = json_add_array(schema, "required");
    for (int i = 0; i < ACTION_MEMBERS; i++) {
        if (has(action_table_kind(kind)->required, i))
            json_add_string(required, NULL,
                            action_table_member((enum action_member)i)->name);
    }
}

/* "x, y, x2 and y2" */
static void add_names(struct buf *text, uint32_t set)
{
    for (int i = 0; i < ACTION_MEMBERS; i++) {
        if (!has(set, i))
            continue;
        set &= ~ACTION_MEMBER_BIT(i);
        buf_text(text, action_table_member((enum action_member)i)->name);
        if (set)
            buf_text(text, set & (set - 1) ? ", " : " and ");
    }
}

void action_schema_summary(enum action_kind kind, struct buf *text)
{
    const struct action_info *info = action_table_kind(kind);

    buf_printf(text, "%s.", info->summary);
    if (!info->either[0])
        return;
    buf_text(text, " Give ");
    add_names(text, info->either[0]);
    buf_text(text, ", or ");
    add_names(text, info->either[1]);
    buf_byte(text, '.');
}

/* The members that an action has, a bit each. */
static uint32_t given_members(const struct action *action)
{
    const bool given[ACTION_MEMBERS] = {
        [ACTION_MEMBER_X] = action->has_from,
        [ACTION_MEMBER_Y] = action->has_from,
        [ACTION_MEMBER_X2] = action->has_to,
        [ACTION_MEMBER_Y2] = action->has_to,
        [ACTION_MEMBER_DIRECTION] = action->direction != DIRECTION_NONE,
        [ACTION_MEMBER_INDEX] = action->has_index,
        [ACTION_MEMBER_TEXT] = action->text != NULL,
        [ACTION_MEMBER_REPLACE] = action->replace,
        [ACTION_MEMBER_SUBMIT] = action->submit,
        [ACTION_MEMBER_MILLISECONDS] = action->milliseconds != 0,
        [ACTION_MEMBER_EFFECT] = action->effect != EFFECT_UNKNOWN,
    };
    uint32_t set = 0;

    for (int i = 0; i < ACTION_MEMBERS; i++)
        set |= given[i] ? ACTION_MEMBER_BIT(i) : 0;
    return set;
}

#define SUMMARY_MAX 512

bool action_check(const struct action *action, struct err *err)
{
    const struct action_info *info = action_table_kind(action->kind);
    uint32_t missing = ~given_members(action);
    struct buf text = BUF_INIT(SUMMARY_MAX);

    if (info->required & missing) {
        add_names(&text, info->required);
    } else if (info->either[0] & missing && info->either[1] & missing) {
        add_names(&text, info->either[0]);
        buf_text(&text, ", or ");
        add_names(&text, info->either[1]);
    } else {
        return true;
    }
    err_fill(err, ERR_INVALID, "%s needs %s", info->name, buf_cstr(&text));
    buf_release(&text);
    return false;
}

void action_schema_add_set(struct cJSON *into, const char *key, uint32_t set)
{
    struct cJSON *array = json_add_array(into, key);
    struct buf summary = BUF_INIT(SUMMARY_MAX);

    for (int i = 0; i < ACTION_KINDS; i++) {
        struct cJSON *item;

        if (!(set & (UINT32_C(1) << i)))
            continue;
        item = json_add_object(array, NULL);
        json_add_string(item, "action", action_kind_name((enum action_kind)i));
        buf_clear(&summary);
        action_schema_summary((enum action_kind)i, &summary);
        json_add_string(item, "summary", buf_cstr(&summary));
        action_schema_add(item, "arguments", (enum action_kind)i);
    }
    buf_release(&summary);
}
