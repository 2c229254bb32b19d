/* app_process as scrcpy's server, and screenrecord. */
#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "tools/phone/video/cmd_screenrecord.h"
#include "tools/phone/video/phone_video.h"
#include "tools/phone/video/scrcpy_session.h"

/* The version of a server whose file does not say it. */
#define SERVER_VERSION "3.3.4"

#define LOOK_EVERY_MS 10
#define VERSION_FILE_MAX 32

/* ---- the server's file ---- */

static const char *class_path_of(const struct command_call *call)
{
    static const char option[] = "-Djava.class.path=";
    const char *path = call_variable(call, "CLASSPATH");

    for (size_t i = 1; i < call->argc && call->argv[i][0] == '-'; i++) {
        if (!strncmp(call->argv[i], option, strlen(option)))
            path = call->argv[i] + strlen(option);
    }
    return path;
}

/* The index of the class among the arguments; 0: there is none. */
static size_t find_class(const struct command_call *call)
{
    for (size_t i = 1; i < call->argc; i++) {
        if (!strcmp(call->argv[i], SCRCPY_SERVER_CLASS))
            return i;
    }
    return 0;
}

/*
 * The file that the client has pushed as its server. Of a real server only its
 * existence is known; a text file with a version means a server of that
 * version.
 */
struct server_file {
    bool exists;
    bool has_version;
    char version[VERSION_FILE_MAX];
};

static struct server_file look_at_file(struct command_call *call,
                                       const char *class_path)
{
    struct server_file file = {.exists = false};
    char *path = class_path ? call_path(call, class_path) : NULL;
    struct shared_bytes *content;
    struct scrcpy_version version;
    struct err ignored = ERR_INIT;
    int number;

    if (path && files_open(call->files, path, &content, &number)) {
        size_t length = content->size < VERSION_FILE_MAX - 1
                            ? content->size
                            : VERSION_FILE_MAX - 1;

        if (length)
            memcpy(file.version, content->data, length);
        file.version[strcspn(file.version, "\r\n")] = '\0';
        file.exists = true;
        file.has_version =
            scrcpy_version_parse(file.version, &version, &ignored);
        shared_bytes_drop(content);
    }
    free(path);
    return file;
}

/* ---- the server ---- */

static int fail(struct command_call *call, const char *message)
{
    call_error(call, "[server] ERROR: %s\n", message);
    return 1;
}

/* A real server accepts only clients of the same version. */
static bool accepts(const struct server_file *file, const char *version)
{
    struct scrcpy_version parsed;
    struct err ignored = ERR_INIT;

    if (file->has_version)
        return !strcmp(file->version, version);
    return scrcpy_version_parse(version, &parsed, &ignored);
}

static int refuse(struct command_call *call, const struct server_file *file,
                  const char *version)
{
    const char *own = file->has_version ? file->version : SERVER_VERSION;

    call_error(call,
               "[server] ERROR: The server version (%s) does not match the "
               "client (%.32s)\n",
               own, version);
    return 1;
}

static void wake(struct phone_video *phone,
                 const struct scrcpy_options *options)
{
    if (options->power_on && options->control &&
        task_stack_is_asleep(phone->screen->task_stack))
        input_devices_key(phone->screen->devices, KEY_POWER);
}

static int run_session(struct command_call *call,
                       const struct scrcpy_options *options)
{
    struct phone_video *phone = call->context;
    struct scrcpy_session *session;
    struct err err = ERR_INIT;

    wake(phone, options);
    if (!scrcpy_session_open(phone, options, &session, &err))
        return fail(call, err.text);
    while (!scrcpy_session_has_ended(session, &err) &&
           call_wait(call, deadline_in_ms(LOOK_EVERY_MS)))
        continue;
    scrcpy_session_close(session);
    return err.code == ERR_NONE ? 0 : fail(call, err.text);
}

/* It deletes its own file when it starts: a client may push the next one. */
static void clean_up(struct command_call *call, const char *class_path)
{
    char *path = call_path(call, class_path);
    int number;

    if (path)
        (void)!files_remove(call->files, path, false, &number);
    free(path);
}

static int run_server(struct command_call *call, const char *const *arguments,
                      size_t count)
{
    const char *class_path = class_path_of(call);
    struct server_file file = look_at_file(call, class_path);
    struct scrcpy_options options;
    struct err err = ERR_INIT;

    if (!file.exists) {
        call_error(call, "Aborted \n");
        return 134; /* 128 and SIGABRT */
    }
    if (count && !accepts(&file, arguments[0]))
        return refuse(call, &file, arguments[0]);
    if (!scrcpy_options_parse(arguments, count, &options, &err))
        return fail(call, err.text);
    if (options.cleanup)
        clean_up(call, class_path);
    return run_session(call, &options);
}

static int run_app_process(struct command_call *call)
{
    size_t at = find_class(call);

    if (!at)
        return call_inherited(call);
    return run_server(call, (const char *const *)call->argv + at + 1,
                      call->argc - at - 1);
}

static const struct phone_command commands[] = {
    {"app_process", run_app_process, "[OPTION...] DIRECTORY CLASS [...]"},
    {"app_process32", run_app_process, "[OPTION...] DIRECTORY CLASS [...]"},
    {"app_process64", run_app_process, "[OPTION...] DIRECTORY CLASS [...]"},
    {"screenrecord", run_screenrecord, "[OPTION...] FILENAME"},
};

static const struct command_set video_commands = {commands,
                                                  ARRAY_LEN(commands)};

void phone_video_families(struct phone_video *video,
                          struct command_family families[PHONE_VIDEO_FAMILIES])
{
    families[0] = (struct command_family){&video_commands, video};
}
