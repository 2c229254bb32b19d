#include "runner/run/run_file.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "tasks/json/struct_json.h"

#define FILE_MAX ((size_t)16 << 20)
#define SIDE_MAX 100000
#define NUMBER_MAX 1000000

static const struct text_rule rule_text = {.max = FILE_MAX};

#define PLAN struct run_plan
static const struct json_member option_members[] = {
    {"faults", TEXT_AT(PLAN, faults), .rule = &rule_text},
    {"snapshots", TEXT_AT(PLAN, snapshots), .rule = &rule_text},
    {"guard", TEXT_AT(PLAN, guard), .rule = &rule_text},
    {"prices", TEXT_AT(PLAN, prices), .rule = &rule_text},
    {"model_cache", TEXT_AT(PLAN, model_cache), .rule = &rule_text},
    {"observe_cache", TEXT_AT(PLAN, observe_cache), .rule = &rule_text},
    {"keyboard", TEXT_AT(PLAN, keyboard), .rule = &rule_text},
    {"via_server", BOOL_AT(PLAN, via_server)},
    {"private_net", BOOL_AT(PLAN, private_net)},
    {"allow", TEXTS_AT(PLAN, allow), .rule = &rule_text},
    {"queue", TEXT_AT(PLAN, queue), .rule = &rule_text},
    {"queue_run", TEXT_AT(PLAN, queue_run), .rule = &rule_text},
    {"recordings", TEXT_AT(PLAN, recordings), .rule = &rule_text},
    {"fast_input", BOOL_AT(PLAN, fast_input)},
    {"scrcpy_server", TEXT_AT(PLAN, scrcpy_server), .rule = &rule_text},
    {"realtime", BOOL_AT(PLAN, realtime)},
    {"unguarded", BOOL_AT(PLAN, unguarded)},
    {"awake", BOOL_AT(PLAN, awake)},
    {"no_animations", BOOL_AT(PLAN, no_animations), .old_name = "still"},
    {"no_rotation", BOOL_AT(PLAN, no_rotation), .old_name = "upright"},
    {"on_my_phone", BOOL_AT(PLAN, on_my_phone), .old_name = "aimless"},
};

void run_plan_release(struct run_plan *plan)
{
    free(plan->suite);
    text_list_release(&plan->tasks);
    free(plan->agent);
    free(plan->profile);
    text_list_release(&plan->devices);
    free(plan->locale);
    for (size_t i = 0; i < ARRAY_LEN(option_members); i++)
        struct_json_release_member(&option_members[i], plan);
    *plan = (struct run_plan){.suite = NULL};
}

void run_file_release(struct run_file *file)
{
    for (size_t i = 0; i < file->device_count; i++) {
        free(file->devices[i].serial);
        cJSON_Delete(file->devices[i].apps);
    }
    free(file->devices);
    cJSON_Delete(file->model);
    free(file->id);
    free(file->proctor);
    run_plan_release(&file->plan);
    *file = (struct run_file){.id = NULL};
}

static struct run_device *find_device(const struct run_file *file,
                                      const char *serial)
{
    for (size_t i = 0; i < file->device_count; i++) {
        if (!strcmp(file->devices[i].serial, serial))
            return &file->devices[i];
    }
    return NULL;
}

static struct run_device *get_or_add_device(struct run_file *file,
                                            const char *serial)
{
    struct run_device *known = find_device(file, serial);

    if (known)
        return known;
    file->devices = mem_resize(file->devices, file->device_count + 1,
                               sizeof(*file->devices));
    file->devices[file->device_count] =
        (struct run_device){.serial = mem_dup(serial)};
    return &file->devices[file->device_count++];
}

void run_file_add_device(struct run_file *file, const char *serial,
                         bool builtin, const struct device_info *facts)
{
    struct run_device *device = get_or_add_device(file, serial);

    device->builtin = builtin;
    device->facts = *facts;
}

void run_file_add_app(struct run_file *file, const char *serial,
                      const char *package, const char *version)
{
    struct run_device *device = get_or_add_device(file, serial);

    if (run_file_has_app(file, serial, package))
        return;
    if (!device->apps)
        device->apps = json_new_object();
    json_add_string(device->apps, package, version);
}

bool run_file_has_app(const struct run_file *file, const char *serial,
                      const char *package)
{
    const struct run_device *device = find_device(file, serial);

    return device && device->apps &&
           cJSON_GetObjectItemCaseSensitive(device->apps, package);
}

void run_file_add_devices(struct run_file *file, const struct run_file *other)
{
    for (size_t i = 0; i < other->device_count; i++) {
        const struct run_device *device = &other->devices[i];
        const struct cJSON *app;

        run_file_add_device(file, device->serial, device->builtin,
                            &device->facts);
        cJSON_ArrayForEach(app, device->apps)
        {
            run_file_add_app(file, device->serial, app->string,
                             cJSON_GetStringValue(app));
        }
    }
}

