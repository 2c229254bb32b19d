#include "tests/support/adb/fake_shell.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "adb/services/shell.h"
#include "adb/transport/tcp.h"
#include "base/buf.h"
#include "base/child.h"
#include "base/file.h"
#include "tests/support/adb/loopback_device.h"

#define TEXT_MAX ((size_t)1 << 20)

static void wait_for_close(struct stream *stream)
{
    char byte;
    struct err err;
    size_t got;

    while (stream_read(stream, &byte, 1, DEADLINE_NEVER, &got, &err) && got)
        ;
}

static void serve_command(void *context, const char *command,
                          struct stream *stream, struct conn *conn)
{
    struct fake_shell *shell = context;
    struct buf script = BUF_INIT(TEXT_MAX);
    struct buf output = BUF_INIT(TEXT_MAX);
    struct child child = CHILD_INIT;
    struct err err;

    (void)conn;
    atomic_fetch_add(&shell->count, 1);
    if (atomic_load(&shell->silent)) {
        wait_for_close(stream);
        return;
    }
    buf_printf(&script, "cd %s; PATH=%s:$PATH; export PATH; ", shell->folder,
               shell->folder);
    buf_text(&script, command);
    {
        const char *const arguments[] = {"/bin/sh", "-c", buf_cstr(&script),
                                         NULL};
        const struct child_command sh = {.arguments = arguments};

        if (child_start(&child, &sh, &err) &&
            child_read_all(&child, DEADLINE_NEVER, NULL, &output, &err))
            (void)!stream_write(stream, output.data, output.length,
                                DEADLINE_NEVER, &err);
    }
    (void)child_stop(&child);
    buf_release(&script);
    buf_release(&output);
}

void fake_shell_start(struct fake_shell *shell)
{
    const struct daemon_options options = {
        .banner = {.state = "device", .product = "fake", .model = "Fake"},
        .services = shell->services,
        .service_count = 2,
    };
    struct transport *host = NULL;
    struct err err = ERR_INIT;
    int ends[2];

    *shell = (struct fake_shell){
        .folder = "/tmp/proctor-fake-shell.XXXXXX",
        .services = {{"shell:", false, serve_command, shell},
                     {"exec:", false, serve_command, shell}},
    };
    assert_non_null(mkdtemp(shell->folder));
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    assert_true(
        tcp_wrap(ends[0], (struct tcp_keepalive){0}, NULL, &host, &err));
    assert_true(daemon_start(&options, &shell->daemon, &err));
    daemon_adopt(shell->daemon, ends[1]);
    shell->device = device_over_conn(loopback_device_connect(host), "fake");
}

static int remove_entry(const char *path, const struct stat *found, int kind,
                        struct FTW *where)
{
    (void)found, (void)kind, (void)where;
    return remove(path);
}

void fake_shell_stop(struct fake_shell *shell)
{
    device_close(shell->device);
    daemon_stop(shell->daemon);
    assert_int_equal(nftw(shell->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS),
                     0);
}

void fake_shell_be_silent(struct fake_shell *shell, bool silent)
{
    atomic_store(&shell->silent, silent);
}

int fake_shell_count(struct fake_shell *shell)
{
    return atomic_load(&shell->count);
}

void fake_shell_write(const struct fake_shell *shell, const char *name,
                      const char *text)
{
    char path[256];
    struct err err = ERR_INIT;

    snprintf(path, sizeof(path), "%s/%s", shell->folder, name);
    if (!file_save(path, 0600, text, strlen(text), &err))
        fail_msg("%s", err.text);
}

void fake_shell_add(const struct fake_shell *shell, const char *name,
                    const char *script)
{
    char path[256];
    struct buf text = BUF_INIT(TEXT_MAX);

    buf_printf(&text, "#!/bin/sh\n%s\n", script);
    fake_shell_write(shell, name, buf_cstr(&text));
    buf_release(&text);
    snprintf(path, sizeof(path), "%s/%s", shell->folder, name);
    assert_int_equal(chmod(path, 0700), 0);
}

const char *fake_shell_read(const struct fake_shell *shell, const char *name)
{
    static char content[65536];
    char path[256];
    struct buf text = BUF_INIT(sizeof(content) - 1);
    struct err err = ERR_INIT;

    snprintf(path, sizeof(path), "%s/%s", shell->folder, name);
    content[0] = '\0';
    if (file_load(path, &text, &err))
        snprintf(content, sizeof(content), "%s", buf_cstr(&text));
    buf_release(&text);
    return content;
}
