#include "tests/support/shell_talk.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

#define SOON deadline_in_ms(60000)
#define MEGABYTE ((size_t)1 << 20)

struct shell *shell_talk_open(struct device *device,
                              const struct shell_options *options)
{
    struct shell *shell;
    struct err err = ERR_INIT;

    if (!shell_open(device, options, SOON, &shell, &err))
        fail_msg("%s", err.text);
    return shell;
}

void shell_talk_type(struct shell *shell, const char *text)
{
    struct err err = ERR_INIT;

    if (!shell_write(shell, text, strlen(text), SOON, &err))
        fail_msg("%s", err.text);
}

int shell_talk_gather(struct shell *shell, struct buf *output)
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

char *shell_talk_bytes(size_t size)
{
    char *bytes = mem_new(size, 1);

    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i + i / 256 * 7);
    return bytes;
}

struct feeder {
    struct shell *shell;
    char *bytes;
    bool done;
};

static void *feed(void *context)
{
    struct feeder *feeder = context;
    struct err err;

    feeder->done =
        shell_write(feeder->shell, feeder->bytes, MEGABYTE, SOON, &err) &&
        shell_end_input(feeder->shell, SOON, &err);
    return NULL;
}

void shell_talk_expect_echo(struct device *device, const char *command)
{
    const struct shell_options options = {.command = command};
    struct feeder feeder = {.bytes = shell_talk_bytes(MEGABYTE)};
    struct buf output = BUF_INIT(2 * MEGABYTE);
    pthread_t thread;

    feeder.shell = shell_talk_open(device, &options);
    pthread_create(&thread, NULL, feed, &feeder);
    assert_int_equal(shell_talk_gather(feeder.shell, &output), 0);
    pthread_join(thread, NULL);
    assert_true(feeder.done);
    assert_int_equal(output.length, MEGABYTE);
    assert_memory_equal(output.data, feeder.bytes, MEGABYTE);
    shell_close(feeder.shell);
    buf_release(&output);
    free(feeder.bytes);
}