/* ---- writing ---- */

static void add_texts(struct cJSON *into, const char *key,
                      const struct text_list *texts)
{
    struct cJSON *array = json_add_array(into, key);

    for (size_t i = 0; i < texts->count; i++)
        json_add_string(array, NULL, texts->items[i]);
}

static void add_devices(struct cJSON *into, const struct run_file *file)
{
    struct cJSON *array = json_add_array(into, "devices");

    for (size_t i = 0; i < file->device_count; i++) {
        const struct run_device *device = &file->devices[i];
        struct cJSON *item = json_add_object(array, NULL);

        json_add_string(item, "serial", device->serial);
        json_add_string(item, "model", device->facts.model);
        json_add_string(item, "android", device->facts.android);
        json_add_int(item, "width", device->facts.screen.width);
        json_add_int(item, "height", device->facts.screen.height);
        json_add_bool(item, "builtin", device->builtin);
        if (device->apps)
            cJSON_AddItemToObject(item, "apps",
                                  cJSON_Duplicate(device->apps, true));
    }
}

static void add_options(struct cJSON *into, const struct run_plan *plan)
{
    struct cJSON *options = json_add_object(into, "options");

    add_texts(options, "devices", &plan->devices);
    json_add_string(options, "mode", agent_mode_name(plan->mode));
    if (plan->noise != NOISE_NONE)
        json_add_string(options, "noise", noise_level_name(plan->noise));
    json_add_int(options, "retries", plan->retries);
    if (plan->shard_count) {
        json_add_int(options, "shard_index", plan->shard_index);
        json_add_int(options, "shard_count", plan->shard_count);
    }
    if (plan->steps)
        json_add_int(options, "steps", plan->steps);
    if (plan->limits_cost)
        json_add_number(options, "max_cost", plan->max_cost);
    if (plan->limits_tokens)
        json_add_int(options, "max_tokens", plan->max_tokens);
    for (size_t i = 0; i < ARRAY_LEN(option_members); i++)
        struct_json_write_member(&option_members[i], plan, options,
                                 option_members[i].name);
}

static struct cJSON *to_json(const struct run_file *file)
{
    const struct run_plan *plan = &file->plan;
    struct cJSON *root = json_new_object();
    struct cJSON *suite;

    json_add_string(root, "format", RUN_FORMAT);
    json_add_int(root, "version", RUN_VERSION);
    json_add_string(root, "id", file->id);
    json_add_int(root, "created_ms", file->created_ms);
    json_add_opt_string(root, "proctor", file->proctor);
    suite = json_add_object(root, "suite");
    json_add_string(suite, "path", plan->suite);
    json_add_string(suite, "sha256", plan->suite_sha256);
    add_texts(root, "tasks", &plan->tasks);
    json_add_string(root, "agent", plan->agent);
    json_add_opt_string(root, "profile", plan->profile);
    json_add_int(root, "repeats", plan->repeats);
    json_add_string(root, "preset", policy_preset_name(plan->preset));
    json_add_int(root, "seed", plan->seed);
    json_add_int(root, "skin", plan->skin);
    json_add_opt_string(root, "locale", plan->locale);
    if (file->model)
        cJSON_AddItemToObject(root, "model",
                              cJSON_Duplicate(file->model, true));
    add_devices(root, file);
    add_options(root, plan);
    return root;
}

void run_file_format(const struct run_file *file, struct buf *text)
{
    struct cJSON *root = to_json(file);

    json_format(root, text);
    buf_byte(text, '\n');
    cJSON_Delete(root);
}

bool run_file_save(const struct run_file *file, const char *folder,
                   struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(FILE_MAX);
    bool done;

    run_file_format(file, &text);
    buf_printf(&path, "%s/run.json", folder);
    done = text.overflow ? err_set(err, ERR_LIMIT, "run.json is too large")
                         : file_save_synced(buf_cstr(&path), 0666, text.data,
                                            text.length, err);
    buf_release(&text);
    buf_release(&path);
    return done;
}

/* ---- reading ---- */

static bool take_texts(const struct json *json, const char *key,
                       struct text_list *texts, struct err *err)
{
    struct json array = JSON_NONE;
    struct json item = JSON_NONE;
    const char *text;

    if (!json_opt_array(json, key, &array, err))
        return false;
    if (!array.value)
        return true;
    while (json_next(&array, &item)) {
        if (texts->count == RUN_TEXTS_MAX)
            return err_set(err, ERR_LIMIT, "%s: more than %d", key,
                           RUN_TEXTS_MAX);
        if (!json_as_string(&item, &text, err))
            return false;
        text_list_add(texts, text);
    }
    return true;
}

