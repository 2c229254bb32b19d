/* Recordings that stay on their worker, and the server that offers them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "runner/store/store_client.h"
#include "tests/support/scratch_folder.h"
#include "tools/farm_queue/farm_store.h"
#include "tools/http_server/http_server.h"

static bool opens(const char *where, struct err *err)
{
    const struct farm_store_options options = {.run = "r", .where = where};
    struct farm_store *store = NULL;
    bool done = farm_store_open(&options, &store, err);

    farm_store_close(store);
    return done;
}

static void a_place_names_one_folder(void **state)
{
    static const char *const others[] = {
        "worker:",    "worker:/",    "worker:/.",   "worker:/..",
        "worker:/.a", "worker:/a/b", "worker:name", "worker:/a b"};
    struct err err = ERR_INIT;

    (void)state;
    assert_true(opens("worker:/20261119-gold.2_x", &err));
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        err = (struct err)ERR_INIT;
        assert_false(opens(others[i], &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
}

static void a_refused_recording_is_removed(void **state)
{
    const struct farm_store_options options = {
        .run = "r", .where = "worker:/r", .local = "local"};
    const struct farm_recording recording = {.worker = 3, .task = "clock"};
    struct farm_store *store;
    struct buf folder = BUF_INIT(1000);
    struct buf file = BUF_INIT(1000);
    struct err err = ERR_INIT;

    (void)state;
    assert_true(farm_store_open(&options, &store, &err));
    farm_store_name_recorded("local", &recording, &folder);
    assert_true(file_make_folder(buf_cstr(&folder), 0777, &err));
    buf_printf(&file, "%s/events.jsonl", buf_cstr(&folder));
    assert_true(file_save(buf_cstr(&file), 0666, "{}\n", 3, &err));
    assert_true(store->ops->stage(store, &recording, &err));
    buf_clear(&file);
    buf_printf(&file, "%s.zip", buf_cstr(&folder));
    assert_int_equal(access(buf_cstr(&file), F_OK), 0);
    store->ops->discard(store, &recording);
    assert_int_not_equal(access(buf_cstr(&file), F_OK), 0);
    assert_int_not_equal(access(buf_cstr(&folder), F_OK), 0);
    farm_store_close(store);
    buf_release(&folder);
    buf_release(&file);
}

static bool serves(const char *address, const char *url, struct err *err)
{
    const struct recording_server_options options = {
        .folder = "served", .address = address, .url = url};
    struct recording_server *server = NULL;
    bool done = recording_server_start(&options, &server, err);

    recording_server_stop(server);
    return done;
}

static void addresses_say_how_a_worker_is_reached(void **state)
{
    static const char *const all[] = {"0.0.0.0", "::"};
    struct err err = ERR_INIT;

    (void)state;
    assert_true(serves("127.0.0.1", NULL, &err));
    assert_true(serves("127.0.0.1", "https://desk1:8443", &err));
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        assert_false(serves(all[i], NULL, &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_non_null(strstr(err.text, "--serve-url"));
    }
}

static void an_empty_secret_signs_nothing(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_true(file_save("served/.secret", 0600, "", 0, &err));
    assert_false(serves("127.0.0.1", NULL, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_non_null(strstr(err.text, "served/.secret"));
}

/* ---- readers ---- */

#define ARCHIVE_SIZE ((size_t)3 << 20)

static void an_archive_is_fetched_as_it_is(void **state)
{
    const struct recording_server_options options = {.folder = "kept",
                                                     .address = "127.0.0.1"};
    const struct store_options once = {.tries = 1};
    struct recording_server *server;
    struct store_client *client;
    struct buf archive = BUF_INIT(ARCHIVE_SIZE);
    struct buf fetched = BUF_INIT(ARCHIVE_SIZE);
    struct buf url = BUF_INIT(1000);
    struct err err = ERR_INIT;

    (void)state;
    while (archive.length < ARCHIVE_SIZE)
        buf_byte(&archive, (char)(archive.length % 251));
    assert_true(recording_server_start(&options, &server, &err));
    assert_true(store_client_open(&once, &client, &err));
    assert_true(
        file_save("kept/0.zip", 0666, archive.data, archive.length, &err));
    recording_server_locate(server, "kept/0.zip", &url);
    if (!store_client_fetch(client, buf_cstr(&url), "fetched.zip", &err))
        fail_msg("%s", err.text);
    assert_true(file_load("fetched.zip", &fetched, &err));
    assert_int_equal(fetched.length, archive.length);
    assert_memory_equal(fetched.data, archive.data, archive.length);
    assert_int_equal(unlink("kept/0.zip"), 0);
    assert_false(
        store_client_fetch(client, buf_cstr(&url), "fetched.zip", &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    store_client_close(client);
    recording_server_stop(server);
    buf_release(&archive);
    buf_release(&fetched);
    buf_release(&url);
}

#define LONG_BODY ((size_t)17 << 20)

/* "/wordy": with more than a reader takes. */
static void refuse(void *context, const struct http_request *request)
{
    struct http_server **server = context;
    struct http_answer answer = {
        .status = 401, .type = "text/html", .body = BUF_INIT(LONG_BODY)};

    if (!strcmp(request->path, "/wordy")) {
        memset(buf_reserve(&answer.body, LONG_BODY), 'x', LONG_BODY);
        buf_commit(&answer.body, LONG_BODY);
        answer.status = 503;
    }
    http_server_answer(*server, request->id, &answer);
}

static void a_server_that_refuses_ends_a_fetch(void **state)
{
    struct http_server *server;
    const struct http_server_options http = {.handle = refuse,
                                             .context = &server};
    const struct store_options options = {.tries = 2};
    struct store_client *client;
    char url[64];
    struct err err = ERR_INIT;

    (void)state;
    assert_true(http_server_open(&http, &server, &err));
    assert_true(http_server_start(server, &err));
    assert_true(store_client_open(&options, &client, &err));
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/locked",
             (unsigned)http_server_port(server));
    assert_false(store_client_fetch(client, url, "fetched.zip", &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(err.text, "401"));
    assert_null(strstr(err.text, "AWS_"));
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/wordy",
             (unsigned)http_server_port(server));
    assert_false(store_client_fetch(client, url, "fetched.zip", &err));
    assert_int_equal(err.code, ERR_LIMIT);
    store_client_close(client);
    http_server_close(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_names_one_folder),
        cmocka_unit_test(a_refused_recording_is_removed),
        cmocka_unit_test(addresses_say_how_a_worker_is_reached),
        cmocka_unit_test(an_empty_secret_signs_nothing),
        cmocka_unit_test(an_archive_is_fetched_as_it_is),
        cmocka_unit_test(a_server_that_refuses_ends_a_fetch),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
