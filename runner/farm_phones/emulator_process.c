#include "runner/farm_phones/emulator_process.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "adb/services/shell.h"
#include "base/mem.h"
#include "runner/farm_phones/emulator_ports.h"
#include "runner/farm_phones/sdk_emulator.h"

#define PAUSE_MS 300
#define ASK_MS 5000    /* for a phone that boots to answer */
#define KILL_MS 3000   /* for the console to take the command */
#define LEAVE_MS 8000  /* to end after that */
#define END_MS 15000   /* for the supervisor to end everything */
#define NOTICE_MS 3000 /* until its end is noticed */
#define PORTS_MS 5000  /* for the ports of a killed one to become free */
#define READ_SIZE 4096
#define ARGUMENTS_MAX (16 + SDK_EMULATOR_OPTIONS_MAX)

/*
 * The emulator reports itself to an adb server, which would then hold the only
 * connection that adbd serves: no server listens on this port.
 */
#define NO_ADB_SERVER "ANDROID_ADB_SERVER_PORT=1"

/* ---- its output ---- */

static void keep_output(struct emulator_process *process, const char *data,
                        size_t length)
{
    pthread_mutex_lock(&process->lock);
    if (process->output.length + length > EMULATOR_OUTPUT_MAX)
        buf_consume(&process->output,
                    process->output.length + length - EMULATOR_OUTPUT_MAX);
    buf_append(&process->output, data, length);
    pthread_mutex_unlock(&process->lock);
}

static void note_end(struct emulator_process *process)
{
    pthread_mutex_lock(&process->lock);
    process->ended = true;
    pthread_cond_broadcast(&process->ending);
    pthread_mutex_unlock(&process->lock);
}

/* The pipe ends with the last process that the supervisor has ended. */
static void *read_output(void *context)
{
    struct emulator_process *process = context;
    struct pollfd output = {.fd = process->child.out, .events = POLLIN};
    char data[READ_SIZE];

    for (;;) {
        ssize_t got;

        if (poll(&output, 1, -1) < 0)
            continue;
        got = read(output.fd, data, sizeof(data));
        if (got > 0)
            keep_output(process, data, (size_t)got);
        else if (got == 0 || (errno != EAGAIN && errno != EINTR))
            break;
    }
    note_end(process);
    return NULL;
}

static bool has_ended(struct emulator_process *process)
{
    bool ended;

    pthread_mutex_lock(&process->lock);
    ended = process->ended;
    pthread_mutex_unlock(&process->lock);
    return ended;
}

static bool ends_within(struct emulator_process *process, int64_t milliseconds)
{
    struct timespec until;
    bool ended;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += milliseconds / 1000;
    pthread_mutex_lock(&process->lock);
    while (!process->ended &&
           pthread_cond_timedwait(&process->ending, &process->lock, &until) !=
               ETIMEDOUT)
        continue;
    ended = process->ended;
    pthread_mutex_unlock(&process->lock);
    return ended;
}

static bool explain(struct emulator_process *process, struct err *err)
{
    pthread_mutex_lock(&process->lock);
    (void)!sdk_emulator_explain(buf_cstr(&process->output), err);
    pthread_mutex_unlock(&process->lock);
    return false;
}

/* ---- start and stop ---- */

/* words is changed, and its parts are borrowed. */
static size_t add_words(char *words, const char **arguments, size_t count)
{
    char *rest = NULL;

    for (char *word = strtok_r(words, " ", &rest);
         word && count < ARGUMENTS_MAX - 1; word = strtok_r(NULL, " ", &rest))
        arguments[count++] = word;
    return count;
}

static bool start_supervisor(struct emulator_process *process, struct err *err)
{
    static const char *const settings[] = {NO_ADB_SERVER, NULL};
    const struct emulator_process_options *options = process->options;
    char *more = mem_dup(options->arguments ? options->arguments : "");
    char port[16];
    const char *arguments[ARGUMENTS_MAX] = {options->supervisor,
                                            options->program,
                                            "-avd",
                                            options->avd,
                                            "-port",
                                            port,
                                            "-read-only",
                                            "-no-window",
                                            "-no-audio",
                                            "-no-boot-anim",
                                            "-no-snapshot-save"};
    const struct child_command command = {.arguments = arguments,
                                          .settings = settings};
    size_t count = 0;
    bool done;

    snprintf(port, sizeof(port), "%u", (unsigned)process->console);
    while (arguments[count])
        count++;
    count = add_words(more, arguments, count);
    arguments[count] = NULL;
    done = child_start(&process->child, &command, err);
    free(more);
    return done;
}

static bool start(struct emulator_process *process, struct err *err)
{
    struct deadline by = deadline_in_ms(PORTS_MS);
    int number;

    while (!emulator_ports_are_free(process->console) && !deadline_passed(by))
        poll(NULL, 0, PAUSE_MS);
    process->ended = false;
    buf_clear(&process->output);
    if (!start_supervisor(process, err))
        return err_wrap(err, "start %s", process->options->program);
    number = pthread_create(&process->reader, NULL, read_output, process);
    if (!number)
        return true;
    child_stop(&process->child);
    return err_errno(err, number, "start a thread");
}

