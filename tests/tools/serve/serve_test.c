/* The served phones and the end of the server, from inside of it. */
#include "tools/serve/serve.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/discover/known_hosts.h"
#include "base/deadline.h"
#include "base/macros.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/serve/test_serve.h"
#include "tools/serve/serve_private.h"

/* Wait until the list of phones that was sent to the page has this part. */
static void wait_for_push(struct serve *serve, const char *part)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    struct deadline by = deadline_in_ms(60000);
    bool found = false;

    while (!found) {
        assert_false(deadline_passed(by));
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&serve->lock);
        found = strstr(buf_cstr(&serve->pages->phones), part);
        pthread_mutex_unlock(&serve->lock);
    }
}

/* ---- the end ---- */

/* A job that ends late, and uses the finder until then. */
static void hurry_after_cancel(void *context)
{
    struct serve *serve = context;
    struct pollfd fired = {.fd = cancel_fd(&serve->cancel), .events = POLLIN};
    struct deadline by;

    assert_int_equal(poll(&fired, 1, -1), 1);
    by = deadline_in_ms(300);
    while (!deadline_passed(by))
        phone_finder_hurry(serve->finder);
}

static void the_finder_outlives_the_jobs(void **state)
{
    struct serve *serve =
        test_serve_start(&(struct serve_options){.search = true});

    (void)state;
    test_serve_handle(serve, "{\"id\":1,\"do\":\"pair_qr\"}");
    assert_true(thread_group_start(&serve->jobs, hurry_after_cancel, serve));
    serve_stop(serve);
}

/* ---- built-in phones ---- */

static void a_phone_stops_after_its_view_is_closed(void **state)
{
    struct serve *serve = test_serve_start(&(struct serve_options){.port = 0});
    struct served_phone *phone = test_serve_builtin(serve);
    struct err err = ERR_INIT;

    (void)state;
    assert_true(serve_ensure_view(phone, &err));
    phone->idle_since_ns = INT64_MIN / 2;
    serve_close_idle(serve);
    assert_true(phone->closing);
    serve_drop_phone(phone, "thrown away");
    /* The closer of the view, which needs the lock, still uses the phone. */
    assert_non_null(phone->builtin);
    pthread_mutex_unlock(&serve->lock);
    thread_group_wait(&serve->closers);
    assert_null(phone->builtin);
    assert_false(phone->closing);
    assert_false(phone->own);
    assert_int_equal(serve->builtin_count, 0);
    serve_stop(serve);
}

/* Without a thread for it, a phone is stopped later. */
static void a_phone_that_cannot_be_stopped_now_is_kept(void **state)
{
    struct serve *serve = test_serve_start(&(struct serve_options){.port = 0});
    struct served_phone *phone = test_serve_builtin(serve);
    size_t limit = serve->closers.limit;

    (void)state;
    serve->closers.limit = 0;
    serve_drop_phone(phone, "thrown away");
    assert_false(phone->listed);
    assert_non_null(phone->builtin);
    assert_true(phone->own);
    serve->closers.limit = limit;
    serve_close_idle(serve);
    pthread_mutex_unlock(&serve->lock);
    thread_group_wait(&serve->closers);
    assert_null(phone->builtin);
    assert_int_equal(serve->builtin_count, 0);
    serve_stop(serve);
}

static void a_phone_is_stopped_at_the_end(void **state)
{
    struct serve *serve = test_serve_start(&(struct serve_options){.port = 0});
    struct served_phone *phone = test_serve_builtin(serve);
    uint16_t port = phone_port(phone->builtin);
    struct err err = ERR_INIT;
    int fd = -1;

    (void)state;
    serve->closers.limit = 0;
    serve_drop_phone(phone, "thrown away");
    pthread_mutex_unlock(&serve->lock);
    serve_stop(serve);
    assert_false(
        tcp_connect("127.0.0.1", port, NULL, deadline_in_ms(60000), &fd, &err));
}

