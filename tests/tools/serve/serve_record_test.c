/* Recordings of served phones: their start and their end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/serve/test_serve.h"
#include "tools/serve/serve_record_private.h"

#define TIMES 4

/* A server with one phone, whose view is open. */
struct recorded_server {
    struct serve *serve;
    struct served_phone *phone;
    struct phone_view *view;
};

static void open_server(struct recorded_server *used)
{
    struct err err = ERR_INIT;

    used->serve = test_serve_start(&(struct serve_options){.port = 0});
    used->phone = test_serve_builtin(used->serve);
    if (!serve_ensure_view(used->phone, &err))
        fail_msg("%s", err.text);
    used->view = used->phone->view;
    pthread_mutex_unlock(&used->serve->lock);
}

/* What the page says about the phone. */
static void say(const struct recorded_server *used, const char *what,
                const char *more)
{
    struct buf text = BUF_INIT(4096);

    buf_printf(&text, "{\"do\":\"%s\",\"phone\":\"%s\"%s}", what,
               used->phone->serial, more);
    test_serve_handle(used->serve, buf_cstr(&text));
    buf_release(&text);
}

static void record(const struct recorded_server *used, const char *name)
{
    char more[100];

    snprintf(more, sizeof(more), ",\"recording\":\"%s\"", name);
    say(used, "record", more);
}

static bool is_recorded_as(const struct served_phone *phone, const char *name)
{
    return !strcmp(serve_record_name(phone), name);
}

static bool is_reserved(const struct served_phone *phone, const char *name)
{
    (void)name;
    return phone->recording != NULL;
}

static bool is_free(const struct served_phone *phone, const char *name)
{
    (void)name;
    return !phone->recording;
}

static bool is(const struct recorded_server *used,
               bool (*test)(const struct served_phone *phone, const char *name),
               const char *name)
{
    bool found;

    pthread_mutex_lock(&used->serve->lock);
    found = test(used->phone, name);
    pthread_mutex_unlock(&used->serve->lock);
    return found;
}

static void await(const struct recorded_server *used,
                  bool (*test)(const struct served_phone *phone,
                               const char *name),
                  const char *name)
{
    const struct deadline by = deadline_in_ms(60000);

    while (!is(used, test, name)) {
        assert_false(deadline_passed(by));
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static size_t count_entries(const struct recorded_server *used)
{
    size_t count = 0;

    pthread_mutex_lock(&used->serve->lock);
    for (const struct serve_recording *entry = used->serve->record->recordings;
         entry; entry = entry->next)
        count++;
    pthread_mutex_unlock(&used->serve->lock);
    return count;
}

/* While the start waits for a command, pages are answered. */
static void a_start_does_not_block_the_server(void **state)
{
    struct recorded_server used;

    (void)state;
    open_server(&used);
    phone_view_hold(used.view); /* as a command does */
    record(&used, "first");
    assert_true(is(&used, is_reserved, NULL));
    assert_true(is(&used, is_recorded_as, ""));
    record(&used, "second"); /* refused, and forgotten */
    assert_int_equal(count_entries(&used), 1);
    phone_view_resume(used.view);
    await(&used, is_recorded_as, "first");
    assert_int_equal(control_lease_holder(phone_view_lease(used.view), NULL),
                     CONTROL_RECORDER);
    serve_stop(used.serve);
}

static void a_page_that_is_gone_records_nothing(void **state)
{
    struct recorded_server used;

    (void)state;
    open_server(&used);
    phone_view_hold(used.view);
    record(&used, "left");
    pthread_mutex_lock(&used.serve->lock);
    serve_drop_page(used.serve, TEST_SERVE_PAGE);
    pthread_mutex_unlock(&used.serve->lock);
    phone_view_resume(used.view);
    await(&used, is_free, NULL);
    serve_stop(used.serve);
}

/* Whether the recording has begun by then or not. */
static void a_phone_that_is_thrown_away_is_not_recorded(void **state)
{
    (void)state;
    for (int i = 0; i < TIMES; i++) {
        struct recorded_server used;
        char name[32];

        open_server(&used);
        snprintf(name, sizeof(name), "thrown-away-%d", i);
        record(&used, name);
        say(&used, "stop_phone", "");
        thread_group_wait(&used.serve->closers);
        assert_true(is(&used, is_free, NULL));
        serve_stop(used.serve);
    }
}

/* The thread reads what has changed while the page and the phone go. */
static void a_recording_ends_with_its_phone_or_the_server(void **state)
{
    (void)state;
    for (int i = 0; i < TIMES; i++) {
        struct recorded_server used;
        char name[32], key[64];

        open_server(&used);
        snprintf(name, sizeof(name), "ends-%d", i);
        record(&used, name);
        await(&used, is_recorded_as, name);
        pthread_mutex_lock(&used.serve->lock);
        snprintf(key, sizeof(key), ",\"key\":\"home\",\"epoch\":%u",
                 used.phone->epoch);
        pthread_mutex_unlock(&used.serve->lock);
        say(&used, "key", key);
        if (i % 2)
            say(&used, "stop_phone", "");
        serve_stop(used.serve);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_does_not_block_the_server),
        cmocka_unit_test(a_page_that_is_gone_records_nothing),
        cmocka_unit_test(a_phone_that_is_thrown_away_is_not_recorded),
        cmocka_unit_test(a_recording_ends_with_its_phone_or_the_server),
    };

    return cmocka_run_group_tests(tests, test_serve_enter,
                                  scratch_folder_leave);
}
