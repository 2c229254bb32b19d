#include "tools/cli/serve/open_browser.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "tools/report_html/html.h"

#define PAGE_MAX 8192

#define FILE_END ".html"

/* ---- the file ---- */

/* Create a file in a folder; -1: that is not possible. */
static int create_in(const char *folder, char **file)
{
    struct buf path = BUF_INIT(PATH_MAX);
    int fd = -1;

    if (!folder || folder[0] != '/')
        return -1;
    buf_printf(&path, "%s/proctor-XXXXXX" FILE_END, folder);
    if (!path.overflow) {
        *file = mem_dup(buf_cstr(&path));
        fd = mkostemps(*file, sizeof(FILE_END) - 1, O_CLOEXEC);
        if (fd < 0) {
            free(*file);
            *file = NULL;
        }
    }
    buf_release(&path);
    return fd;
}

/* The folder that other users cannot enter, if there is one. */
static int create(char **file, struct err *err)
{
    int fd = create_in(getenv("XDG_RUNTIME_DIR"), file);

    if (fd < 0)
        fd = create_in(getenv("TMPDIR"), file);
    if (fd < 0)
        fd = create_in("/tmp", file);
    if (fd < 0)
        (void)err_errno(err, errno, "create a file for the browser");
    return fd;
}

static bool write_file(const char *url, char **file, struct err *err)
{
    struct buf html = BUF_INIT(PAGE_MAX);
    int fd = create(file, err);
    bool done;

    if (fd < 0)
        return false;
    buf_text(&html, "<!doctype html>\n<meta charset=\"utf-8\">\n"
                    "<title>proctor</title>\n"
                    "<meta http-equiv=\"refresh\" content=\"0;url=");
    html_text(&html, url);
    buf_text(&html, "\">\n");
    done = file_write(fd, html.data, html.length, err);
    close(fd);
    buf_release(&html);
    return done;
}

void browser_file_remove(char *file)
{
    if (file)
        unlink(file);
    free(file);
}

/* ---- the browser ---- */

static bool start(char *file, struct err *err)
{
    char program[] = "xdg-open";
    char *const arguments[] = {program, file, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t pid;
    int failure;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR,
                                     0);
    posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    failure =
        posix_spawnp(&pid, program, &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return !failure || err_errno(err, failure, "start xdg-open");
}

bool open_browser(const char *url, char **file, struct err *err)
{
    *file = NULL;
    if (write_file(url, file, err) && start(*file, err))
        return true;
    browser_file_remove(*file);
    *file = NULL;
    return false;
}
