#include "tools/meter/meter_run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "runner/run/run_lock.h"
#include "tools/phone_source/phone_source.h"

#define SUITE_TEXT_MAX ((size_t)64 << 20)

/* The parts of a run, in the order in which they are made. */
struct meter_run_parts {
    const struct meter_run *run;
    struct buf folder;
    struct file_lock lock;
    struct run_file file;
    struct agent_factory agents;
    struct device_source *source;
    struct text_list serials;
    struct run_phone *phones; /* owned */
};

/* The run stores its suite, as every run does. */
static bool keep_suite(struct meter_run_parts *parts, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(SUITE_TEXT_MAX);
    struct cJSON *tasks = json_new_array();
    bool done;

    for (size_t i = 0; i < parts->run->suite->count; i++) {
        if (!cJSON_AddItemToArray(tasks,
                                  task_to_json(&parts->run->suite->tasks[i])))
            mem_out();
    }
    json_format(tasks, &text);
    cJSON_Delete(tasks);
    buf_printf(&path, "%s/suite.json", buf_cstr(&parts->folder));
    done = file_save(buf_cstr(&path), 0666, buf_cstr(&text), text.length, err);
    sha256_hex(buf_cstr(&text), text.length, parts->file.plan.suite_sha256);
    buf_release(&text);
    buf_release(&path);
    return done;
}

static bool make_file(struct meter_run_parts *parts, struct err *err)
{
    struct run_plan *plan = &parts->file.plan;
    char device[32];

    snprintf(device, sizeof(device), "phone:%zu", parts->run->phones);
    parts->file.id = mem_dup(strrchr(buf_cstr(&parts->folder), '/') + 1);
    parts->file.created_ms = clock_wall_ms();
    parts->file.proctor = mem_dup(PROCTOR_VERSION);
    plan->suite = mem_dup(parts->run->suite->path);
    plan->agent = mem_dup(parts->run->agent);
    plan->locale = mem_dup(parts->run->config->locale);
    plan->seed = parts->run->config->seed;
    plan->skin = parts->run->config->skin;
    plan->repeats = 1;
    plan->retries = RUN_RETRIES_DEFAULT;
    text_list_add(&plan->devices, device);
    for (size_t i = 0; i < parts->run->task_count; i++)
        text_list_add(&plan->tasks, parts->run->tasks[i]->id);
    return keep_suite(parts, err) &&
           run_file_save(&parts->file, buf_cstr(&parts->folder), err);
}

static bool make_folder(struct meter_run_parts *parts, struct err *err)
{
    buf_printf(&parts->folder, "%s/%s", parts->run->folder, parts->run->name);
    if (mkdir(buf_cstr(&parts->folder), 0777) && errno != EEXIST)
        return err_errno(err, errno, "make %s", buf_cstr(&parts->folder));
    return true;
}

static bool open_phones(struct meter_run_parts *parts, struct err *err)
{
    const struct meter_run *run = parts->run;
    const struct phone_source_options phones = {
        .count = run->phones,
        .seed = (uint64_t)parts->run->config->seed,
        .skin = (unsigned)parts->run->config->skin,
        .locale =
            !strcmp(parts->run->config->locale, "zh") ? LOCALE_ZH : LOCALE_EN,
        .adb_keyboard = true,
        .cancel = run->cancel,
        .log = run->log,
    };

    if (!phone_source_open(&phones, &parts->source, err))
        return false;
    parts->phones = mem_new(run->phones, sizeof(*parts->phones));
    for (size_t i = 0; i < run->phones; i++) {
        char serial[32];

        snprintf(serial, sizeof(serial), "phone-%zu", i);
        text_list_add(&parts->serials, serial);
    }
    for (size_t i = 0; i < run->phones; i++)
        parts->phones[i] = (struct run_phone){.source = parts->source,
                                              .serial = parts->serials.items[i],
                                              .ours = true};
    return true;
}

static bool go(struct meter_run_parts *parts, struct err *err)
{
    const struct meter_run *run = parts->run;
    struct run_summary summary = {.interrupted = false};
    const struct run_options options = {
        .folder = buf_cstr(&parts->folder),
        .file = &parts->file,
        .suite = run->suite,
        .tasks = run->tasks,
        .phones = parts->phones,
        .phone_count = run->phones,
        .agents = &parts->agents,
        .watcher = run->watcher,
        .cancel = run->cancel,
        .log = run->log,
        .retry_void = true,
    };

    if (!run_execute(&options, &summary, err))
        return false;
    return !summary.interrupted || err_set(err, ERR_CANCELLED, "interrupted");
}

static void release(struct meter_run_parts *parts)
{
    agent_factory_release(&parts->agents);
    if (parts->source)
        parts->source->ops->close(parts->source);
    free(parts->phones);
    text_list_release(&parts->serials);
    run_file_release(&parts->file);
    file_lock_release(&parts->lock);
    buf_release(&parts->folder);
}

bool meter_run_execute(const struct meter_run *run, struct err *err)
{
    const struct agent_factory_options agents = {
        .in = STDIN_FILENO, .out = STDERR_FILENO, .log = run->log};
    struct meter_run_parts parts = {
        .run = run, .folder = BUF_INIT(PATH_MAX), .lock = FILE_LOCK_INIT};
    bool done = make_folder(&parts, err) &&
                run_lock_take(buf_cstr(&parts.folder), &parts.lock, err) &&
                make_file(&parts, err) &&
                agent_factory_init(&parts.agents, run->agent, &agents, err) &&
                open_phones(&parts, err) && go(&parts, err);

    release(&parts);
    return done;
}
