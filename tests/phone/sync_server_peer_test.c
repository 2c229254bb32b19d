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
#include "tests/phone/file_phone.h"
#include "tests/support/chroot_adb.h"

#define REMOTE "/data/local/tmp"
#define LARGE ((size_t)3 << 20)
#define LIMIT ((uint64_t)16 << 20)

typedef void adb_fn(const char *arguments, struct buf *output);

/* An adb that is connected, and the folder that both of us see. */
struct visit {
    adb_fn *adb;
    const char *seen; /* what the folder is called there */
    char *folder;     /* owned; and here */
    struct file_phone phone;
    uint16_t port;
};

PRINTF_LIKE(3, 4)
static void adb(struct visit *visit, const char *expected, const char *fmt, ...)
{
    struct buf output = BUF_INIT(1 << 20);
    char arguments[400];
    char command[300];
    va_list values;

    va_start(values, fmt);
    vsnprintf(command, sizeof(command), fmt, values);
    va_end(values);
    snprintf(arguments, sizeof(arguments), "-s 127.0.0.1:%u %s",
             (unsigned)visit->port, command);
    visit->adb(arguments, &output);
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

static struct visit *start(adb_fn *run, bool in_chroot)
{
    const struct files_limits limits = {.bytes = LIMIT};
    const char *root = getenv("PROCTOR_PEER_ROOT");
    struct visit *visit = mem_new(1, sizeof(*visit));
    struct err err;

    if (!root)
        fail_msg("there is no peer: run this with tests/peers/with-adbd");
    visit->adb = run;
    visit->folder = join(root, in_chroot ? "data/new" : "data/old");
    visit->seen = in_chroot ? "/data/new" : visit->folder;
    assert_true(mkdir(visit->folder, 0755) == 0 || errno == EEXIST);
    file_phone_start(&visit->phone, &limits, FILE_PHONE_FEATURES);
    assert_true(
        daemon_listen(visit->phone.daemon, "127.0.0.1", 0, &visit->port, &err));
    adb(visit, "connected", "connect 127.0.0.1:%u", (unsigned)visit->port);
    adb(visit, "", "wait-for-device");
    return visit;
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
    struct visit *visit = *state;

    adb(visit, "", "disconnect 127.0.0.1:%u", (unsigned)visit->port);
    file_phone_stop(&visit->phone);
    free(visit->folder);
    free(visit);
    return 0;
}

/* A file in the folder, which is text as long as it should be. */
static void make_file(struct visit *visit, const char *name, size_t size)
{
    char *path = join(visit->folder, name);
    char *data = mem_new(size + 1, 1);
    struct err err;

    for (size_t i = 0; i < size; i++)
        data[i] = (char)('a' + i % 7 * (i / 1000 % 3));
    if (!file_save(path, 0640, data, size, &err))
        fail_msg("%s", err.text);
    free(data);
    free(path);
}

static void expect_equal(struct visit *visit, const char *one,
                         const char *other)
{
    struct buf contents[2] = {BUF_INIT(LIMIT), BUF_INIT(LIMIT)};
    const char *names[] = {one, other};
    struct err err;

    for (int i = 0; i < 2; i++) {
        char *path = join(visit->folder, names[i]);

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

static void there_and_back(struct visit *visit, size_t size, const char *flags)
{
    make_file(visit, "sent", size);
    adb(visit, "1 file pushed", "push %s %s/sent " REMOTE "/f", flags,
        visit->seen);
    adb(visit, "1 file pulled", "pull %s " REMOTE "/f %s/back", flags,
        visit->seen);
    expect_equal(visit, "sent", "back");
}

static void adb_gets_back_what_it_pushed(void **state)
{
    static const size_t sizes[] = {0, 1, 65536, 65537, LARGE};

    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        there_and_back(*state, sizes[i], "");
}

static void adb_compresses_in_every_way(void **state)
{
    there_and_back(*state, LARGE, "-z brotli");
    there_and_back(*state, LARGE, "-z lz4");
    there_and_back(*state, LARGE, "-z zstd");
    there_and_back(*state, LARGE, "-Z");
}

static void adb_runs_dry(void **state)
{
    struct visit *visit = *state;
    struct files_stat stat;
    int number;

    make_file(visit, "dry", 1000);
    adb(visit, "pushed", "push -n %s/dry " REMOTE "/dry", visit->seen);
    assert_false(
        files_stat(visit->phone.shell, REMOTE "/dry", false, &stat, &number));
}

static void make_tree(struct visit *visit, const char *root)
{
    char name[100];
    char *path = join(visit->folder, root);

    assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
    free(path);
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof(name), "%s/%d", root, i);
        path = join(visit->folder, name);
        assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
        free(path);
    }
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof(name), "%s/%d/f%d", root, i % 10, i);
        make_file(visit, name, (size_t)i);
    }
}

static void adb_gets_back_the_tree_it_pushed(void **state)
{
    struct visit *visit = *state;

    make_tree(visit, "tree");
    adb(visit, "100 files pushed", "push %s/tree " REMOTE "/", visit->seen);
    adb(visit, "100 files pulled", "pull " REMOTE "/tree %s/returned",
        visit->seen);
    for (int i = 0; i < 100; i++) {
        char sent[64];
        char back[64];

        snprintf(sent, sizeof(sent), "tree/%d/f%d", i % 10, i);
        snprintf(back, sizeof(back), "returned/%d/f%d", i % 10, i);
        expect_equal(visit, sent, back);
    }
}

static void adb_pushes_what_changed_only(void **state)
{
    struct visit *visit = *state;

    make_tree(visit, "synced");
    adb(visit, "100 files pushed", "push --sync %s/synced " REMOTE "/",
        visit->seen);
    make_file(visit, "synced/3/f3", 33);
    adb(visit, "1 file pushed, 99 skipped", "push --sync %s/synced " REMOTE "/",
        visit->seen);
}

static void adb_tells_what_the_phone_refuses(void **state)
{
    struct visit *visit = *state;
    struct files_stat stat;
    int number;

    make_file(visit, "f", 100);
    make_file(visit, "large", LIMIT + (1 << 20));
    adb(visit, "couldn't create file: Read-only file system",
        "push %s/f /system/f", visit->seen);
    adb(visit, "secure_mkdirs failed: Permission denied",
        "push %s/f /data/app/f/f", visit->seen);
    adb(visit, "write failed: No space left on device",
        "push %s/large " REMOTE "/large", visit->seen);
    assert_false(
        files_stat(visit->phone.shell, REMOTE "/large", false, &stat, &number));
    adb(visit, "No such file or directory", "pull /sdcard/none %s/none",
        visit->seen);
    adb(visit, "open failed: Permission denied",
        "pull /system/build.prop %s/none", visit->seen);
    there_and_back(visit, 100, "");
}

static void adb_lists(void **state)
{
    struct visit *visit = *state;

    adb(visit, " Download\n", "ls /sdcard/");
    adb(visit, " primary\n", "ls /storage/self");
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
        NEW_ADB(adb_runs_dry),
        OLD_ADB(adb_gets_back_the_tree_it_pushed),
        NEW_ADB(adb_gets_back_the_tree_it_pushed),
        OLD_ADB(adb_pushes_what_changed_only),
        NEW_ADB(adb_pushes_what_changed_only),
        OLD_ADB(adb_tells_what_the_phone_refuses),
        NEW_ADB(adb_tells_what_the_phone_refuses),
        OLD_ADB(adb_lists),
        NEW_ADB(adb_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
