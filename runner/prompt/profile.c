#include "runner/prompt/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/nearest_word.h"
#include "runner/models/api.h"
#include "runner/prompt/profile_json.h"
#include "tasks/json/struct_json.h"

#define SIDE_MAX 16384
#define PIXELS_MAX (64 * 1024 * 1024)

/* ---- members ---- */

static const struct text_rule rule_text = {.max = PROFILE_TEXT_MAX};
static const struct text_rule rule_line = {.max = 256};

/* An additional header; keys have their own. */
static bool check_header(const char *text, struct err *err)
{
    size_t name = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");

    if (!name || text[name] != ':' || strpbrk(text, "\r\n") ||
        !strncmp(text, "authorization:", 14) ||
        !strncmp(text, "content-length:", 15) || !strncmp(text, "host:", 5) ||
        !strncmp(text, "x-api-key:", 10) ||
        !strncmp(text, "x-goog-api-key:", 15))
        return err_set(err, ERR_INVALID,
                       "expected a header such as \"anthropic-beta: x\", in "
                       "lower case; keys come from the environment");
    return true;
}

static const struct text_rule rule_header = {.max = 1024,
                                             .check = check_header};

static char **text_at(const struct json_member *member, void *thing)
{
    return (char **)((char *)thing + member->offset);
}

/* JSON that is passed on, kept as text. */
static bool read_raw(const struct json_member *member, const struct json *json,
                     void *thing, struct err *err)
{
    struct buf text = BUF_INIT(PROFILE_TEXT_MAX);

    if (!(member->which ? json_as_array(json, err) : json_as_object(json, err)))
        return false;
    json_format(json->value, &text);
    *text_at(member, thing) = mem_dup(buf_cstr(&text));
    buf_release(&text);
    return true;
}

static void write_raw(const struct json_member *member, const void *thing,
                      struct cJSON *into)
{
    const char *text = *(char *const *)((const char *)thing + member->offset);
    struct cJSON *tree = text ? api_parse(text) : NULL;

    if (tree)
        cJSON_AddItemToObject(into, member->name, tree);
}

static void release_raw(const struct json_member *member, void *thing)
{
    free(*text_at(member, thing));
    *text_at(member, thing) = NULL;
}

static const struct member_ops raw_ops = {
    .read = read_raw, .write = write_raw, .release = release_raw};