/* The index of a member's value; unchanged if the member is missing. */
static bool take_name(const struct json *json, const char *key,
                      const char *(*name_of)(int), int count, int *index,
                      struct err *err)
{
    const char *found = NULL;

    if (!json_opt_string(json, key, &found, err))
        return false;
    if (!found)
        return true;
    for (int i = 0; i < count; i++) {
        if (!strcmp(name_of(i), found)) {
            *index = i;
            return true;
        }
    }
    return err_set(err, ERR_INVALID, "%s: there is no \"%.40s\"", key, found);
}

static const char *preset_name(int index)
{
    return policy_preset_name((enum policy_preset)index);
}

/* Version 1 calls the default "usual". */
static bool take_preset(const struct json *root, enum policy_preset *preset,
                        struct err *err)
{
    const char *found = NULL;
    int index = POLICY_DEFAULT;

    if (!json_opt_string(root, "preset", &found, err))
        return false;
    if ((!found || strcmp(found, "usual") != 0) &&
        !take_name(root, "preset", preset_name, POLICY_PRESETS, &index, err))
        return false;
    *preset = (enum policy_preset)index;
    return true;
}

static const char *mode_name(int index)
{
    return agent_mode_name((enum agent_mode)index);
}

static const char *noise_name(int index)
{
    return noise_level_name((enum noise_level)index);
}

static bool take_limits(const struct json *options, struct run_plan *plan,
                        struct err *err)
{
    double cost = -1;
    int64_t tokens = -1;

    if (!json_opt_number(options, "max_cost", &cost, err) ||
        !json_opt_int(options, "max_tokens", 0, JSON_INT_MAX, &tokens, err))
        return false;
    plan->limits_cost = cost >= 0;
    plan->max_cost = cost;
    plan->limits_tokens = tokens >= 0;
    plan->max_tokens = tokens;
    return true;
}

static bool take_shard(const struct json *options, struct run_plan *plan,
                       struct err *err)
{
    if (!json_opt_small(options, "shard_index", 0, NUMBER_MAX,
                        &plan->shard_index, err) ||
        !json_opt_small(options, "shard_count", 0, NUMBER_MAX,
                        &plan->shard_count, err))
        return false;
    return !plan->shard_count || plan->shard_index < plan->shard_count ||
           err_set(err, ERR_INVALID, "options.shard_index: not below %d",
                   plan->shard_count);
}

static bool take_option_members(const struct json *options,
                                struct run_plan *plan, struct err *err)
{
    bool seen[ARRAY_LEN(option_members)] = {false};
    struct json item = JSON_NONE;

    while (json_next(options, &item)) {
        for (size_t i = 0; i < ARRAY_LEN(option_members); i++) {
            const struct json_member *member = &option_members[i];

            if (!json_member_is_called(member, item.value->string))
                continue;
            if (seen[i])
                return err_set(err, ERR_INVALID, "options.%s is given twice",
                               member->name);
            seen[i] = true;
            if (!struct_json_read_member(member, &item, plan, err))
                return false;
        }
    }
    return true;
}

static bool take_options(const struct json *root, struct run_plan *plan,
                         struct err *err)
{
    struct json options = JSON_NONE;
    int mode = AGENT_SCREEN;
    int noise = NOISE_NONE;

    if (!json_opt_object(root, "options", &options, err))
        return false;
    if (!options.value)
        return true;
    if (!json_check_unique(&options, err) ||
        !take_texts(&options, "devices", &plan->devices, err) ||
        !take_name(&options, "mode", mode_name, AGENT_MODES, &mode, err) ||
        !take_name(&options, "noise", noise_name, NOISE_LEVELS, &noise, err) ||
        !json_opt_small(&options, "retries", 0, NUMBER_MAX, &plan->retries,
                        err) ||
        !json_opt_small(&options, "steps", 0, TRAJECTORY_STEPS_MAX,
                        &plan->steps, err) ||
        !take_shard(&options, plan, err) || !take_limits(&options, plan, err))
        return false;
    plan->mode = (enum agent_mode)mode;
    plan->noise = (enum noise_level)noise;
    return take_option_members(&options, plan, err);
}

static bool take_suite(const struct json *root, struct run_plan *plan,
                       struct err *err)
{
    struct json suite;
    const char *sha256;

    if (!json_get_object(root, "suite", &suite, err) ||
        !json_check_unique(&suite, err) ||
        !json_get_copy(&suite, "path", &plan->suite, err) ||
        !json_get_string(&suite, "sha256", &sha256, err))
        return false;
    if (!sha256_is_hex(sha256))
        return err_set(err, ERR_INVALID, "suite.sha256: expected 64 digits");
    memcpy(plan->suite_sha256, sha256, sizeof(plan->suite_sha256));
    return true;
}

