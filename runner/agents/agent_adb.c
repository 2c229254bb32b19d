/*
 * The agent "adb": a program of the user that drives the phone itself, through
 * adb. It runs unchanged: a door (runner/doors/adb_door.h) shows it exactly one
 * phone and records what it does. docs/agents.md has the rules.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/own_program.h"
#include "runner/agents/agent_factory.h"
#include "runner/agents/agent_reply.h"
#include "runner/device/device_source.h"
#include "runner/doors/adb_door.h"
#include "runner/doors/agent_process.h"
#include "runner/doors/command_template.h"

#define COMMAND_MAX ((size_t)64 << 10)
#define ANSWER_MAX ((size_t)64 << 10)
#define REASON_LINE_MAX 120
#define NOT_FOUND 127 /* status of the shell for a missing program */

/* Configuration that all agents of a run share. */
struct adb_agent_config {
    char *command; /* owned, as all here */
    char *supervisor;
    char *adb;
    struct secret_mask mask; /* secrets of the environment */
    bool has_server;
    struct server_client server; /* the user's own, if has_server */
    bool private_network;
    struct text_list allowed; /* places that are reached from it */
    const struct log *log;    /* borrowed; may be NULL */
};

struct adb_agent {
    struct agent agent;
    struct adb_agent_config *config; /* borrowed */
};

/* One episode. */
struct adb_agent_episode {
    struct adb_agent_config *config;
    const struct agent_drive *drive;
    struct adb_door *door;
    struct program_environment environment;
    struct buf command;
    struct buf out; /* path, as the following */
    struct buf errors;
    struct buf answer;
    struct buf hosts;
    struct private_network *network; /* NULL: this computer's */
    struct agent_process process;
};

/* ---- what is handed to the program ---- */

/* The public facts of the task, for programs that want more than its text. */
static bool write_task(const struct adb_agent_episode *episode,
                       const char *path, struct err *err)
{
    const struct agent_drive *drive = episode->drive;
    const struct task *task = drive->task;
    struct cJSON *facts = json_new_object();
    struct cJSON *apps;
    struct buf text = BUF_INIT(COMMAND_MAX);
    bool done;

    json_add_string(facts, "task", task->id);
    json_add_string(facts, "instruction", drive->instruction);
    json_add_string(facts, "language", drive->locale);
    apps = json_add_array(facts, "apps");
    for (size_t i = 0; i < task->apps.count; i++)
        json_add_string(apps, NULL, task->apps.items[i]);
    json_add_int(facts, "steps", drive->steps);
    if (task->seconds > 0)
        json_add_int(facts, "seconds", task->seconds);
    json_add_bool(facts, "answer", task->answer.kind != TASK_ANSWER_NONE);
    json_add_int(facts, "width", drive->screen.width);
    json_add_int(facts, "height", drive->screen.height);
    json_format(facts, &text);
    buf_byte(&text, '\n');
    cJSON_Delete(facts);
    done = text.overflow
               ? err_set(err, ERR_LIMIT, "the task's text is too long")
               : file_save(path, 0600, text.data, text.length, err);
    buf_release(&text);
    return done;
}

/* The program's /etc/hosts, if it has its own network. */
static bool write_hosts(struct adb_agent_episode *episode, struct err *err)
{
    struct buf text = BUF_INIT(COMMAND_MAX);
    bool done;

    if (!episode->network)
        return true;
    buf_printf(&episode->hosts, "%s/agent/hosts",
               adb_door_folder(episode->door));
    private_network_write_hosts(episode->network, &text);
    done =
        file_save(buf_cstr(&episode->hosts), 0644, text.data, text.length, err);
    buf_release(&text);
    return done;
}