/* {"click": "Click(x, y): …"} */
static bool read_actions(const struct json_member *member,
                         const struct json *json, void *thing, struct err *err)
{
    struct profile *profile = thing;
    struct json item = JSON_NONE;

    (void)member;
    if (!json_as_object(json, err))
        return false;
    while (json_next(json, &item)) {
        enum action_kind kind;
        const char *text;

        if (!action_kind_find(item.value->string, &kind)) {
            struct nearest_word nearest;

            nearest_word_init(&nearest, item.value->string);
            for (int i = 0; i < ACTION_KINDS; i++)
                nearest_word_offer(&nearest,
                                   action_kind_name((enum action_kind)i));
            return err_set(
                err, ERR_INVALID, "actions: there is no action \"%.40s\"%s%s%s",
                item.value->string, nearest.best ? "; did you mean \"" : "",
                nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
        }
        if (!struct_json_read_text(&item, &rule_text, &text, err))
            return false;
        free(profile->actions[kind]);
        profile->actions[kind] = mem_dup(text);
    }
    return true;
}

static void write_actions(const struct json_member *member, const void *thing,
                          struct cJSON *into)
{
    const struct profile *profile = thing;
    struct cJSON *object = json_new_object();

    for (int i = 0; i < ACTION_KINDS; i++) {
        if (profile->actions[i])
            json_add_string(object, action_kind_name((enum action_kind)i),
                            profile->actions[i]);
    }
    cJSON_AddItemToObject(into, member->name, object);
}

static void release_actions(const struct json_member *member, void *thing)
{
    struct profile *profile = thing;

    (void)member;
    for (int i = 0; i < ACTION_KINDS; i++) {
        free(profile->actions[i]);
        profile->actions[i] = NULL;
    }
}

static const struct member_ops actions_ops = {
    .read = read_actions, .write = write_actions, .release = release_actions};

static const char *const formats[PROFILE_FORMATS] = {
    [PROFILE_PNG] = "png", [PROFILE_JPEG] = "jpeg"};
static const char *const typings[MODEL_FAMILY_TYPINGS] = {
    [MODEL_FAMILY_TYPING_DEFAULT] = "family",
    [MODEL_FAMILY_APPENDS] = "appends",
    [MODEL_FAMILY_REPLACES] = "replaces"};
static const char *const layouts[PROFILE_LAYOUTS] = {
    [PROFILE_SINGLE] = "single", [PROFILE_TURNS] = "turns"};

#define PICTURE struct profile_picture
static const struct json_member picture_members[] = {
    {"max_side", INT_AT(PICTURE, max_side), .max = SIDE_MAX},
    {"max_pixels", INT_AT(PICTURE, max_pixels), .max = PIXELS_MAX},
    {"min_pixels", INT_AT(PICTURE, min_pixels), .max = PIXELS_MAX},
    {"multiple", INT_AT(PICTURE, multiple), .max = 256},
    {"patch", INT_AT(PICTURE, patch), .max = 256},
    {"max_patches", INT_AT(PICTURE, max_patches), .max = 65536},
    {"format", NAME_AT(PICTURE, format, formats)},
    {"quality", INT_AT(PICTURE, quality), .default_value = 90, .min = 1,
     .max = 100},
    {"detail", TEXT_AT(PICTURE, detail), .rule = &rule_line},
};
static const struct struct_json picture_struct_json = {
    .size = sizeof(PICTURE),
    .members = picture_members,
    .count = ARRAY_LEN(picture_members)};

#define HISTORY struct profile_history
static const struct json_member history_members[] = {
    {"layout", NAME_AT(HISTORY, layout, layouts)},
    {"turns", INT_AT(HISTORY, turns), .default_value = 1000, .max = 1000},
    {"screens", INT_AT(HISTORY, screens), .max = 100},
    {"lines", INT_AT(HISTORY, lines), .default_value = -1, .min = -1,
     .max = 1000},
    {"line", TEXT_AT(HISTORY, line), .rule = &rule_text},
    {"none", TEXT_AT(HISTORY, none), .rule = &rule_text},
    {"omitted", TEXT_AT(HISTORY, omitted), .rule = &rule_text},
};
static const struct struct_json history_struct_json = {
    .size = sizeof(HISTORY),
    .members = history_members,
    .count = ARRAY_LEN(history_members)};

#define SAMPLING struct profile_sampling
static const struct json_member sampling_members[] = {
    {"temperature", NUMBER_AT(SAMPLING, temperature), .default_value = -1,
     .min = -1, .max = 2},
    {"top_p", NUMBER_AT(SAMPLING, top_p), .max = 1},
    {"top_k", INT_AT(SAMPLING, top_k), .max = 1000},
    {"max_tokens", INT_AT(SAMPLING, max_tokens), .max = 1000000},
    {"seed", INT_AT(SAMPLING, seed), .default_value = -1, .min = -1,
     .max = 2147483647},
};
static const struct struct_json sampling_struct_json = {
    .size = sizeof(SAMPLING),
    .members = sampling_members,
    .count = ARRAY_LEN(sampling_members)};

#define PROFILE struct profile
static const struct json_member members[] = {
    {"name", TEXT_AT(PROFILE, name), .rule = &rule_line, .needed = true},
    {"about", TEXT_AT(PROFILE, about), .rule = &rule_text},
    {"family", TEXT_AT(PROFILE, family_name), .rule = &rule_line,
     .needed = true},
    {"coords", TEXT_AT(PROFILE, coords_name), .rule = &rule_line},
    {"typing", NAME_AT(PROFILE, typing, typings)},
    {"api", TEXT_AT(PROFILE, api), .rule = &rule_line},
    {"models", TEXTS_AT(PROFILE, models), .rule = &rule_line},
    {"picture", PART_AT(PROFILE, picture, PICTURE),
     .struct_json = &picture_struct_json},
    {"history", PART_AT(PROFILE, history, HISTORY),
     .struct_json = &history_struct_json},
    {"sampling", PART_AT(PROFILE, sampling, SAMPLING),
     .struct_json = &sampling_struct_json},
    {"system", TEXT_AT(PROFILE, system), .rule = &rule_text},
    {"prompt", TEXT_AT(PROFILE, prompt), .rule = &rule_text, .needed = true},
    {"step", TEXT_AT(PROFILE, step), .rule = &rule_text},
    {"notice", TEXT_AT(PROFILE, notice), .rule = &rule_text},
    {"result", TEXT_AT(PROFILE, result), .rule = &rule_text},
    {"actions", ODD_BY(actions_ops)},
    {"tools", ODD_BY(raw_ops), .offset = offsetof(PROFILE, tools), .which = 1},
    {"extra", ODD_BY(raw_ops), .offset = offsetof(PROFILE, extra)},
    {"headers", TEXTS_AT(PROFILE, headers), .rule = &rule_header},
};

static bool check(const struct json *json, void *thing, struct err *err)
{
    struct profile *profile = thing;

    (void)json;
    profile->family = model_family_find(profile->family_name);
    if (!profile->family)
        return err_set(err, ERR_INVALID, "family: there is no \"%.40s\"",
                       profile->family_name);
    profile->coords = profile->family->coords;
    if (profile->coords_name &&
        !coords_find(profile->coords_name, &profile->coords))
        return err_set(err, ERR_INVALID,
                       "coords: expected px, unit, 999, 1000, smart or "
                       "smart3, found \"%.40s\"",
                       profile->coords_name);
    if (profile->api && !api_find(profile->api, strlen(profile->api)))
        return err_set(err, ERR_INVALID,
                       "api: expected openai, responses, anthropic or gemini, "
                       "found \"%.40s\"",
                       profile->api);
    return true;
}

static const struct struct_json profile_struct_json = {.size = sizeof(PROFILE),
                                                       .members = members,
                                                       .count =
                                                           ARRAY_LEN(members),
                                                       .check = check};

void profile_release(struct profile *profile)
{
    struct_json_release(&profile_struct_json, profile);
}

/* ---- loading ---- */

static bool read_tree(struct cJSON *tree, struct profile *profile,
                      struct err *err)
{
    const struct json root = JSON_ROOT(tree);
    struct profile read;
    struct buf text = BUF_INIT(16 * PROFILE_TEXT_MAX);

    if (!json_as_object(&root, err) ||
        !struct_json_read(&profile_struct_json, &root, &read, err))
        return false;
    json_format(tree, &text);
    sha256_hex(buf_cstr(&text), text.length, read.hash);
    buf_release(&text);
    *profile = read;
    return true;
}

bool profile_parse(const char *text, size_t length, const char *folder,
                   struct profile *profile, struct err *err)
{
    struct cJSON *tree = NULL;
    bool done = profile_json_parse(text, length, folder, &tree, err) &&
                read_tree(tree, profile, err);

    cJSON_Delete(tree);
    return done;
}

bool profile_load(const char *name, struct profile *profile, struct err *err)
{
    struct cJSON *tree = NULL;
    bool done = profile_json_load(name, &tree, err) &&
                (read_tree(tree, profile, err) || err_wrap(err, "%s", name));

    cJSON_Delete(tree);
    return done;
}

/* ---- built-in profiles ---- */

const char *profile_name(size_t i)
{
    static const char *const names[] = {
        "generic",
        "generic-1000",
        "think-answer",
        "ui-r1",
        "gui-r1",
        "ui-tars",
        "qwen-vl",
        "qwen3-vl",
        "autoglm",
        "glm",
        "holo",
        "claude-computer",
        "gemini-computer",
        "openai-computer",
        NULL,
    };

    return names[i];
}

/* Does it match by model name ("ui-tars"), API ("gemini:"), or both? */
static bool fits(const char *pattern, const char *api, const char *model)
{
    const char *colon = strchr(pattern, ':');

    if (!colon)
        return strcasestr(model, pattern) != NULL;
    return strlen(api) == (size_t)(colon - pattern) &&
           !strncmp(pattern, api, strlen(api)) &&
           strcasestr(model, colon + 1) != NULL;
}

static bool is_for(const char *name, const char *api, const char *model)
{
    struct profile profile;
    struct err err;
    bool found = false;

    if (!profile_load(name, &profile, &err))
        return false;
    for (size_t i = 0; i < profile.models.count; i++)
        found = found || fits(profile.models.items[i], api, model);
    profile_release(&profile);
    return found;
}

/* More specific profiles come later. */
const char *profile_for_model(const char *api, const char *model)
{
    const char *found = profile_name(0);

    for (size_t i = 1; profile_name(i); i++) {
        if (is_for(profile_name(i), api, model))
            found = profile_name(i);
    }
    return found;
}