static bool take_plan(const struct json *root, struct run_plan *plan,
                      struct err *err)
{
    plan->repeats = 1;
    if (!json_check_unique(root, err) || !take_suite(root, plan, err) ||
        !take_texts(root, "tasks", &plan->tasks, err) ||
        !json_get_copy(root, "agent", &plan->agent, err) ||
        !json_opt_copy(root, "profile", &plan->profile, err) ||
        !json_opt_small(root, "repeats", 1, RUN_REPEATS_MAX, &plan->repeats,
                        err) ||
        !take_preset(root, &plan->preset, err) ||
        !json_opt_count(root, "seed", &plan->seed, err) ||
        !json_opt_small(root, "skin", 0, INT_MAX, &plan->skin, err) ||
        !json_opt_copy(root, "locale", &plan->locale, err))
        return false;
    return take_options(root, plan, err);
}

static bool take_name_of(const struct json *json, const char *key,
                         char text[DEVICE_INFO_TEXT_MAX], struct err *err)
{
    const char *found = "";

    if (!json_opt_string(json, key, &found, err))
        return false;
    if (strlen(found) >= DEVICE_INFO_TEXT_MAX)
        return err_set(err, ERR_LIMIT, "%s: longer than %d bytes", key,
                       DEVICE_INFO_TEXT_MAX);
    memcpy(text, found, strlen(found) + 1);
    return true;
}

static bool take_apps(const struct json *item, struct run_file *file,
                      const char *serial, struct err *err)
{
    struct json apps = JSON_NONE;
    struct json app = JSON_NONE;
    const char *version;

    if (!json_opt_object(item, "apps", &apps, err))
        return false;
    while (apps.value && json_next(&apps, &app)) {
        if (!json_as_string(&app, &version, err))
            return false;
        run_file_add_app(file, serial, app.value->string, version);
    }
    return true;
}

static bool take_device(const struct json *item, struct run_file *file,
                        struct err *err)
{
    struct device_info facts = {.model = ""};
    const char *serial;
    bool builtin = false;

    if (!json_get_string(item, "serial", &serial, err) ||
        !take_name_of(item, "model", facts.model, err) ||
        !take_name_of(item, "android", facts.android, err) ||
        !json_opt_small(item, "width", 0, SIDE_MAX, &facts.screen.width, err) ||
        !json_opt_small(item, "height", 0, SIDE_MAX, &facts.screen.height,
                        err) ||
        !json_opt_bool(item, "builtin", &builtin, err))
        return false;
    facts.builtin = builtin;
    run_file_add_device(file, serial, builtin, &facts);
    return take_apps(item, file, serial, err);
}

static bool take_devices(const struct json *root, struct run_file *file,
                         struct err *err)
{
    struct json array = JSON_NONE;
    struct json item = JSON_NONE;

    if (!json_opt_array(root, "devices", &array, err))
        return false;
    if (!array.value)
        return true;
    while (json_next(&array, &item)) {
        if (file->device_count == RUN_TEXTS_MAX)
            return err_set(err, ERR_LIMIT, "devices: more than %d",
                           RUN_TEXTS_MAX);
        if (!take_device(&item, file, err))
            return false;
    }
    return true;
}

/* Kept as it is: only the agent interprets it. */
static bool take_model(const struct json *root, struct run_file *file,
                       struct err *err)
{
    struct json model = JSON_NONE;

    if (!json_opt_object(root, "model", &model, err))
        return false;
    if (model.value)
        file->model = cJSON_Duplicate(model.value, true);
    return true;
}

bool run_file_parse(const char *text, size_t length, struct run_file *file,
                    struct err *err)
{
    struct run_file read = {.id = NULL};
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    bool done;

    if (!json_parse(text, length, &tree, err))
        return false;
    root.value = tree;
    done = json_check_format(&root, RUN_FORMAT, RUN_VERSION, err) &&
           json_get_copy(&root, "id", &read.id, err) &&
           json_opt_copy(&root, "proctor", &read.proctor, err) &&
           json_opt_count(&root, "created_ms", &read.created_ms, err) &&
           take_plan(&root, &read.plan, err) && take_model(&root, &read, err) &&
           take_devices(&root, &read, err);
    cJSON_Delete(tree);
    if (!done) {
        run_file_release(&read);
        return false;
    }
    *file = read;
    return true;
}

bool run_file_load(const char *folder, struct run_file *file, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(FILE_MAX);
    bool done;

    buf_printf(&path, "%s/run.json", folder);
    done = (file_load(buf_cstr(&path), &text, err) ||
            err_wrap(err, "%s is not a run", folder)) &&
           (run_file_parse(buf_cstr(&text), text.length, file, err) ||
            err_wrap(err, "%s", buf_cstr(&path)));
    buf_release(&text);
    buf_release(&path);
    return done;
}
