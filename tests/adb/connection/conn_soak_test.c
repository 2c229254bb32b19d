/*
 * Many threads on one connection, each with calls that time out, are
 * interrupted or close their stream half-way, at random: none may hang, affect
 * another or see bytes of another.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "adb/connection/conn.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/loopback_device.h"

#define THREADS 8
#define SIZE_MAX_SENT 200000U
#define SOON deadline_in_ms(60000)

/* Long enough for most interactions; PROCTOR_FULL=1 runs longer. */
static int64_t soak_ms(void)
{
    const char *full = getenv("PROCTOR_FULL");

    return full && *full == '1' ? 60000 : 1500;
}

struct soaker {
    struct conn *conn;
    struct deadline until;
    unsigned seed; /* also the byte that it sends */
    size_t rounds; /* bytes that came back correctly */
    const char *wrong;
    struct err err;
    pthread_t thread;
};

/* Two of three calls have enough time. */
static struct deadline some_deadline(struct soaker *soaker)
{
    unsigned dice = (unsigned)rand_r(&soaker->seed);

    return dice % 3 ? SOON : deadline_in_ms(dice / 3 % 8);
}

/* A thread that sometimes interrupts the call of the other. */
static void *interrupt_soon(void *context)
{
    const struct timespec nap = {.tv_nsec = 1000000};

    nanosleep(&nap, NULL);
    stream_interrupt(context);
    return NULL;
}

/* Send some bytes and read them back; false if the stream cannot be used. */
static bool exchange(struct soaker *soaker, struct stream *stream, char *sent,
                     char *back)
{
    size_t size = 1 + (unsigned)rand_r(&soaker->seed) % SIZE_MAX_SENT;
    struct err *err = &soaker->err;

    memset(sent, rand_r(&soaker->seed), size);
    if (!stream_write(stream, sent, size, some_deadline(soaker), err) ||
        !stream_read_exact(stream, back, size, some_deadline(soaker), err))
        return false;
    if (memcmp(sent, back, size))
        soaker->wrong = "other bytes came back";
    soaker->rounds++;
    return true;
}

static void use_stream(struct soaker *soaker, struct stream *stream, char *sent,
                       char *back)
{
    bool interrupts = rand_r(&soaker->seed) % 4 == 0;
    pthread_t other;

    if (interrupts && pthread_create(&other, NULL, interrupt_soon, stream)) {
        soaker->wrong = "no thread";
        return;
    }
    for (int i = 0; i < 4 && !soaker->wrong; i++) {
        if (!exchange(soaker, stream, sent, back))
            break;
    }
    if (interrupts)
        pthread_join(other, NULL);
    stream_close(stream);
}

static void *soak(void *context)
{
    struct soaker *soaker = context;
    char *sent = mem_new(SIZE_MAX_SENT, 1);
    char *back = mem_new(SIZE_MAX_SENT, 1);

    while (!soaker->wrong && !deadline_passed(soaker->until)) {
        struct stream *stream;

        soaker->err.code = ERR_NONE;
        if (conn_open_stream(soaker->conn, "echo:", some_deadline(soaker),
                             &stream, &soaker->err))
            use_stream(soaker, stream, sent, back);
        if (soaker->err.code != ERR_NONE && soaker->err.code != ERR_TIMEOUT &&
            soaker->err.code != ERR_CANCELLED)
            soaker->wrong = soaker->err.text;
    }
    free(sent);
    free(back);
    return NULL;
}

static void calls_that_end_early_do_not_affect_others(void **state)
{
    struct soaker soakers[THREADS] = {0};
    struct loopback_device *device;
    struct transport *host;
    struct conn *conn;
    size_t rounds = 0;

    (void)state;
    device = loopback_device_start(NULL, &host);
    conn = loopback_device_connect(host);
    for (unsigned i = 0; i < THREADS; i++) {
        soakers[i] = (struct soaker){
            .conn = conn, .until = deadline_in_ms(soak_ms()), .seed = i + 1};
        assert_int_equal(
            pthread_create(&soakers[i].thread, NULL, soak, &soakers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(soakers[i].thread, NULL);
        if (soakers[i].wrong)
            fail_msg("%s", soakers[i].wrong);
        rounds += soakers[i].rounds;
    }
    print_message("%zu exchanges came back whole\n", rounds);
    assert_true(rounds > 0);
    assert_false(conn_is_lost(conn, NULL));
    conn_close(conn);
    loopback_device_stop(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_end_early_do_not_affect_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