static bool prepare(struct adb_agent_episode *episode, struct err *err)
{
    const struct agent_drive *drive = episode->drive;
    struct program_environment *environment = &episode->environment;
    const char *folder = adb_door_folder(episode->door);
    struct buf task = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&task, "%s/agent/task.json", folder);
    buf_printf(&episode->answer, "%s/agent/answer", folder);
    buf_printf(&episode->out, "%s/agent.out", drive->folder);
    buf_printf(&episode->errors, "%s/agent.log", drive->folder);
    adb_door_environment(episode->door, environment);
    environment_add(environment, "PROCTOR_INSTRUCTION=%s", drive->instruction);
    environment_add(environment, "PROCTOR_TASK=%s", drive->task->id);
    environment_add(environment, "PROCTOR_LANGUAGE=%s", drive->locale);
    environment_add(environment, "PROCTOR_TASK_FILE=%s", buf_cstr(&task));
    environment_add(environment, "PROCTOR_ANSWER=%s",
                    buf_cstr(&episode->answer));
    command_template_expand(episode->config->command, &episode->command);
    done = episode->command.overflow
               ? err_set(err, ERR_INVALID, "the agent's command is too long")
               : write_task(episode, buf_cstr(&task), err) &&
                     write_hosts(episode, err);
    buf_release(&task);
    return done;
}

/* ---- how it ended ---- */

static void trim(struct buf *text)
{
    while (text->length && isspace((unsigned char)text->data[text->length - 1]))
        buf_truncate(text, text->length - 1);
}

/* The answer: its file, or else the last line that it printed. */
static void read_answer(const struct adb_agent_episode *episode,
                        struct buf *answer)
{
    struct err ignored;

    if (!file_load(buf_cstr(&episode->answer), answer, &ignored) &&
        episode->drive->task->answer.kind != TASK_ANSWER_NONE)
        buf_append(answer, buf_cstr(&episode->process.out.last),
                   episode->process.out.last.length);
    trim(answer);
}

static void succeed(const struct adb_agent_episode *episode,
                    struct agent_reply *reply)
{
    struct buf answer = BUF_INIT(ANSWER_MAX);
    char *clean;

    read_answer(episode, &answer);
    clean = mem_new(answer.length + 1, 1);
    clean_text_copy(clean, answer.length + 1, buf_cstr(&answer), answer.length);
    if (*clean)
        agent_reply_set(ACTION_ANSWER, clean, reply);
    else
        agent_reply_set(ACTION_COMPLETE, NULL, reply);
    free(clean);
    buf_release(&answer);
}

static void describe_failure(struct adb_agent_episode *episode, int status,
                             struct agent_reply *reply)
{
    struct buf *last = &episode->process.errors.last;
    char line[REASON_LINE_MAX], reason[512];

    trim(last);
    clean_text_copy(line, sizeof(line), buf_cstr(last), last->length);
    snprintf(reason, sizeof(reason),
             "the agent's program ended with status %d%s%s (%s)", status,
             line[0] ? ": " : "", line, buf_cstr(&episode->errors));
    agent_reply_set(ACTION_FAIL, reason, reply);
}

/* A command that does not exist is the user's error, not the agent's. */
static bool conclude(struct adb_agent_episode *episode, int status,
                     struct agent_reply *reply, struct err *err)
{
    if (status == NOT_FOUND)
        return err_set(err, ERR_INVALID, "command not found: %.80s (%s)",
                       episode->config->command, buf_cstr(&episode->errors));
    if (status == 0)
        succeed(episode, reply);
    else
        describe_failure(episode, status, reply);
    return true;
}

/* ---- driving ---- */

static bool start(struct adb_agent_episode *episode, struct err *err)
{
    const struct agent_process_options options = {
        .supervisor = episode->config->supervisor,
        .command = buf_cstr(&episode->command),
        .settings = (const char *const *)episode->environment.items,
        .out = buf_cstr(&episode->out),
        .errors = buf_cstr(&episode->errors),
        .mask = &episode->config->mask,
        .network = episode->network,
        .hosts = buf_cstr(&episode->hosts),
        .folder = adb_door_folder(episode->door),
    };

    return agent_process_start(&episode->process, &options, err);
}

/* Everything is in the private network before the program starts. */
static bool enter_network(struct adb_agent_episode *episode, struct err *err)
{
    return !episode->network ||
           ((private_network_connect(episode->network, err) &&
             adb_door_enter_network(episode->door, err) &&
             private_network_start(episode->network, err)) ||
            err_wrap(err, "--private-net (%s)", buf_cstr(&episode->errors)));
}

/* Wait for the program; it is stopped when the episode is over. */
static bool run_program(struct adb_agent_episode *episode, struct deadline by,
                        const struct cancel *cancel, struct agent_reply *reply,
                        struct err *err)
{
    struct err why = ERR_INIT;
    bool ended, done;
    int status = 0;

