/* proctor mcp: a Model Context Protocol server for one phone. */
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/user_folder.h"
#include "tasks/task/suite.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/foreground_service.h"
#include "tools/cli/mcp/mcp_live_phone.h"
#include "tools/cli/mcp/mcp_scored_run.h"
#include "tools/cli/run/run_folder.h"
#include "tools/mcp/mcp_http.h"
#include "tools/mcp/mcp_stdio.h"

#define DRAIN_MS 5000 /* for calls that run at the end */

struct mcp_args {
    const char *device;
    const char *task;
    const char *suite;
    const char *out;
    const char *steps;
    const char *seed;
    const char *skin;
    int locale; /* of locales */
    bool realtime;
    const char *http;
    const char *token_file;
    int tools; /* of tool_sets */
    const char *guard;
    bool unguarded;
};

static const char *const locales[] = {"phone", "en", "zh", NULL};
static const char *const tool_sets[] = {"all", "own", NULL};

static const char live_instructions[] =
    "These tools use an Android phone. Take a screenshot or list the elements "
    "of the screen, then act: by the number of an element, or by a point in "
    "pixels of the screen. Each action answers with what happened.";

static const char task_instructions[] =
    "These tools use an Android phone, and the session is scored. Call "
    "get_task for what is to be done. Take a screenshot or list the elements "
    "of the screen, then act: by the number of an element, or by a point in "
    "pixels of the screen. Each action is a step, and steps are limited. When "
    "the task is done, or cannot be done, call finish.";

/* What serves, and whom. */
struct mcp_service {
    struct cli_context *cli;
    const struct mcp_args *args;
    struct mcp_operator op;
    pthread_mutex_t output; /* one answer at a time */
    struct cancel left;     /* the client has left */
    /* cancels calls to the phone; NULL: an interrupt does */
    const struct cancel *calls;
};

/* A call that does not end is cancelled. */
static void end_calls(const struct mcp_service *service, bool drained)
{
    if (!drained && service->calls)
        cancel_fire(service->calls);
}

/* ---- stdio ---- */

/* A client that does not read any more is seen at the end of its input. */
static void write_answer(void *context, uint64_t number, enum mcp_status status,
                         struct buf *text)
{
    struct mcp_service *service = context;
    struct err ignored;

    (void)number, (void)status;
    if (!text->length)
        return;
    buf_byte(text, '\n');
    pthread_mutex_lock(&service->output);
    (void)!output_stream_buf(&service->cli->out, text, &ignored);
    pthread_mutex_unlock(&service->output);
}

static bool serve_stdio(struct mcp_service *service,
                        const struct mcp_server_options *options,
                        struct err *err)
{
    struct mcp_server_options own = *options;
    struct mcp_server *server = NULL;
    bool done;

    own.answer = write_answer;
    own.context = service;
    if (!mcp_server_start(&own, &server, err))
        return false;
    done = mcp_stdio_serve(server, STDIN_FILENO, service->cli->cancel, err);
    end_calls(service, mcp_server_drain(server, deadline_in_ms(DRAIN_MS)));
    mcp_server_stop(server);
    return done;
}

/* ---- HTTP ---- */

static bool load_token(const char *given, struct secret_token *token,
                       struct buf *path, struct err *err)
{
    char *slash;

    if (given)
        buf_text(path, given);
    else if (!user_folder_path(USER_FOLDER_CONFIG, "mcp-token", path))
        return err_set(err, ERR_NOT_FOUND,
                       "there is no home folder: give --token-file");
    slash = given ? NULL : strrchr(path->data, '/');
    if (slash) {
        *slash = '\0';
        if (!file_make_folder(path->data, 0700, err))
            return false;
        *slash = '/';
    }
    return secret_token_load(token, buf_cstr(path), err) &&
           (token->text[0] ||
            err_set(err, ERR_INVALID, "%.150s has no token", buf_cstr(path)));
}

static void on_left(void *context)
{
    struct mcp_service *service = context;

    if (service->args->task)
        cancel_fire(&service->left);
}

/* Until it is interrupted, or the client of a scored session has left. */
static bool wait_for_end(struct mcp_service *service, struct err *err)
{
    struct pollfd fds[] = {
        {.fd = cancel_fd(service->cli->cancel), .events = POLLIN},
        {.fd = cancel_fd(&service->left), .events = POLLIN},
    };

    while (!cancel_fired(service->cli->cancel)) {
        if (cancel_fired(&service->left))
            return true;
        (void)poll(fds, 2, -1);
    }
    return err_set(err, ERR_CANCELLED, "interrupted");
}