static void a_closing_phone_is_not_used_again(void **state)
{
    struct serve *serve = test_serve_start(&(struct serve_options){.port = 0});
    struct phone *builtin = NULL;
    struct served_phone *entry;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(
        phone_start(&(struct phone_options){.realtime = true}, &builtin, &err));
    pthread_mutex_lock(&serve->lock);
    entry = serve_enter_phone(serve, "a phone");
    entry->closing = true;
    pthread_mutex_unlock(&serve->lock);
    assert_false(serve_add_phone(serve, builtin, "a phone", &err));
    assert_int_equal(err.code, ERR_BUSY);
    pthread_mutex_lock(&serve->lock);
    entry->closing = false;
    pthread_mutex_unlock(&serve->lock);
    assert_true(serve_add_phone(serve, builtin, "a phone", &err));
    serve_stop(serve);
    phone_stop(builtin);
}

static void one_phone_alone_stays_alone(void **state)
{
    static const struct serve_options options[] = {
        {.search = false}, {.search = true, .only = "127.0.0.1:1"}};
    static const char *const adds[] = {
        "{\"do\":\"start_phone\",\"locale\":\"en\"}",
        "{\"do\":\"connect\",\"address\":\"127.0.0.1:1\"}",
        "{\"do\":\"pair\",\"address\":\"127.0.0.1:1\",\"code\":\"1\"}",
        "{\"do\":\"pair_qr\"}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        struct serve *serve = test_serve_start(&options[i]);

        wait_for_push(serve, "\"can_add\":false");
        for (size_t j = 0; j < ARRAY_LEN(adds); j++) {
            test_serve_handle(serve, adds[j]);
            assert_int_equal(serve->jobs.count, 0);
        }
        serve_stop(serve);
    }
}

/* ---- phones that are not there ---- */

#define NO_PHONE "127.0.0.1:1" /* nothing listens there */

/* The finder has found one phone, which then does not answer. With the lock. */
static struct served_phone *find_phone(struct serve *serve)
{
    const struct found_phone found = {.serial = NO_PHONE,
                                      .route = DISCOVER_DIRECT,
                                      .usable = true,
                                      .state = "ready",
                                      .battery = -1};

    serve_on_found(serve, &found, 1);
    pthread_mutex_lock(&serve->lock);
    assert_int_equal(serve->phone_count, 1);
    return serve->phones[0];
}

static void a_phone_that_is_lost_is_not_usable(void **state)
{
    struct serve *serve = test_serve_start(&(struct serve_options){.port = 0});
    struct served_phone *phone = find_phone(serve);
    struct err err = ERR_INIT;

    (void)state;
    pthread_mutex_unlock(&serve->lock);
    wait_for_push(serve, "\"usable\":true");
    pthread_mutex_lock(&serve->lock);
    assert_true(serve_ensure_view(phone, &err));
    pthread_mutex_unlock(&serve->lock);
    serve_wake(serve);
    wait_for_push(serve, "\"usable\":false");
    serve_on_found(serve, NULL, 0);
    pthread_mutex_lock(&serve->lock);
    assert_true(phone->listed);
    assert_false(phone->usable);
    pthread_mutex_unlock(&serve->lock);
    serve_stop(serve);
}

/* ---- pages without video ---- */

static enum live_rung wanted_rung(struct serve *serve)
{
    struct phone_view_status status;

    pthread_mutex_lock(&serve->lock);
    phone_view_status(serve->phones[0]->view, &status);
    pthread_mutex_unlock(&serve->lock);
    return status.wanted;
}

#define WATCH "{\"do\":\"watch\",\"phone\":\"" NO_PHONE "\",\"width\":100"
#define RUNG "{\"do\":\"rung\",\"phone\":\"" NO_PHONE "\",\"rung\":"

static void a_page_without_video_gets_pictures(void **state)
{
    struct serve *serve = test_serve_start(&(struct serve_options){.port = 0});

    (void)state;
    (void)find_phone(serve);
    pthread_mutex_unlock(&serve->lock);
    test_serve_handle(serve, WATCH "}");
    test_serve_handle(serve, RUNG "\"screenrecord\"}");
    assert_int_equal(wanted_rung(serve), LIVE_RUNG_SCREENRECORD);
    test_serve_handle(serve, WATCH ",\"video\":false}");
    test_serve_handle(serve, WATCH ",\"video\":false}");
    assert_int_equal(wanted_rung(serve), LIVE_RUNG_SCREENCAP);
    test_serve_handle(serve, RUNG "\"scrcpy\"}");
    assert_int_equal(wanted_rung(serve), LIVE_RUNG_SCREENCAP);
    test_serve_handle(serve, "{\"do\":\"unwatch\",\"watch\":2}");
    assert_int_equal(wanted_rung(serve), LIVE_RUNG_SCREENCAP);
    test_serve_handle(serve, "{\"do\":\"unwatch\",\"watch\":3}");
    assert_int_equal(wanted_rung(serve), LIVE_RUNG_SCREENRECORD);
    serve_stop(serve);
}