    if (!start(episode, err))
        return false;
    ended = enter_network(episode, &why) &&
            agent_process_wait(&episode->process, by, cancel,
                               episode->drive->enough, &why);
    done = agent_process_stop(&episode->process, &status, err);
    if (!ended && why.code != ERR_CLOSED) {
        *err = why;
        done = false;
    }
    done = done && (!ended || conclude(episode, status, reply, err));
    agent_process_release(&episode->process);
    return done;
}

static bool open_network(struct adb_agent_episode *episode, struct err *err)
{
    const struct adb_agent_config *config = episode->config;

    return !config->private_network ||
           private_network_open((const char *const *)config->allowed.items,
                                config->allowed.count, config->log,
                                &episode->network, err);
}

static bool open_door(struct adb_agent_episode *episode, struct err *err)
{
    const struct agent_drive *drive = episode->drive;
    const struct adb_door_options options = {
        .device = drive->lease->device,
        .serial = drive->lease->serial,
        .recorder = drive->recorder,
        .adb = episode->config->adb,
        .network = episode->network,
        .server = episode->config->has_server ? &episode->config->server : NULL,
        .log = episode->config->log,
    };

    return adb_door_open(&options, &episode->door, err);
}

static bool agent_adb_drive(struct agent *agent,
                            const struct agent_drive *drive, struct deadline by,
                            const struct cancel *cancel,
                            struct agent_reply *reply, struct err *err)
{
    struct adb_agent_episode episode = {
        .config = ((struct adb_agent *)agent)->config,
        .drive = drive,
        .command = BUF_INIT(COMMAND_MAX),
        .out = BUF_INIT(PATH_MAX),
        .errors = BUF_INIT(PATH_MAX),
        .answer = BUF_INIT(PATH_MAX),
        .hosts = BUF_INIT(PATH_MAX),
    };
    bool done = open_network(&episode, err) && open_door(&episode, err) &&
                prepare(&episode, err) &&
                run_program(&episode, by, cancel, reply, err);

    adb_door_close(episode.door);
    private_network_close(episode.network);
    environment_release(&episode.environment);
    buf_release(&episode.command);
    buf_release(&episode.out);
    buf_release(&episode.errors);
    buf_release(&episode.answer);
    buf_release(&episode.hosts);
    return done;
}

/* ---- the kind ---- */

static void agent_adb_close(struct agent *agent)
{
    free(agent);
}

static void agent_adb_close_config(void *shared)
{
    struct adb_agent_config *config = shared;

    secret_mask_release(&config->mask);
    text_list_release(&config->allowed);
    free(config->command);
    free(config->supervisor);
    free(config->adb);
    free(config);
}

static bool agent_adb_open(const char *argument,
                           const struct agent_factory_options *options,
                           void **shared, struct err *err)
{
    struct adb_agent_config *config = mem_new(1, sizeof(*config));

    *config = (struct adb_agent_config){
        .command = mem_dup(argument),
        .has_server = options->server != NULL,
        .private_network = options->private_network,
        .log = options->log,
    };
    secret_mask_init(&config->mask);
    if (!own_program_path(options->programs, "proctor-supervisor",
                          &config->supervisor, err) ||
        !own_program_path(options->programs, "proctor-adb", &config->adb,
                          err)) {
        agent_adb_close_config(config);
        return false;
    }
    if (options->server)
        config->server = *options->server;
    for (size_t i = 0; options->allowed && i < options->allowed->count; i++)
        text_list_add(&config->allowed, options->allowed->items[i]);
    secret_mask_add_environment(&config->mask);
    *shared = config;
    return true;
}

static bool agent_adb_make(void *shared, struct agent **agent, struct err *err)
{
    static const struct agent_ops ops = {
        .drive = agent_adb_drive,
        .close = agent_adb_close,
    };
    struct adb_agent *made = mem_new(1, sizeof(*made));

    (void)err;
    *made = (struct adb_agent){
        .agent = {.ops = &ops, .actor = ACTOR_AGENT},
        .config = shared,
    };
    *agent = &made->agent;
    return true;
}

const struct agent_kind agent_adb = {
    .name = "adb",
    .argument = "COMMAND",
    .summary = "runs a program that drives the phone itself, through adb",
    .drives = true,
    .open = agent_adb_open,
    .make = agent_adb_make,
    .close = agent_adb_close_config,
};
