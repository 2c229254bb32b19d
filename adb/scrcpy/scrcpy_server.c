#include "adb/scrcpy/scrcpy_server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/services/shell.h"
#include "adb/sync/sync.h"
#include "base/clean_text.h"

#define OUTPUT_MAX ((size_t)16 * 1024)

/* ---- the file on this computer ---- */

static const char *const usual_paths[] = {
    "/usr/share/scrcpy/scrcpy-server",
    "/usr/local/share/scrcpy/scrcpy-server",
};

static bool use_file(const char *candidate, struct buf *path)
{
    if (access(candidate, R_OK))
        return false;
    buf_text(path, candidate);
    return true;
}

bool scrcpy_server_find(const char *given, struct buf *path, struct err *err)
{
    const char *from_environment = getenv("SCRCPY_SERVER_PATH");

    if (!given && from_environment && *from_environment)
        given = from_environment;
    if (given) {
        if (use_file(given, path))
            return true;
        return err_errno(err, errno, "scrcpy's server file %s", given);
    }
    for (size_t i = 0; i < ARRAY_LEN(usual_paths); i++) {
        if (use_file(usual_paths[i], path))
            return true;
    }
    return err_set(err, ERR_NOT_FOUND,
                   "scrcpy's server file was not found: install scrcpy, or set "
                   "SCRCPY_SERVER_PATH (looked in %s and %s)",
                   usual_paths[0], usual_paths[1]);
}

/* ---- the file on the phone ---- */

void scrcpy_server_init(struct scrcpy_server *server, struct device *device,
                        int32_t id)
{
    *server = (struct scrcpy_server){.device = device,
                                     .output = BUF_INIT(OUTPUT_MAX)};
    snprintf(server->path, sizeof(server->path),
             "/data/local/tmp/proctor-scrcpy-%08x.jar", (unsigned)id);
}

void scrcpy_server_release(struct scrcpy_server *server)
{
    shell_close(server->shell);
    server->shell = NULL;
    buf_release(&server->output);
}

void scrcpy_server_interrupt(struct scrcpy_server *server)
{
    if (server->shell)
        shell_interrupt(server->shell);
}

static bool send_file(struct scrcpy_server *server, int fd, struct deadline by,
                      struct err *err)
{
    const struct sync_options options = {.compression = SYNC_ANY};
    struct sync *sync = NULL;
    struct stat stat;
    bool done;

    if (fstat(fd, &stat))
        return err_errno(err, errno, "reading it");
    done = sync_open(server->device, &options, by, &sync, err) &&
           sync_send(sync, fd, server->path, S_IFREG | 0644,
                     (int64_t)stat.st_mtime, (uint64_t)stat.st_size, by, err);
    sync_close(sync);
    return done;
}

bool scrcpy_server_push(struct scrcpy_server *server, const char *local,
                        struct deadline by, struct err *err)
{
    int fd = open(local, O_RDONLY | O_CLOEXEC);
    bool done;

    if (fd < 0)
        return err_errno(err, errno, "scrcpy's server file %s", local);
    done = send_file(server, fd, by, err);
    close(fd);
    return done || err_wrap(err, "copying scrcpy's server to the phone");
}

void scrcpy_server_remove(struct scrcpy_server *server, struct deadline by)
{
    struct shell_result result;
    struct err ignored = ERR_INIT;
    char command[SCRCPY_SERVER_PATH_MAX + 16];

    snprintf(command, sizeof(command), "rm -f %s", server->path);
    if (shell_run(server->device, command, OUTPUT_MAX, by, &result, &ignored))
        shell_result_release(&result);
}

/* ---- the process ---- */

static void put_start(const struct scrcpy_server *server, struct buf *command)
{
    buf_printf(command, "CLASSPATH=%s app_process / " SCRCPY_SERVER_CLASS " ",
               server->path);
}

/* The first line with a message, without the log's prefix. */
static void find_message(const struct buf *output, char *message, size_t size)
{
    const char *text = buf_cstr(output);
    const char *error = strstr(text, "ERROR: ");

    if (error)
        text = error + strlen("ERROR: ");
    text += strspn(text, "\r\n ");
    clean_text_copy(message, size, text, strcspn(text, "\r\n"));
}

static bool fail_with_output(const struct buf *output, struct err *err)
{
    char message[200];

    find_message(output, message, sizeof(message));
    return err_set(err, ERR_REMOTE, "scrcpy's server has ended%s%s",
                   *message ? ": " : " without a message", message);
}

/* The first line is the number of the Android version's API. */
static bool check_android(const char *output, struct err *err)
{
    long api = strtol(output, NULL, 10);

    if (api > 0 && api < 21)
        return err_set(err, ERR_UNSUPPORTED,
                       "scrcpy needs Android 5 or later (the phone has API "
                       "level %ld)",
                       api);
    return true;
}

static bool find_version(const struct buf *output,
                         char version[SCRCPY_VERSION_MAX], struct err *err)
{
    static const char before[] = "The server version (";
    const char *found = strstr(buf_cstr(output), before);
    size_t length;

    if (!found)
        return fail_with_output(output, err);
    found += strlen(before);
    length = strcspn(found, ")\r\n");
    clean_text_copy(version, SCRCPY_VERSION_MAX, found, length);
    return true;
}

bool scrcpy_server_ask_version(struct scrcpy_server *server, struct deadline by,
                               char version[SCRCPY_VERSION_MAX],
                               struct err *err)
{
    struct buf command = BUF_INIT(1024);
    struct shell_result result;
    bool done;

    buf_text(&command, "getprop ro.build.version.sdk; ");
    put_start(server, &command);
    buf_text(&command, "0 2>&1");
    done = shell_run(server->device, buf_cstr(&command), OUTPUT_MAX, by,
                     &result, err);
    buf_release(&command);
    if (!done)
        return err_wrap(err, "asking for the version of scrcpy's server");
    done = check_android(buf_cstr(&result.out), err) &&
           find_version(&result.out, version, err);
    shell_result_release(&result);
    return done;
}

bool scrcpy_server_start(struct scrcpy_server *server,
                         const struct scrcpy_options *options,
                         struct deadline by, struct err *err)
{
    struct buf command = BUF_INIT(1024);
    struct shell_options shell = {.status = true};
    bool done;

    put_start(server, &command);
    scrcpy_options_write(options, &command);
    buf_text(&command, " log_level=error");
    shell.command = buf_cstr(&command);
    done = shell_open(server->device, &shell, by, &server->shell, err);
    buf_release(&command);
    return done || err_wrap(err, "starting scrcpy's server");
}

static void keep_output(struct scrcpy_server *server,
                        const struct shell_event *event)
{
    if (event->kind == SHELL_EXIT)
        server->ended = true;
    else
        buf_append(&server->output, event->data, event->length);
}

bool scrcpy_server_watch(struct scrcpy_server *server, struct deadline by,
                         struct err *err)
{
    struct err waited = ERR_INIT;
    struct shell_event event;

    while (!server->ended) {
        if (shell_next(server->shell, by, &event, &waited)) {
            keep_output(server, &event);
        } else if (waited.code == ERR_CLOSED) {
            server->ended = true;
        } else if (waited.code == ERR_TIMEOUT) {
            return true;
        } else {
            *err = waited;
            return err_wrap(err, "scrcpy's server");
        }
    }
    return fail_with_output(&server->output, err);
}
