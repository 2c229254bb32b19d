/* Stock adb, 29.0.6 and 34.0.5, copies files to and from the phone. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "tests/support/adb/chroot_adb.h"
#include "tests/tools/phone/adbd/sync_phone.h"

#define REMOTE "/data/local/tmp"
#define LARGE ((size_t)3 << 20)
#define LIMIT ((uint64_t)16 << 20)

typedef void adb_fn(const char *arguments, struct buf *output);

/* A connected adb, and a folder that it shares with the test. */
struct fixture {
    adb_fn *adb;
    const char *seen; /* its path for adb */
    char *folder;     /* owned; and here */
    struct file_phone phone;
    uint16_t port;
};

PRINTF_LIKE(3, 4)
static void adb(struct fixture *fixture, const char *expected, const char *fmt,
                ...)
{
    struct buf output = BUF_INIT(1 << 20);
    char arguments[400];
    char command[300];
    va_list values;

    va_start(values, fmt);
    vsnprintf(command, sizeof(command), fmt, values);
    va_end(values);
    snprintf(arguments, sizeof(arguments), "-s 127.0.0.1:%u %s",
             (unsigned)fixture->port, command);
    fixture->adb(arguments, &output);
    if (!strstr(buf_cstr(&output), expected))
        fail_msg("adb %s: %s", arguments, buf_cstr(&output));
    buf_release(&output);
}

static char *join(const char *folder, const char *name)
{
    struct buf path = BUF_INIT(4096);
    char *joined;

    buf_printf(&path, "%s/%s", folder, name);
    joined = mem_dup(buf_cstr(&path));
    buf_release(&path);
    return joined;
}

static struct fixture *start(adb_fn *run, bool in_chroot)
{
    const struct files_limits limits = {.bytes = LIMIT};
    const char *root = getenv("PROCTOR_PEER_ROOT");
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    struct err err;

    if (!root)
        fail_msg("there is no peer: run this with tests/peers/with-adbd");
    fixture->adb = run;
    fixture->folder = join(root, in_chroot ? "data/new" : "data/old");
    fixture->seen = in_chroot ? "/data/new" : fixture->folder;
    assert_true(mkdir(fixture->folder, 0755) == 0 || errno == EEXIST);
    file_phone_start(&fixture->phone, &limits, FILE_PHONE_FEATURES);
    assert_true(daemon_listen(fixture->phone.daemon, "127.0.0.1", 0,
                              &fixture->port, &err));
    adb(fixture, "connected", "connect 127.0.0.1:%u", (unsigned)fixture->port);
    adb(fixture, "", "wait-for-device");
    return fixture;
}

static int start_old(void **state)
{
    *state = start(host_adb, false);
    return 0;
}

static int start_new(void **state)
{
    *state = start(chroot_adb, true);
    return 0;
}

static int stop(void **state)
{
    struct fixture *fixture = *state;

    adb(fixture, "", "disconnect 127.0.0.1:%u", (unsigned)fixture->port);
    file_phone_stop(&fixture->phone);
    free(fixture->folder);
    free(fixture);
    return 0;
}

/* Create a text file of that size in the folder. */
static void make_file(struct fixture *fixture, const char *name, size_t size)
{
    char *path = join(fixture->folder, name);
    char *data = mem_new(size + 1, 1);
    struct err err;

    for (size_t i = 0; i < size; i++)
        data[i] = (char)('a' + i % 7 * (i / 1000 % 3));
    if (!file_save(path, 0640, data, size, &err))
        fail_msg("%s", err.text);
    free(data);
    free(path);
}

static void expect_equal(struct fixture *fixture, const char *one,
                         const char *other)
{
    struct buf contents[2] = {BUF_INIT(LIMIT), BUF_INIT(LIMIT)};
    const char *names[] = {one, other};
    struct err err;

    for (int i = 0; i < 2; i++) {
        char *path = join(fixture->folder, names[i]);

        if (!file_load(path, &contents[i], &err))
            fail_msg("%s", err.text);
        free(path);
    }
    if (contents[0].length != contents[1].length ||
        memcmp(buf_cstr(&contents[0]), buf_cstr(&contents[1]),
               contents[0].length))
        fail_msg("%s and %s differ", one, other);
    buf_release(&contents[0]);
    buf_release(&contents[1]);
}

static void round_trip(struct fixture *fixture, size_t size, const char *flags)
{
    make_file(fixture, "sent", size);
    adb(fixture, "1 file pushed", "push %s %s/sent " REMOTE "/f", flags,
        fixture->seen);
    adb(fixture, "1 file pulled", "pull %s " REMOTE "/f %s/back", flags,
        fixture->seen);
    expect_equal(fixture, "sent", "back");
}

