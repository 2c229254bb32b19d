#include "runner/run_file.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"

#define FILE_MAX ((size_t)16 << 20)
#define SIDE_MAX 100000
#define NUMBER_MAX 1000000

void run_plan_release(struct run_plan *plan)
{
    free(plan->suite);
    texts_release(&plan->tasks);
    free(plan->agent);
    free(plan->profile);
    texts_release(&plan->devices);
    free(plan->locale);
    free(plan->faults);
    free(plan->snapshots);
    free(plan->guard);
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

static struct run_device *have_device(struct run_file *file, const char *serial)
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
                         bool builtin, const struct facts *facts)
{
    struct run_device *device = have_device(file, serial);

    device->builtin = builtin;
    device->facts = *facts;
}

void run_file_add_app(struct run_file *file, const char *serial,
                      const char *package, const char *version)
{
    struct run_device *device = have_device(file, serial);

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

/* ---- writing ---- */

static void add_text(struct cJSON *into, const char *key, const char *text)
{
    if (text)
        json_add_string(into, key, text);
}

static void add_texts(struct cJSON *into, const char *key,
                      const struct texts *texts)
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

/* What is either said or not. */
static const struct {
    const char *name;
    size_t offset;
} flags[] = {
    {"via_server", offsetof(struct run_plan, via_server)},
    {"unguarded", offsetof(struct run_plan, unguarded)},
    {"awake", offsetof(struct run_plan, awake)},
    {"still", offsetof(struct run_plan, still)},
    {"upright", offsetof(struct run_plan, upright)},
    {"aimless", offsetof(struct run_plan, aimless)},
};

static bool *flag_of(struct run_plan *plan, size_t flag)
{
    return (bool *)(void *)((char *)plan + flags[flag].offset);
}

static void add_options(struct cJSON *into, const struct run_plan *plan)
{
    struct cJSON *options = json_add_object(into, "options");

    add_texts(options, "devices", &plan->devices);
    json_add_string(options, "mode", agent_mode_name(plan->mode));
    json_add_int(options, "retries", plan->retries);
    if (plan->steps)
        json_add_int(options, "steps", plan->steps);
    add_text(options, "faults", plan->faults);
    add_text(options, "snapshots", plan->snapshots);
    add_text(options, "guard", plan->guard);
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (*flag_of((struct run_plan *)(uintptr_t)plan, i))
            json_add_bool(options, flags[i].name, true);
    }
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
    add_text(root, "proctor", file->proctor);
    suite = json_add_object(root, "suite");
    json_add_string(suite, "path", plan->suite);
    json_add_string(suite, "sha256", plan->suite_sha256);
    add_texts(root, "tasks", &plan->tasks);
    json_add_string(root, "agent", plan->agent);
    add_text(root, "profile", plan->profile);
    json_add_int(root, "repeats", plan->repeats);
    json_add_string(root, "preset", policy_preset_name(plan->preset));
    json_add_int(root, "seed", plan->seed);
    json_add_int(root, "skin", plan->skin);
    add_text(root, "locale", plan->locale);
    if (file->model)
        cJSON_AddItemToObject(root, "model",
                              cJSON_Duplicate(file->model, true));
    add_devices(root, file);
    add_options(root, plan);
    return root;
}

bool run_file_save(const struct run_file *file, const char *folder,
                   struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(FILE_MAX);
    struct cJSON *root = to_json(file);
    bool done;

    json_format(root, &text);
    buf_byte(&text, '\n');
    cJSON_Delete(root);
    buf_printf(&path, "%s/run.json", folder);
    done = text.overflow ? err_set(err, ERR_LIMIT, "a run that is too large")
                         : file_save_synced(buf_cstr(&path), 0666, text.data,
                                            text.length, err);
    buf_release(&text);
    buf_release(&path);
    return done;
}

/* ---- reading ---- */

static bool take_texts(const struct json *json, const char *key,
                       struct texts *texts, struct err *err)
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
        texts_add(texts, text);
    }
    return true;
}

/* The index of the name that the member has; -1 stays where it is missing. */
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

static const char *mode_name(int index)
{
    return agent_mode_name((enum agent_mode)index);
}

static bool take_options(const struct json *root, struct run_plan *plan,
                         struct err *err)
{
    struct json options = JSON_NONE;
    int mode = AGENT_SCREEN;

    if (!json_opt_object(root, "options", &options, err))
        return false;
    if (!options.value)
        return true;
    if (!take_texts(&options, "devices", &plan->devices, err) ||
        !take_name(&options, "mode", mode_name, AGENT_MODES, &mode, err) ||
        !json_opt_small(&options, "retries", 0, NUMBER_MAX, &plan->retries,
                        err) ||
        !json_opt_small(&options, "steps", 0, TRAJECTORY_STEPS_MAX,
                        &plan->steps, err) ||
        !json_opt_copy(&options, "faults", &plan->faults, err) ||
        !json_opt_copy(&options, "snapshots", &plan->snapshots, err))
        return false;
    plan->mode = (enum agent_mode)mode;
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (!json_opt_bool(&options, flags[i].name, flag_of(plan, i), err))
            return false;
    }
    return json_opt_copy(&options, "guard", &plan->guard, err);
}

static bool take_suite(const struct json *root, struct run_plan *plan,
                       struct err *err)
{
    struct json suite;
    const char *sha256;

    if (!json_get_object(root, "suite", &suite, err) ||
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
    int preset = POLICY_USUAL;

    plan->repeats = 1;
    if (!take_suite(root, plan, err) ||
        !take_texts(root, "tasks", &plan->tasks, err) ||
        !json_get_copy(root, "agent", &plan->agent, err) ||
        !json_opt_copy(root, "profile", &plan->profile, err) ||
        !json_opt_small(root, "repeats", 1, RUN_REPEATS_MAX, &plan->repeats,
                        err) ||
        !take_name(root, "preset", preset_name, POLICY_PRESETS, &preset, err) ||
        !json_opt_count(root, "seed", &plan->seed, err) ||
        !json_opt_small(root, "skin", 0, INT_MAX, &plan->skin, err) ||
        !json_opt_copy(root, "locale", &plan->locale, err))
        return false;
    plan->preset = (enum policy_preset)preset;
    return take_options(root, plan, err);
}

static bool take_name_of(const struct json *json, const char *key,
                         char text[FACTS_TEXT_MAX], struct err *err)
{
    const char *found = "";

    if (!json_opt_string(json, key, &found, err))
        return false;
    if (strlen(found) >= FACTS_TEXT_MAX)
        return err_set(err, ERR_LIMIT, "%s: longer than %d bytes", key,
                       FACTS_TEXT_MAX);
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
    struct facts facts = {.model = ""};
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

/* Kept as it is: what a model is, is for its agent to say. */
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
    done = (file_load_ordinary(buf_cstr(&path), &text, err) ||
            err_wrap(err, "%s is no run", folder)) &&
           (run_file_parse(buf_cstr(&text), text.length, file, err) ||
            err_wrap(err, "%s", buf_cstr(&path)));
    buf_release(&text);
    buf_release(&path);
    return done;
}
