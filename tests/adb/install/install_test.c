#include "adb/install/install.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/adb/loopback_device.h"
#include "tests/support/zip_maker.h"

#define SOON deadline_in_ms(60000)

/* An APK file, and a device that is asked to install it. */
struct fixture {
    char path[32];
    size_t size;
    struct loopback_device *loop;
    struct device *device;
};

static void write_file(struct fixture *fixture, const void *data, size_t size)
{
    int fd;

    snprintf(fixture->path, sizeof(fixture->path), "/tmp/install.XXXXXX");
    fd = mkstemp(fixture->path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, size), size);
    close(fd);
    fixture->size = size;
}

static void write_large_apk(struct fixture *fixture, size_t padding)
{
    static const char *const names[] = {"AndroidManifest.xml", NULL};
    struct buf zip = BUF_INIT(padding + 4096);
    char *room = buf_reserve(&zip, padding);

    memset(room, 0, padding);
    zip.length += padding;
    zip_maker_write(&zip, names, "");
    write_file(fixture, zip.data, zip.length);
    buf_release(&zip);
}

static void write_apk(struct fixture *fixture)
{
    write_large_apk(fixture, 0);
}

static void connect_to(struct fixture *fixture,
                       const struct loopback_answer *answers, size_t count,
                       feature_set features)
{
    const struct loopback_device_options options = {
        .features = features, .answers = answers, .answer_count = count};

    fixture->device = loopback_device_phone(&options, &fixture->loop);
}

static void disconnect(struct fixture *fixture)
{
    device_close(fixture->device);
    loopback_device_stop(fixture->loop);
    unlink(fixture->path);
}

/* The service that streams the fixture's file, with these flags. */
static const char *streamed(const struct fixture *fixture, const char *flags,
                            char *service, size_t size)
{
    snprintf(service, size, "exec:cmd package 'install'%s -S %zu", flags,
             fixture->size);
    return service;
}

static bool note_progress(void *context, const char *path, uint64_t moved,
                          uint64_t total)
{
    struct fixture *fixture = context;

    assert_string_equal(path, fixture->path);
    assert_int_equal(moved, fixture->size);
    assert_int_equal(total, fixture->size);
    return true;
}

static void an_apk_is_streamed_with_its_options(void **state)
{
    const struct install_options options = {.reinstall = true, .grant = true};
    struct fixture fixture;
    char service[96];
    struct loopback_answer answer = {.bytes = "Success\n", .length = 8};
    struct err err = ERR_INIT;

    (void)state;
    write_apk(&fixture);
    answer.service = streamed(&fixture, " -r -g", service, sizeof(service));
    answer.takes = fixture.size;
    connect_to(&fixture, &answer, 1, conn_host_features);
    if (!install_apk(fixture.device, fixture.path, &options, SOON, &err))
        fail_msg("%s", err.text);
    disconnect(&fixture);
}

static void progress_names_the_local_file(void **state)
{
    struct fixture fixture;
    const struct install_options options = {.progress = note_progress,
                                            .context = &fixture};
    char service[96];
    struct loopback_answer answer = {.bytes = "Success\n", .length = 8};
    struct err err = ERR_INIT;

    (void)state;
    write_apk(&fixture);
    answer.service = streamed(&fixture, "", service, sizeof(service));
    answer.takes = fixture.size;
    connect_to(&fixture, &answer, 1, conn_host_features);
    assert_true(
        install_apk(fixture.device, fixture.path, &options, SOON, &err));
    disconnect(&fixture);
}

