/* install and uninstall. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/services/shell.h"
#include "adb/sync/sync.h"
#include "tools/adb_cli/adb_cli.h"
#include "tools/adb_cli/package_command.h"

static int print_answer(const char *path, const struct buf *answer)
{
    if (package_command_succeeded(answer)) {
        fputs(buf_cstr(answer), stdout);
        return 0;
    }
    fflush(stdout);
    fprintf(stderr, "adb: failed to install %s: %s", path, buf_cstr(answer));
    return 1;
}

/* ---- install ---- */

static int install_streamed(struct adb_cli *cli, int argc, char **argv,
                            const char *path)
{
    struct buf command = BUF_INIT(ADB_CLI_COMMAND_MAX);
    struct buf answer = BUF_INIT(PACKAGE_ANSWER_MAX);
    unsigned long long size;
    struct err err = ERR_INIT;
    int code;
    int fd;

    printf("Performing Streamed Install\n");
    if (!package_file_is(path))
        return adb_cli_fail("filename doesn't end .apk or .apex: %s", path);
    if (!package_file_open(path, &fd, &size))
        return 1;
    buf_text(&command, "cmd package 'install'");
    package_options_put(&command, argc, argv);
    buf_printf(&command, " -S %llu", size);
    if (package_file_ends_with(path, ".apex"))
        buf_text(&command, " --apex");
    if (package_command_run(cli, &command, fd, &answer, &err))
        code = print_answer(path, &answer);
    else
        code = adb_cli_fail("connect error for write: %s",
                            adb_cli_reason(cli, &err));
    close(fd);
    buf_release(&command);
    buf_release(&answer);
    return code;
}

static bool push_package(struct device *device, const char *path,
                         const char *remote)
{
    const struct sync_options options = {.compression = SYNC_ANY};
    struct sync *sync = NULL;
    unsigned long long size;
    struct err err = ERR_INIT;
    bool done;
    int fd;

    if (!package_file_open(path, &fd, &size))
        return false;
    done = sync_open(device, &options, DEADLINE_NEVER, &sync, &err) &&
           sync_send(sync, fd, remote, S_IFREG | 0644, 0, size, DEADLINE_NEVER,
                     &err);
    if (!done)
        adb_cli_fail("%s", err.text);
    sync_close(sync);
    close(fd);
    return done;
}

/* For phones without "cmd": copy the file, install it, and remove it. */
static int install_pushed(struct adb_cli *cli, struct device *device, int argc,
                          char **argv, const char *path)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    struct buf command = BUF_INIT(ADB_CLI_COMMAND_MAX);
    struct buf remote = BUF_INIT(8192);
    int code = 1;

    printf("Performing Push Install\n");
    buf_printf(&remote, "/data/local/tmp/%s", name);
    if (push_package(device, path, buf_cstr(&remote))) {
        buf_text(&command, "pm 'install'");
        package_options_put(&command, argc, argv);
        buf_byte(&command, ' ');
        shell_quote(&command, buf_cstr(&remote));
        code = adb_cli_shell(cli, buf_cstr(&command));
        buf_clear(&command);
        buf_text(&command, "rm -f ");
        shell_quote(&command, buf_cstr(&remote));
        (void)adb_cli_shell(cli, buf_cstr(&command));
    }
    buf_release(&command);
    buf_release(&remote);
    return code;
}

static int run_install(struct adb_cli *cli, int argc, char **argv)
{
    struct device *device = NULL;
    const char *path = argv[argc - 1];
    struct err err = ERR_INIT;
    bool streams;
    int code;

    if (argc < 2)
        return adb_cli_fail("install requires an argument");
    if (package_options_have(argc, argv, "--incremental"))
        return adb_cli_fail("Device doesn't support incremental installations");
    for (int i = 1; i < argc; i++) {
        if (package_file_is(argv[i]))
            path = argv[i];
    }
    if (!adb_cli_device(cli, &device, &err))
        return adb_cli_fail("%s", adb_cli_reason(cli, &err));
    streams = device_has(device, FEATURE_CMD) &&
              !package_options_have(argc, argv, "--no-streaming");
    code = streams ? install_streamed(cli, argc, argv, path)
                   : install_pushed(cli, device, argc, argv, path);
    device_close(device);
    return code;
}

/* ---- uninstall ---- */

static int run_uninstall(struct adb_cli *cli, int argc, char **argv)
{
    struct buf command = BUF_INIT(ADB_CLI_COMMAND_MAX);
    struct device *device = NULL;
    struct err err = ERR_INIT;
    int code;

    if (argc < 2)
        return adb_cli_fail("uninstall requires an argument");
    if (package_options_have(argc, argv, "-k")) {
        printf("The -k option uninstalls the application while retaining the "
               "data/cache.\n"
               "At the moment, there is no way to remove the remaining data.\n"
               "You will have to reinstall the application with the same "
               "signature, and fully uninstall it.\n"
               "If you truly wish to continue, execute 'adb shell cmd package "
               "uninstall -k'.\n");
        return 1;
    }
    if (!adb_cli_device(cli, &device, &err))
        return adb_cli_fail("%s", adb_cli_reason(cli, &err));
    buf_text(&command,
             device_has(device, FEATURE_CMD) ? "cmd package " : "pm ");
    adb_cli_join(&command, argc, argv, true);
    device_close(device);
    code = adb_cli_shell(cli, buf_cstr(&command));
    buf_release(&command);
    return code;
}

const struct adb_cli_command adb_cli_install_commands[] = {
    {"install", run_install},
    {"uninstall", run_uninstall},
    {NULL, NULL},
};
