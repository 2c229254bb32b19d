/* Recordings that stay on their worker, and the server that offers them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "tests/support/scratch_folder.h"
#include "tools/farm_queue/farm_store.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_names_one_folder),
        cmocka_unit_test(addresses_say_how_a_worker_is_reached),
        cmocka_unit_test(an_empty_secret_signs_nothing),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
