#include "tools/adb_cli/package_command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/services/shell.h"
#include "base/mem.h"

#define PIECE_SIZE ((size_t)256 * 1024)

static bool send_file(struct stream *stream, int fd, struct err *err)
{
    char *data = mem_resize(NULL, PIECE_SIZE, 1);
    bool done = true;
    ssize_t got;

    while (done && (got = read(fd, data, PIECE_SIZE)) > 0)
        done = stream_write(stream, data, (size_t)got, DEADLINE_NEVER, err);
    free(data);
    return done;
}

/* Run a command, give it a file (fd may be -1), and collect its output. */
bool package_command_run(struct adb_cli *cli, const struct buf *command, int fd,
                         struct buf *answer, struct err *err)
{
    struct buf service = BUF_INIT(ADB_CLI_COMMAND_MAX);
    struct stream *stream = NULL;
    bool done;

    buf_printf(&service, "exec:%s", buf_cstr(command));
    done = adb_cli_service(cli, buf_cstr(&service), &stream, err);
    /* A manager that refuses ends early: its answer counts. */
    if (done && fd >= 0)
        (void)!send_file(stream, fd, err);
    done = done && stream_read_all(stream, DEADLINE_NEVER, answer, err);
    stream_close(stream);
    buf_release(&service);
    return done;
}

bool package_command_succeeded(const struct buf *answer)
{
    return !strncmp(buf_cstr(answer), "Success", strlen("Success"));
}

/* ---- the files on the command line ---- */

bool package_file_ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t end_length = strlen(end);

    return length >= end_length && !strcasecmp(text + length - end_length, end);
}

bool package_file_is(const char *word)
{
    return package_file_ends_with(word, ".apk") ||
           package_file_ends_with(word, ".apex") ||
           package_file_ends_with(word, ".dm") ||
           package_file_ends_with(word, ".fsverity_sig");
}

/* Options of adb itself, which the package manager does not know. */
static bool is_own_option(const char *word)
{
    static const char *const options[] = {
        "--streaming",           "--no-streaming", "--incremental",
        "--no-incremental",      "--wait",         "--fastdeploy",
        "--no-fastdeploy",       "--force-agent",  "--date-check-agent",
        "--version-check-agent", "--local-agent",
    };

    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        if (!strcmp(word, options[i]))
            return true;
    }
    return false;
}

bool package_options_have(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], word))
            return true;
    }
    return false;
}

/* Append the words of a command except files and our own options. */
void package_options_put(struct buf *command, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (package_file_is(argv[i]) || is_own_option(argv[i]))
            continue;
        buf_byte(command, ' ');
        shell_quote(command, argv[i]);
    }
}

bool package_file_open(const char *path, int *fd, unsigned long long *size)
{
    struct stat facts;

    if (stat(path, &facts)) {
        adb_cli_fail("failed to stat %s: %s", path, strerror(errno));
        return false;
    }
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0) {
        adb_cli_fail("failed to open %s: %s", path, strerror(errno));
        return false;
    }
    *size = (unsigned long long)facts.st_size;
    return true;
}
