#include "tests/support/adb/shell_helper.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "base/mem.h"

#define SOON deadline_in_ms(60000)
#define MEGABYTE ((size_t)1 << 20)
#define OUTPUT_MAX (16 * MEGABYTE)

struct device *shell_helper_connect(uint16_t port)
{
    struct device *device = NULL;
    struct err err = ERR_INIT;

    if (!device_open_tcp("127.0.0.1", port, NULL, SOON, &device, &err))
        fail_msg("%s", err.text);
    return device;
}

void shell_helper_run(struct device *device, const char *command,
                      struct shell_result *result)
{
    struct err err = ERR_INIT;

    if (!shell_run(device, command, OUTPUT_MAX, SOON, result, &err))
        fail_msg("%s: %s", command, err.text);
}

void shell_helper_expect(struct device *device, const char *command,
                         const char *out)
{
    struct shell_result result;

    shell_helper_run(device, command, &result);
    assert_string_equal(buf_cstr(&result.out), out);
    shell_result_release(&result);
}

struct shell *shell_helper_open(struct device *device,
                                const struct shell_options *options)
{
    struct shell *shell;
    struct err err = ERR_INIT;

    if (!shell_open(device, options, SOON, &shell, &err))
        fail_msg("%s", err.text);
    return shell;
}

void shell_helper_type(struct shell *shell, const char *text)
{
    struct err err = ERR_INIT;

    if (!shell_write(shell, text, strlen(text), SOON, &err))
        fail_msg("%s", err.text);
}

int shell_helper_gather(struct shell *shell, struct buf *output)
{
    struct shell_event event = {.kind = SHELL_OUT};
    struct err err = ERR_INIT;

    while (event.kind != SHELL_EXIT) {
        if (!shell_next(shell, SOON, &event, &err))
            fail_msg("%s", err.text);
        if (event.kind == SHELL_OUT)
            buf_append(output, event.data, event.length);
    }
    return event.status;
}

char *shell_helper_bytes(size_t size)
{
    char *bytes = mem_new(size, 1);

    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i + i / 256 * 7);
    return bytes;
}

struct helper_forwarder {
    struct shell *shell;
    char *bytes;
    bool done;
};

static void *feed(void *context)
{
    struct helper_forwarder *stdin_forwarder = context;
    struct err err;

    stdin_forwarder->done =
        shell_write(stdin_forwarder->shell, stdin_forwarder->bytes, MEGABYTE,
                    SOON, &err) &&
        shell_end_input(stdin_forwarder->shell, SOON, &err);
    return NULL;
}

void shell_helper_expect_echo(struct device *device, const char *command)
{
    const struct shell_options options = {.command = command};
    struct helper_forwarder stdin_forwarder = {
        .bytes = shell_helper_bytes(MEGABYTE)};
    struct buf output = BUF_INIT(2 * MEGABYTE);
    pthread_t thread;

    stdin_forwarder.shell = shell_helper_open(device, &options);
    pthread_create(&thread, NULL, feed, &stdin_forwarder);
    assert_int_equal(shell_helper_gather(stdin_forwarder.shell, &output), 0);
    pthread_join(thread, NULL);
    assert_true(stdin_forwarder.done);
    assert_int_equal(output.length, MEGABYTE);
    assert_memory_equal(output.data, stdin_forwarder.bytes, MEGABYTE);
    shell_close(stdin_forwarder.shell);
    buf_release(&output);
    free(stdin_forwarder.bytes);
}
