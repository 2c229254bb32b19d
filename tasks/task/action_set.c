#include "tasks/task/action_set.h"

#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "tasks/json/struct_json.h"

static const struct {
    const char *name;
    uint32_t set;
} presets[] = {
    {"default", ACTION_SET_DEFAULT},
    {"all", ACTION_SET_ALL},
    {"probench", ACTION_SET_PROBENCH},
};

#define OLD_DEFAULT "usual" /* in task files of version 1 */
#define NAMES (ACTION_KINDS + ARRAY_LEN(presets))

static bool read_name(const struct json *json, bool with_presets, uint32_t *set,
                      struct err *err)
{
    const char *names[NAMES];
    unsigned found = 0;

    if (with_presets && !strcmp(json->value->valuestring, OLD_DEFAULT)) {
        *set |= ACTION_SET_DEFAULT;
        return true;
    }
    for (unsigned i = 0; i < ACTION_KINDS; i++)
        names[i] = ACTION_SET_ALL & ACTION_BIT(i)
                       ? action_kind_name((enum action_kind)i)
                       : NULL;
    for (unsigned i = 0; i < ARRAY_LEN(presets); i++)
        names[ACTION_KINDS + i] = presets[i].name;
    if (!struct_json_read_name(json, names, with_presets ? NAMES : ACTION_KINDS,
                               &found, err))
        return false;
    *set |= found < ACTION_KINDS ? ACTION_BIT(found)
                                 : presets[found - ACTION_KINDS].set;
    return true;
}

bool action_set_from_json(const struct json *json, uint32_t *set,
                          struct err *err)
{
    struct json item = JSON_NONE;
    uint32_t read = 0;

    if (cJSON_IsString(json->value)) {
        if (!read_name(json, true, &read, err))
            return false;
    } else {
        if (!cJSON_IsArray(json->value))
            return json_fail_kind(json, "an action's name, or several", err);
        if (!json->value->child)
            return json_fail(json, err, "is empty");
        while (json_next(json, &item)) {
            if (!read_name(&item, false, &read, err))
                return false;
        }
    }
    *set = read;
    return true;
}

void action_set_to_json(uint32_t set, struct cJSON *into, const char *key)
{
    struct cJSON *names;

    for (size_t i = 0; i < ARRAY_LEN(presets); i++) {
        if (presets[i].set == set) {
            json_add_string(into, key, presets[i].name);
            return;
        }
    }
    names = json_add_array(into, key);
    for (unsigned i = 0; i < ACTION_KINDS; i++) {
        if (set & ACTION_BIT(i))
            json_add_string(names, NULL, action_kind_name((enum action_kind)i));
    }
}