/* A refusal, either after everything was sent, or early with much to send. */
static void assert_refused(const char *words, size_t length, bool early,
                           const char *reason)
{
    const struct install_options options = {.reinstall = false};
    struct fixture fixture;
    char service[96];
    struct loopback_answer answer = {.bytes = words, .length = length};
    struct err err = ERR_INIT;

    write_large_apk(&fixture, early ? (size_t)4 << 20 : 0);
    answer.service = streamed(&fixture, "", service, sizeof(service));
    answer.takes = early ? 0 : fixture.size;
    connect_to(&fixture, &answer, 1, conn_host_features);
    assert_false(
        install_apk(fixture.device, fixture.path, &options, SOON, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    if (!strstr(err.text, reason))
        fail_msg("no \"%s\" in \"%s\"", reason, err.text);
    disconnect(&fixture);
}

static void reason_of_the_device_is_reported(void **state)
{
    static const char words[] = "Failure [INSTALL_FAILED_OLDER_SDK]\n";

    (void)state;
    assert_refused(words, strlen(words), false, ": INSTALL_FAILED_OLDER_SDK");
    assert_refused(words, strlen(words), true, ": INSTALL_FAILED_OLDER_SDK");
    assert_refused("", 0, false, "no answer");
}

static void old_device_gets_a_temporary_copy(void **state)
{
    const struct install_options options = {.downgrade = true, .test = true};
    struct fixture fixture;
    char remote[64];
    char install[128];
    char removal[128];
    struct loopback_answer answers[] = {
        {.service = "sync:", .bytes = "OKAY\0\0\0\0", .length = 8},
        {.service = install,
         .bytes = "\tpkg: x.apk\r\nSuccess\r\n",
         .length = 22},
        {.service = removal, .bytes = "", .length = 0},
    };
    struct err err = ERR_INIT;

    (void)state;
    write_apk(&fixture);
    snprintf(remote, sizeof(remote), "/data/local/tmp/proctor-%ld.apk",
             (long)getpid());
    snprintf(install, sizeof(install),
             "shell:( pm install -t -d %s\n); echo __proctor_status:$?",
             remote);
    snprintf(removal, sizeof(removal),
             "shell:( rm -f %s\n); echo __proctor_status:$?", remote);
    /* SEND "path,33188", one DATA, DONE: each has a header of eight bytes. */
    answers[0].takes =
        8 + strlen(remote) + strlen(",33188") + 8 + fixture.size + 8;
    connect_to(&fixture, answers, ARRAY_LEN(answers), 0);
    if (!install_apk(fixture.device, fixture.path, &options, SOON, &err))
        fail_msg("%s", err.text);
    disconnect(&fixture);
}

static void invalid_apk_is_not_sent(void **state)
{
    const struct install_options options = {.reinstall = false};
    struct fixture fixture;
    struct err err = ERR_INIT;

    (void)state;
    write_file(&fixture, "hello", 5);
    connect_to(&fixture, NULL, 0, conn_host_features);
    assert_false(
        install_apk(fixture.device, fixture.path, &options, SOON, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_non_null(strstr(err.text, "is not an APK"));
    assert_non_null(strstr(err.text, fixture.path));
    assert_false(
        install_apk(fixture.device, "/nowhere/x.apk", &options, SOON, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    disconnect(&fixture);
}

static void answers_of_the_package_manager_are_parsed(void **state)
{
    static const struct {
        const char *text;
        const char *reason; /* NULL: success */
    } cases[] = {
        {"Success\n", NULL},
        {"Success", NULL},
        {"Performing Streamed Install\r\n\tpkg: /x\r\nSuccess\r\n", NULL},
        {"Failure [INSTALL_FAILED_X: because [of] that]\n",
         "INSTALL_FAILED_X: because [of] that"},
        {"Failure\n", "Failure"},
        {"Error: no such thing\n\n", "Error: no such thing"},
        {"sh: pm: not found\n", "sh: pm: not found"},
        {"\x1b[2J\n", "?[2J"},
        {"", "the package manager gave no answer"},
        {"\n \r\n", "the package manager gave no answer"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = ERR_INIT;
        bool good =
            install_parse_answer(cases[i].text, strlen(cases[i].text), &err);

        assert_int_equal(good, !cases[i].reason);
        if (good)
            continue;
        assert_int_equal(err.code, ERR_REMOTE);
        assert_string_equal(err.text, cases[i].reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_apk_is_streamed_with_its_options),
        cmocka_unit_test(progress_names_the_local_file),
        cmocka_unit_test(reason_of_the_device_is_reported),
        cmocka_unit_test(old_device_gets_a_temporary_copy),
        cmocka_unit_test(invalid_apk_is_not_sent),
        cmocka_unit_test(answers_of_the_package_manager_are_parsed),
    };

    return cmocka_run_group_tests_name("install", tests, NULL, NULL);
}