/* ---- lists ---- */

/* A list shows what other pages watch, and does not keep the phone locked. */
static void a_list_does_not_keep_a_phone_watched(void **state)
{
    struct serve *serve = test_serve_start(&(struct serve_options){.port = 0});
    struct served_phone *phone = find_phone(serve);

    (void)state;
    pthread_mutex_unlock(&serve->lock);
    test_serve_handle(serve, WATCH ",\"passive\":true}");
    assert_null(phone->view);
    test_serve_handle(serve, WATCH "}");
    test_serve_handle(serve, WATCH ",\"passive\":true}");
    wait_for_push(serve, "\"watched\":true");
    assert_int_equal(serve->pages->watch_count, 2);
    test_serve_handle(serve, "{\"do\":\"unwatch\",\"watch\":1}");
    wait_for_push(serve, "\"watched\":false");
    pthread_mutex_lock(&serve->lock);
    assert_non_null(phone->view);
    phone->idle_since_ns = INT64_MIN / 2;
    serve_close_idle(serve);
    assert_null(phone->view);
    assert_int_equal(serve->pages->watch_count, 0);
    pthread_mutex_unlock(&serve->lock);
    serve_stop(serve);
}

/* Remember the phone, as after "connect". */
static void remember(const char *serial)
{
    struct buf path = BUF_INIT(4096);
    struct err err = ERR_INIT;

    assert_true(known_hosts_path(&path, &err));
    if (!known_hosts_add(buf_cstr(&path), serial, &err))
        fail_msg("%s", err.text);
    buf_release(&path);
}

static void a_phone_of_another_process_is_not_opened(void **state)
{
    struct phone_lock lock = PHONE_LOCK_INIT;
    char serial[TCP_ADDRESS_MAX], holder[80];
    struct phone *phone = NULL;
    struct err err = ERR_INIT;
    struct serve *serve;

    (void)state;
    assert_true(
        phone_start(&(struct phone_options){.realtime = true}, &phone, &err));
    tcp_format_address("127.0.0.1", phone_port(phone), serial);
    remember(serial);
    assert_true(phone_lock_take(&lock, serial, &err));
    serve = test_serve_start(
        &(struct serve_options){.search = true, .only = serial});
    snprintf(holder, sizeof(holder),
             "\"holder\":\"another proctor, process %ld\"", (long)getpid());
    wait_for_push(serve, holder);
    pthread_mutex_lock(&serve->lock);
    assert_false(serve->phones[0]->usable);
    assert_string_equal(serve->phones[0]->state, "in use by another program");
    assert_string_equal(serve->phones[0]->android, "");
    pthread_mutex_unlock(&serve->lock);
    phone_lock_release(&lock);
    phone_finder_hurry(serve->finder);
    wait_for_push(serve, "\"holder\":\"\"");
    wait_for_push(serve, "\"android\":\"1");
    serve_stop(serve);
    phone_stop(phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_finder_outlives_the_jobs),
        cmocka_unit_test(a_phone_stops_after_its_view_is_closed),
        cmocka_unit_test(a_phone_that_cannot_be_stopped_now_is_kept),
        cmocka_unit_test(a_phone_is_stopped_at_the_end),
        cmocka_unit_test(a_closing_phone_is_not_used_again),
        cmocka_unit_test(one_phone_alone_stays_alone),
        cmocka_unit_test(a_phone_that_is_lost_is_not_usable),
        cmocka_unit_test(a_page_without_video_gets_pictures),
        cmocka_unit_test(a_list_does_not_keep_a_phone_watched),
        cmocka_unit_test(a_phone_of_another_process_is_not_opened),
    };

    return cmocka_run_group_tests(tests, test_serve_enter,
                                  scratch_folder_leave);
}