/* Its own way to end removes its temporary files. */
static void ask_to_end(struct emulator_process *process)
{
    struct buf token = BUF_INIT(PATH_MAX);
    struct emulator console = {.console = process->console};
    struct err ignored;

    emulator_token_path(&token);
    console.token = buf_cstr(&token);
    if (!has_ended(process) &&
        emulator_kill(&console, deadline_in_ms(KILL_MS), &ignored))
        (void)ends_within(process, LEAVE_MS);
    buf_release(&token);
}

static void stop(struct emulator_process *process)
{
    if (!process->child.pid)
        return;
    ask_to_end(process);
    child_end_input(&process->child);
    (void)ends_within(process, END_MS);
    /* A reader whose pipe is kept open by a process that cannot be ended would
     * never return. */
    if (!has_ended(process))
        pthread_cancel(process->reader);
    pthread_join(process->reader, NULL);
    child_stop(&process->child);
}

/* ---- booting ---- */

bool emulator_process_connect(struct emulator_process *process,
                              struct deadline by, struct device **device,
                              struct err *err)
{
    const struct discover *discover = process->options->discover;
    const struct device_options options = {.credentials = discover->credentials,
                                           .cancel = discover->cancel,
                                           .log = discover->log,
                                           .connect_ms = ASK_MS};

    if (!process->child.pid)
        return err_set(err, ERR_LOST, "%s is switched off", process->serial);
    if (has_ended(process))
        return explain(process, err);
    return device_open_emulator(process->console, &options, by, device, err);
}

bool emulator_process_reconnect(struct emulator_process *process,
                                struct deadline by, struct device **device,
                                struct err *err)
{
    if (emulator_process_connect(process, by, device, err))
        return true;
    if (err->code == ERR_CANCELLED || !process->child.pid)
        return false;
    return ends_within(process, NOTICE_MS) ? explain(process, err) : false;
}

static bool has_booted(struct device *device)
{
    struct shell_result result;
    struct err ignored;
    bool booted;

    if (!shell_run(device, "getprop sys.boot_completed", READ_SIZE,
                   deadline_in_ms(ASK_MS), &result, &ignored))
        return false;
    booted = !strncmp(buf_cstr(&result.out), "1", 1);
    shell_result_release(&result);
    return booted;
}

static bool await_boot(struct emulator_process *process, struct device **device,
                       struct err *err)
{
    const struct cancel *cancel = process->options->discover->cancel;
    struct deadline by = deadline_in_ms(process->options->boot_ms);
    struct pollfd fired = {.fd = cancel_fd(cancel), .events = POLLIN};
    struct err why = ERR_INIT;

    for (;;) {
        struct device *found = NULL;

        if (has_ended(process))
            return explain(process, err);
        if (emulator_process_connect(
                process, deadline_sooner(by, deadline_in_ms(ASK_MS)), &found,
                &why) &&
            has_booted(found)) {
            *device = found;
            return true;
        }
        device_close(found);
        if (cancel_fired(cancel))
            return err_set(err, ERR_CANCELLED, "interrupted");
        if (deadline_passed(by))
            return err_set(err, ERR_TIMEOUT,
                           "it has not booted within %lld seconds; "
                           "PROCTOR_BOOT_SECONDS allows more",
                           (long long)(process->options->boot_ms / 1000));
        (void)poll(&fired, 1, PAUSE_MS);
    }
}

bool emulator_process_boot(struct emulator_process *process,
                           struct device **device, struct err *err)
{
    if (process->child.pid && has_ended(process))
        stop(process);
    if (!process->child.pid && !start(process, err))
        return false;
    if (await_boot(process, device, err))
        return true;
    stop(process);
    return err_wrap(err, "%s, AVD %.60s", process->serial,
                    process->options->avd);
}

/* ---- open and close ---- */

bool emulator_process_open(struct emulator_process *process,
                           const struct emulator_process_options *options,
                           struct err *err)
{
    pthread_condattr_t monotonic;

    *process = (struct emulator_process){
        .options = options,
        .ports = FILE_LOCK_INIT,
        .child = CHILD_INIT,
        .output = BUF_INIT(EMULATOR_OUTPUT_MAX),
    };
    if (!emulator_ports_take(&process->ports, &process->console, err))
        return false;
    snprintf(process->serial, sizeof(process->serial), "emulator-%u",
             (unsigned)process->console);
    pthread_mutex_init(&process->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&process->ending, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return true;
}

void emulator_process_close(struct emulator_process *process)
{
    stop(process);
    file_lock_release(&process->ports);
    buf_release(&process->output);
    pthread_cond_destroy(&process->ending);
    pthread_mutex_destroy(&process->lock);
}
