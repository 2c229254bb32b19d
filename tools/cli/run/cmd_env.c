/* proctor env: environments for training, and for loops in any language. */
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/user_folder.h"
#include "runner/episode/guard.h"
#include "tasks/task/suite.h"
#include "tasks/task/suite_files.h"
#include "tasks/trajectory/run_results.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/command_line/foreground_service.h"
#include "tools/cli/run/run_phones.h"
#include "tools/env/env_hub.h"
#include "tools/env/env_lines.h"
#include "tools/env/env_sockets.h"
#include "tools/phone/graphics/font.h"

#define THREADS_MAX 256
#define OPEN_FOLDERS 8

struct env_args {
    struct option_texts devices;
    int split; /* 0: both; otherwise enum env_split and 1 */
    const char *listen;
    const char *max_envs;
    const char *threads;
    const char *record;
    const char *skin;
    bool dark;
    int preset; /* of enum policy_preset */
    const char *guard;
    bool unguarded;
};

static const char *const splits[] = {"both", "train", "test", NULL};
static const char *const presets[] = {"default", "probench", NULL};

/* Everything that a session needs; all owned. */
struct env_session {
    struct cli_context *cli;
    const struct env_args *args;
    struct suite suite;
    struct buf suite_folder;
    struct buf journals;
    struct guard *guard;
    struct phone_fonts *fonts;
    struct env_builtin_maker builtin;
    struct discover_config discover_config;
    bool has_discover;
    struct device_source *source;
    struct env_leased_maker leased;
    char scratch[64]; /* a folder; "": none */
    struct env_world world;
    struct env_hub *hub;
    struct env_sockets *sockets;
    size_t most; /* environments */
};

static int erase_one(const char *path, const struct stat *facts, int kind,
                     struct FTW *place)
{
    (void)facts, (void)kind, (void)place;
    return remove(path);
}

static void session_release(struct env_session *session)
{
    env_hub_close(session->hub);
    env_sockets_close(session->sockets);
    if (session->source)
        session->source->ops->close(session->source);
    if (session->has_discover)
        discover_config_release(&session->discover_config);
    guard_close(session->guard);
    fonts_close(session->fonts);
    suite_release(&session->suite);
    if (session->scratch[0])
        (void)nftw(session->scratch, erase_one, OPEN_FOLDERS,
                   FTW_DEPTH | FTW_PHYS);
    buf_release(&session->suite_folder);
    buf_release(&session->journals);
}

/* ---- opening ---- */

static bool open_suite(struct env_session *session,
                       const struct operand_words *words, struct err *err)
{
    char *folder;

    if (!suite_open(words->count ? words->items[0] : "phone", &session->suite,
                    err))
        return false;
    folder = suite_files_folder(session->suite.path);
    buf_text(&session->suite_folder, folder);
    free(folder);
    return true;
}

static bool make_scratch(struct env_session *session, struct err *err)
{
    const char *parent = getenv("TMPDIR");
    char path[sizeof(session->scratch)];
    int length = snprintf(path, sizeof(path), "%s/proctor-env-XXXXXX",
                          parent && *parent ? parent : "/tmp");

    if (length < 0 || (size_t)length >= sizeof(path))
        return err_set(err, ERR_LIMIT, "TMPDIR is too long");
    if (!mkdtemp(path))
        return err_errno(err, errno, "make a folder as %s", path);
    memcpy(session->scratch, path, sizeof(session->scratch));
    return true;
}

static bool open_builtin(struct env_session *session, struct err *err)
{
    int64_t skin = 0;

    if (!run_phones_number("skin", session->args->skin, 0, UINT32_MAX, &skin,
                           err) ||
        !fonts_open(&session->fonts, err))
        return false;
    env_builtin_maker_init(&session->builtin, session->fonts);
    session->builtin.skin = (unsigned)skin;
    session->builtin.dark = session->args->dark;
    session->world.maker = &session->builtin.maker;
    return true;
}

/* The user's own phones: guarded, and their settings are journaled. */
static bool open_leased(struct env_session *session, struct err *err)
{
    const struct cli_context *cli = session->cli;
    const struct env_args *args = session->args;
    struct device_session_options options = {.cancel = cli->cancel,
                                             .log = cli->log};

    if (!cli_discover_config(cli, &session->discover_config, err))
        return false;
    session->has_discover = true;
    if (!args->unguarded && !guard_open(args->guard, &session->guard, err))
        return false;
    session->source =
        device_source_adb(&session->discover_config.discover,
                          args->devices.items, args->devices.count);
    if (user_folder_path(USER_FOLDER_STATE, "journals", &session->journals))
        options.prepare.folder = buf_cstr(&session->journals);
    options.source = session->source;
    env_leased_maker_init(&session->leased, &options);
    session->world.maker = &session->leased.maker;
    session->world.guard = session->guard;
    return true;
}

static bool open_phones(struct env_session *session, struct err *err)
{
    const struct option_texts *devices = &session->args->devices;
    size_t builtin = 0;

    for (size_t i = 0; i < devices->count; i++) {
        size_t count;

        if (!run_phones_builtin(devices->items[i], &count, err))
            return false;
        builtin += count > 0;
    }
    if (builtin && builtin < devices->count)
        return err_set(err, ERR_INVALID,
                       "--device: built-in phones and others cannot be mixed");
    return builtin || !devices->count ? open_builtin(session, err)
                                      : open_leased(session, err);
}

