#include "tools/meter/meter_config.h"

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
#include "tools/phone_source/phone_source.h"

#define SUITE_TEXT_MAX ((size_t)64 << 20)

void meter_config_name(const struct meter_config *meter_config, bool random,
                       char name[METER_CONFIG_NAME_MAX])
{
    snprintf(name, METER_CONFIG_NAME_MAX, "seed-%lld.skin-%d.%s.%s",
             (long long)meter_config->seed, meter_config->skin,
             meter_config->locale, random ? "random" : "ways");
}

/* ---- one run ---- */

/* The parts of a run, in the order in which they are made. */
struct outing {
    const struct meter_config *meter_config;
    const struct meter_config_options *options;
    const struct suite *suite;
    struct buf folder;
    struct run_file file;
    struct device_source *source;
    struct run_phone *phones; /* owned */
    const struct task *const *tasks;
    size_t task_count;
    bool random;
    struct text_list serials;
    struct agent_factory agents;
};

/* The run stores its suite, as every run does. */
static bool keep_suite(struct outing *outing, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(SUITE_TEXT_MAX);
    struct cJSON *tasks = json_new_array();
    bool done;

    for (size_t i = 0; i < outing->suite->count; i++) {
        if (!cJSON_AddItemToArray(tasks,
                                  task_to_json(&outing->suite->tasks[i])))
            mem_out();
    }
    json_format(tasks, &text);
    cJSON_Delete(tasks);
    buf_printf(&path, "%s/suite.json", buf_cstr(&outing->folder));
    done = file_save(buf_cstr(&path), 0666, buf_cstr(&text), text.length, err);
    sha256_hex(buf_cstr(&text), text.length, outing->file.plan.suite_sha256);
    buf_release(&text);
    buf_release(&path);
    return done;
}

static bool make_file(struct outing *outing, const char *agent, struct err *err)
{
    struct run_plan *plan = &outing->file.plan;
    char device[32];

    snprintf(device, sizeof(device), "phone:%zu", outing->options->phones);
    outing->file.id = mem_dup(strrchr(buf_cstr(&outing->folder), '/') + 1);
    outing->file.created_ms = clock_wall_ms();
    outing->file.proctor = mem_dup(PROCTOR_VERSION);
    plan->suite = mem_dup(outing->suite->path);
    plan->agent = mem_dup(agent);
    plan->locale = mem_dup(outing->meter_config->locale);
    plan->seed = outing->meter_config->seed;
    plan->skin = outing->meter_config->skin;
    plan->repeats = 1;
    plan->retries = RUN_RETRIES_DEFAULT;
    text_list_add(&plan->devices, device);
    for (size_t i = 0; i < outing->task_count; i++)
        text_list_add(&plan->tasks, outing->tasks[i]->id);
    return keep_suite(outing, err) &&
           run_file_save(&outing->file, buf_cstr(&outing->folder), err);
}

static bool make_folder(struct outing *outing, struct err *err)
{
    char name[METER_CONFIG_NAME_MAX];

    meter_config_name(outing->meter_config, outing->random, name);
    buf_printf(&outing->folder, "%s/%s", outing->options->folder, name);
    if (mkdir(buf_cstr(&outing->folder), 0777) && errno != EEXIST)
        return err_errno(err, errno, "make %s", buf_cstr(&outing->folder));
    return true;
}

static bool open_phones(struct outing *outing, struct err *err)
{
    const struct meter_config_options *options = outing->options;
    const struct phone_source_options phones = {
        .count = options->phones,
        .seed = (uint64_t)outing->meter_config->seed,
        .skin = (unsigned)outing->meter_config->skin,
        .locale =
            !strcmp(outing->meter_config->locale, "zh") ? LOCALE_ZH : LOCALE_EN,
        .adb_keyboard = true,
        .cancel = options->cancel,
        .log = options->log,
    };

    if (!phone_source_open(&phones, &outing->source, err))
        return false;
    outing->phones = mem_new(options->phones, sizeof(*outing->phones));
    for (size_t i = 0; i < options->phones; i++) {
        char serial[32];

        snprintf(serial, sizeof(serial), "phone-%zu", i);
        text_list_add(&outing->serials, serial);
    }
    for (size_t i = 0; i < options->phones; i++)
        outing->phones[i] =
            (struct run_phone){.source = outing->source,
                               .serial = outing->serials.items[i],
                               .ours = true};
    return true;
}

static bool go(struct outing *outing, struct err *err)
{
    const struct meter_config_options *options = outing->options;
    struct run_summary summary = {.interrupted = false};
    const struct run_options run = {
        .folder = buf_cstr(&outing->folder),
        .file = &outing->file,
        .suite = outing->suite,
        .tasks = outing->tasks,
        .phones = outing->phones,
        .phone_count = options->phones,
        .agents = &outing->agents,
        .watcher = options->watcher,
        .cancel = options->cancel,
        .log = options->log,
    };

    if (!run_execute(&run, &summary, err))
        return false;
    return !summary.interrupted ||
           err_set(err, ERR_CANCELLED, "the meter was interrupted");
}

static void release(struct outing *outing)
{
    agent_factory_release(&outing->agents);
    if (outing->source)
        outing->source->ops->close(outing->source);
    free(outing->phones);
    text_list_release(&outing->serials);
    run_file_release(&outing->file);
    buf_release(&outing->folder);
}

static bool go_out(struct outing *outing, const char *agent, struct err *err)
{
    const struct agent_factory_options agents = {
        .in = STDIN_FILENO, .out = STDERR_FILENO, .log = outing->options->log};
    bool done = make_folder(outing, err) && make_file(outing, agent, err) &&
                agent_factory_init(&outing->agents, agent, &agents, err) &&
                open_phones(outing, err) && go(outing, err);

    release(outing);
    return done;
}

static bool run_ways(const struct meter_config *meter_config,
                     const struct meter_config_options *options,
                     struct err *err)
{
    const struct suite *suite = &options->meter_cases->suite;
    const struct task **tasks = mem_new(suite->count, sizeof(*tasks));
    struct outing outing = {
        .meter_config = meter_config,
        .options = options,
        .suite = suite,
        .tasks = tasks,
        .task_count = suite->count,
        .folder = BUF_INIT(PATH_MAX),
    };
    bool done;

    for (size_t i = 0; i < suite->count; i++)
        tasks[i] = &suite->tasks[i];
    done = go_out(&outing, "gold", err);
    free(tasks);
    return done;
}

static bool run_random(const struct meter_config *meter_config,
                       const struct meter_config_options *options,
                       struct err *err)
{
    struct outing outing = {
        .meter_config = meter_config,
        .options = options,
        .suite = options->suite,
        .tasks = options->meter_cases->tasks,
        .task_count = options->meter_cases->task_count,
        .random = true,
        .folder = BUF_INIT(PATH_MAX),
    };
    char agent[40];

    snprintf(agent, sizeof(agent), "random:%lld",
             (long long)meter_config->seed);
    return go_out(&outing, agent, err);
}

bool meter_config_run(const struct meter_config *meter_config,
                      const struct meter_config_options *options,
                      struct err *err)
{
    return run_ways(meter_config, options, err) &&
           (!options->random || run_random(meter_config, options, err));
}