static bool serve_http(struct mcp_service *service,
                       const struct mcp_server_options *options,
                       struct err *err)
{
    struct secret_token token;
    struct buf path = BUF_INIT(PATH_MAX);
    struct mcp_http_options http_options = {
        .token = &token,
        .server = *options,
        .on_left = on_left,
        .context = service,
    };
    struct mcp_http *http = NULL;
    int64_t port = 0;
    bool done = run_phones_number("http", service->args->http, 0, UINT16_MAX,
                                  &port, err) &&
                load_token(service->args->token_file, &token, &path, err);

    http_options.port = (uint16_t)port;
    done =
        done && mcp_http_start(&http_options, &http, err) &&
        foreground_service_print_port(service->cli, mcp_http_port(http), err);
    if (done) {
        cli_message(service->cli,
                    "MCP on http://127.0.0.1:%u" MCP_HTTP_PATH
                    " with the token in %s",
                    (unsigned)mcp_http_port(http), buf_cstr(&path));
        done = wait_for_end(service, err);
        end_calls(service, mcp_http_drain(http, deadline_in_ms(DRAIN_MS)));
    }
    mcp_http_stop(http);
    buf_release(&path);
    return done;
}

static bool serve(struct cli_context *cli, const struct mcp_args *args,
                  struct mcp_phone *phone, const struct cancel *calls,
                  struct err *err)
{
    struct mcp_service service = {.cli = cli, .args = args, .calls = calls};
    const struct mcp_server_options options = {
        .op = &service.op,
        .tools = {.task = args->task != NULL, .aliases = !args->tools},
        .instructions = args->task ? task_instructions : live_instructions,
    };
    bool done;

    if (!cancel_init(&service.left, err))
        return false;
    pthread_mutex_init(&service.output, NULL);
    mcp_operator_init(&service.op, phone);
    done = args->http ? serve_http(&service, &options, err)
                      : serve_stdio(&service, &options, err);
    mcp_operator_release(&service.op);
    pthread_mutex_destroy(&service.output);
    cancel_release(&service.left);
    return done;
}

/* ---- the plan ---- */

static bool read_numbers(const struct mcp_args *args, struct run_plan *plan,
                         struct err *err)
{
    int64_t steps = 0, skin = 0;

    if (!run_phones_number("steps", args->steps, 1, TRAJECTORY_STEPS_MAX,
                           &steps, err) ||
        !run_phones_number("skin", args->skin, 0, INT_MAX, &skin, err) ||
        !run_phones_number("seed", args->seed, 0, JSON_INT_MAX, &plan->seed,
                           err))
        return false;
    plan->steps = (int)steps;
    plan->skin = (int)skin;
    return true;
}

/* One phone: several of them would need names in each call. */
static bool check_device(const char *device, struct err *err)
{
    size_t count = 0;

    return run_phones_builtin(device, &count, err) &&
           (count <= 1 ||
            err_set(err, ERR_INVALID, "mcp uses one phone: --device phone"));
}

static bool make_plan(const struct mcp_args *args, const char *device,
                      struct run_plan *plan, struct err *err)
{
    *plan = (struct run_plan){
        .agent = mem_dup("mcp"),
        .repeats = 1,
        .mode = AGENT_TREE,
        .realtime = args->realtime,
        .guard = args->guard ? mem_dup(args->guard) : NULL,
        .unguarded = args->unguarded,
        .locale = args->locale ? mem_dup(locales[args->locale]) : NULL,
    };
    text_list_add(&plan->devices, device);
    return check_device(device, err) && read_numbers(args, plan, err);
}

/* ---- the command ---- */

static bool run_live(struct cli_context *cli, const struct mcp_args *args,
                     struct err *err)
{
    struct run_plan plan;
    struct mcp_live_phone live;
    bool done;

    if (!make_plan(args, args->device ? args->device : "", &plan, err)) {
        run_plan_release(&plan);
        return false;
    }
    done = mcp_live_phone_open(&live, cli, &plan, err) &&
           serve(cli, args, live.phone, &live.cancel, err);
    mcp_live_phone_release(&live, cli);
    run_plan_release(&plan);
    return done;
}

/* Tasks with a ground truth are for the built-in phone. */
static const char *choose_device(const struct mcp_args *args,
                                 const struct task *task)
{
    if (args->device)
        return args->device;
    return task->truth ? "phone" : "";
}

/* The first error counts. */
static bool run_task(struct cli_context *cli, const struct mcp_args *args,
                     struct run_plan *plan, const struct buf *text, int *status,
                     struct err *err)
{
    struct mcp_scored_run run;
    struct err ignored;
    bool done = mcp_scored_run_start(&run, cli, plan, text, args->out, err) &&
                serve(cli, args, run.phone, NULL, err);

    done = mcp_scored_run_join(&run, status, done ? err : &ignored) && done;
    mcp_scored_run_release(&run);
    return done;
}