static void adb_gets_back_what_it_pushed(void **state)
{
    static const size_t sizes[] = {0, 1, 65536, 65537, LARGE};

    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        round_trip(*state, sizes[i], "");
}

static void adb_compresses_in_every_way(void **state)
{
    round_trip(*state, LARGE, "-z brotli");
    round_trip(*state, LARGE, "-z lz4");
    round_trip(*state, LARGE, "-z zstd");
    round_trip(*state, LARGE, "-Z");
}

static void adb_dry_run_changes_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct files_stat stat;
    int number;

    make_file(fixture, "dry", 1000);
    adb(fixture, "pushed", "push -n %s/dry " REMOTE "/dry", fixture->seen);
    assert_false(
        files_stat(fixture->phone.shell, REMOTE "/dry", false, &stat, &number));
}

static void make_tree(struct fixture *fixture, const char *root)
{
    char name[100];
    char *path = join(fixture->folder, root);

    assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
    free(path);
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof(name), "%s/%d", root, i);
        path = join(fixture->folder, name);
        assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
        free(path);
    }
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof(name), "%s/%d/f%d", root, i % 10, i);
        make_file(fixture, name, (size_t)i);
    }
}

static void adb_gets_back_the_tree_it_pushed(void **state)
{
    struct fixture *fixture = *state;

    make_tree(fixture, "tree");
    adb(fixture, "100 files pushed", "push %s/tree " REMOTE "/", fixture->seen);
    adb(fixture, "100 files pulled", "pull " REMOTE "/tree %s/returned",
        fixture->seen);
    for (int i = 0; i < 100; i++) {
        char sent[64];
        char back[64];

        snprintf(sent, sizeof(sent), "tree/%d/f%d", i % 10, i);
        snprintf(back, sizeof(back), "returned/%d/f%d", i % 10, i);
        expect_equal(fixture, sent, back);
    }
}

static void adb_pushes_what_changed_only(void **state)
{
    struct fixture *fixture = *state;

    make_tree(fixture, "synced");
    adb(fixture, "100 files pushed", "push --sync %s/synced " REMOTE "/",
        fixture->seen);
    make_file(fixture, "synced/3/f3", 33);
    adb(fixture, "1 file pushed, 99 skipped",
        "push --sync %s/synced " REMOTE "/", fixture->seen);
}

static void adb_prints_the_phones_error(void **state)
{
    struct fixture *fixture = *state;
    struct files_stat stat;
    int number;

    make_file(fixture, "f", 100);
    make_file(fixture, "large", LIMIT + (1 << 20));
    adb(fixture, "couldn't create file: Read-only file system",
        "push %s/f /system/f", fixture->seen);
    adb(fixture, "secure_mkdirs failed: Permission denied",
        "push %s/f /data/app/f/f", fixture->seen);
    adb(fixture, "write failed: No space left on device",
        "push %s/large " REMOTE "/large", fixture->seen);
    assert_false(files_stat(fixture->phone.shell, REMOTE "/large", false, &stat,
                            &number));
    adb(fixture, "No such file or directory", "pull /sdcard/none %s/none",
        fixture->seen);
    adb(fixture, "open failed: Permission denied",
        "pull /system/build.prop %s/none", fixture->seen);
    round_trip(fixture, 100, "");
}

static void adb_lists_a_directory(void **state)
{
    struct fixture *fixture = *state;

    adb(fixture, " Download\n", "ls /sdcard/");
    adb(fixture, " primary\n", "ls /storage/self");
}

#define OLD_ADB(test_)                                                         \
    {                                                                          \
        "29.0.6: " #test_, test_, start_old, stop, NULL                        \
    }
#define NEW_ADB(test_)                                                         \
    {                                                                          \
        "34.0.5: " #test_, test_, start_new, stop, NULL                        \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        OLD_ADB(adb_gets_back_what_it_pushed),
        NEW_ADB(adb_gets_back_what_it_pushed),
        NEW_ADB(adb_compresses_in_every_way),
        NEW_ADB(adb_dry_run_changes_nothing),
        OLD_ADB(adb_gets_back_the_tree_it_pushed),
        NEW_ADB(adb_gets_back_the_tree_it_pushed),
        OLD_ADB(adb_pushes_what_changed_only),
        NEW_ADB(adb_pushes_what_changed_only),
        OLD_ADB(adb_prints_the_phones_error),
        NEW_ADB(adb_prints_the_phones_error),
        OLD_ADB(adb_lists_a_directory),
        NEW_ADB(adb_lists_a_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