static bool open_hub(struct env_session *session, struct err *err)
{
    const struct env_args *args = session->args;
    struct env_hub_options options = {.world = &session->world};
    int64_t most = ENV_HUB_ENVIRONMENTS_DEFAULT;
    int64_t threads = 0;

    if (!run_phones_number("max-envs", args->max_envs, 1,
                           ENV_HUB_ENVIRONMENTS_MAX, &most, err) ||
        !run_phones_number("threads", args->threads, 1, THREADS_MAX, &threads,
                           err))
        return false;
    session->most = (size_t)most;
    options.environments = session->most;
    options.threads = (size_t)threads;
    options.has_split = args->split > 0;
    options.split = args->split > 1 ? ENV_TEST : ENV_TRAIN;
    return env_hub_open(&options, &session->hub, err);
}

static bool session_open(struct env_session *session,
                         const struct operand_words *words, struct err *err)
{
    const struct env_args *args = session->args;

    policy_init(&session->world.policy, (enum policy_preset)args->preset);
    if (!open_suite(session, words, err) || !make_scratch(session, err) ||
        (args->record && !file_make_folder(args->record, 0777, err)) ||
        !open_phones(session, err))
        return false;
    session->world.suite = &session->suite;
    session->world.suite_folder = buf_cstr(&session->suite_folder);
    session->world.record = args->record;
    session->world.scratch = session->scratch;
    return open_hub(session, err);
}

/* ---- the end ---- */

/* results.jsonl, as a run has it, of all that was recorded. */
static bool save_results(const char *record, struct err *err)
{
    struct run_results results = {.items = NULL};
    bool done;

    if (!record)
        return true;
    if (!run_results_scan(record, &results, err))
        return false;
    done = run_results_save(record, &results, err);
    run_results_release(&results);
    return done;
}

/* Over WebSocket with --listen, otherwise by lines. */
static bool serve(struct env_session *session, struct err *err)
{
    struct cli_context *cli = session->cli;
    int64_t port = 0;

    if (!session->args->listen)
        return env_lines_serve(session->hub, STDIN_FILENO, STDOUT_FILENO,
                               cli->cancel, err);
    if (!run_phones_number("listen", session->args->listen, 0, UINT16_MAX,
                           &port, err) ||
        !env_sockets_open(session->hub, (uint16_t)port, session->most,
                          &session->sockets, err) ||
        !foreground_service_print_port(cli, env_sockets_port(session->sockets),
                                       err))
        return false;
    return env_sockets_serve(session->sockets, cli->cancel, err);
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct env_session session = {.cli = cli,
                                  .args = args,
                                  .suite_folder = BUF_INIT(PATH_MAX),
                                  .journals = BUF_INIT(PATH_MAX)};
    struct err late = ERR_INIT;
    bool done = session_open(&session, words, err) && serve(&session, err);

    (void)status;
    session_release(&session);
    if (!save_results(session.args->record, &late) && done) {
        *err = late;
        done = false;
    }
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXTS(struct env_args, devices, "device", 's', "DEVICE",
                 COMPLETE_RUN_DEVICE,
                 "Phones to use: serials, or phone for built-in ones, which is "
                 "the default; one environment uses one phone"),
    OPTION_CHOICE(struct env_args, split, "split", 0, "SPLIT", splits,
                  "Allow only seeds of this split"),
    OPTION_TEXT(struct env_args, listen, "listen", 0, "PORT", COMPLETE_NOTHING,
                "Serve WebSocket on this port of this computer, in OpenEnv's "
                "messages; 0 picks a free one, which is printed"),
    OPTION_TEXT(struct env_args, max_envs, "max-envs", 0, "N", COMPLETE_NOTHING,
                "The most environments at once (1024)"),
    OPTION_TEXT(struct env_args, threads, "threads", 0, "N", COMPLETE_NOTHING,
                "Threads that work on requests (one per core)"),
    OPTION_TEXT(struct env_args, record, "record", 0, "DIRECTORY",
                COMPLETE_FILE,
                "Record every episode there, as a run has it: judge, report "
                "and export can read it"),
    OPTION_CHOICE(struct env_args, preset, "preset", 0, "PRESET", presets,
                  "Rules of an episode, as for run"),
    OPTION_TEXT(struct env_args, skin, "skin", 0, "NUMBER", COMPLETE_NOTHING,
                "Wording and layout of the built-in phone's apps (0)"),
    OPTION_FLAG(struct env_args, dark, "dark", 0,
                "The built-in phone's dark theme"),
    OPTION_TEXT(struct env_args, guard, "guard", 0, "FILE", COMPLETE_FILE,
                "Lists of what must not be touched on your own phone"),
    OPTION_FLAG(struct env_args, unguarded, "no-guard", 0,
                "Allow everything on your own phone"),
};

static const struct operand operands[] = {
    {.name = "SUITE",
     .help = "A file of tasks, or the name of one (phone)",
     .max = 1,
     .completes = COMPLETE_SUITE},
};

static const struct example examples[] = {
    {"proctor env", "Environments on built-in phones, over standard input and "
                    "output."},
    {"echo '{\"id\":1,\"method\":\"reset\",\"env\":\"e1\","
     "\"task\":\"clock.city\"}' | proctor env",
     "Begin one episode and show its first observation."},
    {"proctor env --split train --record runs/train",
     "Only training seeds, with every episode recorded."},
};

const struct command cmd_env = {
    .name = "env",
    .section = "Benchmarks",
    .summary = "Environments for training: reset, step, fork",
    .description =
        "Serves environments over JSON lines: a request a line on standard "
        "input, an answer a line on standard output, until the input ends. "
        "Many environments run in one process, each with a built-in phone, a "
        "task and a seed. The same seed and actions give the same "
        "observations and rewards.\n\ndocs/env.md describes the requests; "
        "proctor.py is a client in Python.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct env_args),
    .run = run,
};