static bool run_scored(struct cli_context *cli, const struct mcp_args *args,
                       int *status, struct err *err)
{
    const char *name = args->suite ? args->suite : "phone";
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct suite suite = {.path = NULL};
    struct run_plan plan = {.suite = NULL};
    const struct task *task;
    bool done = run_folder_read_suite(name, &text, &suite, err) &&
                suite_choose(&suite, args->task, &task, err) &&
                make_plan(args, choose_device(args, task), &plan, err);

    if (done) {
        plan.suite = mem_dup(suite.path);
        text_list_add(&plan.tasks, args->task);
        done = run_task(cli, args, &plan, &text, status, err);
    }
    run_plan_release(&plan);
    suite_release(&suite);
    buf_release(&text);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct mcp_args *given = args;

    (void)words;
    if (!given->task && (given->suite || given->out || given->steps))
        return err_set(err, ERR_INVALID,
                       "--suite, --out and --steps need --task");
    if (given->token_file && !given->http)
        return err_set(err, ERR_INVALID, "--token-file needs --http");
    return given->task ? run_scored(cli, given, status, err)
                       : run_live(cli, given, err);
}

static const struct option options_table[] = {
    OPTION_TEXT(struct mcp_args, device, "device", 's', "DEVICE",
                COMPLETE_RUN_DEVICE,
                "The phone: phone (a built-in one) or a serial (the only one "
                "there is)"),
    OPTION_TEXT(struct mcp_args, task, "task", 't', "ID", COMPLETE_TASK,
                "Score the session as an episode of this task"),
    OPTION_TEXT(struct mcp_args, suite, "suite", 0, "SUITE", COMPLETE_FILE,
                "The suite of the task: a file, or a name (phone)"),
    OPTION_TEXT(struct mcp_args, out, "out", 'o', "DIRECTORY", COMPLETE_FILE,
                "Where the episode is recorded (a new folder in runs/)"),
    OPTION_TEXT(struct mcp_args, steps, "steps", 0, "N", COMPLETE_NOTHING,
                "Steps that the task may take (as in the task)"),
    OPTION_CHOICE(struct mcp_args, locale, "locale", 0, "LANGUAGE", locales,
                  "The language of the task, and of a built-in phone"),
    OPTION_TEXT(struct mcp_args, seed, "seed", 0, "NUMBER", COMPLETE_NOTHING,
                "The content of a built-in phone (0)"),
    OPTION_TEXT(struct mcp_args, skin, "skin", 0, "NUMBER", COMPLETE_NOTHING,
                "Its wording and layout (0)"),
    OPTION_FLAG(
        struct mcp_args, realtime, "realtime", 0,
        "A built-in phone uses this computer's clock instead of virtual time"),
    OPTION_TEXT(struct mcp_args, http, "http", 0, "PORT", COMPLETE_NOTHING,
                "Serve over HTTP on this port of this computer, instead of "
                "standard input and output; 0 picks a free one, which is "
                "printed"),
    OPTION_TEXT(struct mcp_args, token_file, "token-file", 0, "FILE",
                COMPLETE_FILE,
                "The token for HTTP; created if it is missing (mcp-token in "
                "the folder ~/.config/proctor)"),
    OPTION_CHOICE(struct mcp_args, tools, "tools", 0, "NAMES", tool_sets,
                  "Which tools are listed: all, or own: without the names of "
                  "mobile-mcp"),
    OPTION_TEXT(struct mcp_args, guard, "guard", 0, "FILE", COMPLETE_FILE,
                "What clients may not touch on your phone, instead of the "
                "built-in list"),
    OPTION_FLAG(struct mcp_args, unguarded, "no-guard", 0,
                "Let clients touch everything on your phone"),
};

static const struct example examples[] = {
    {"proctor mcp --device phone", "A built-in phone for an MCP client."},
    {"proctor mcp -s emulator-5554 --http 8765",
     "An emulator, over HTTP on http://127.0.0.1:8765/mcp."},
    {"proctor mcp --task shop.cheapest",
     "The client does a task, and is scored."},
};

const struct command cmd_mcp = {
    .name = "mcp",
    .section = "Benchmarks",
    .summary = "Let an MCP client use a phone, or do a task",
    .description =
        "Serves the Model Context Protocol on standard input and output, or "
        "over HTTP on this computer: tools to look at a phone and to act on "
        "it. On your own phone a guard keeps clients from paying, deleting and "
        "the like.\n\nWith --task the session is an episode: it is recorded as "
        "by proctor run, limited in steps and time, and judged by the rules "
        "when the client calls finish. The episode fails when the client "
        "disconnects before.",
    COMMAND_OPTIONS(options_table),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct mcp_args),
    .run = run,
};
