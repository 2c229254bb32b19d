/* The phone's side of sync against our host's side. */
#include "tools/phone/sync_server.h"

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/sync.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/mem.h"
#include "tests/phone/file_phone.h"

#define REMOTE "/data/local/tmp"
#define MTIME INT64_C(1600000000)

struct talk {
    struct file_phone phone;
    struct device *host;
    struct sync *sync;
};

static struct deadline soon(void)
{
    return deadline_in_ms(60000);
}

static void assert_ok(bool done, const struct err *err)
{
    if (!done)
        fail_msg("%s: %s", err_code_name(err->code), err->text);
}

/* It must have failed, in these words of the phone's. */
static void assert_says(bool done, const struct err *err, const char *words)
{
    if (done)
        fail_msg("it should have failed: %s", words);
    if (!strstr(err->text, words))
        fail_msg("%s: %s", err_code_name(err->code), err->text);
}

static void open_session(struct talk *talk, enum sync_compression compression)
{
    const struct sync_options options = {.compression = compression};
    struct err err;

    sync_close(talk->sync);
    assert_ok(sync_open(talk->host, &options, soon(), &talk->sync, &err), &err);
}

static struct talk *start(const struct files_limits *limits,
                          feature_set features)
{
    struct talk *talk = mem_new(1, sizeof(*talk));

    file_phone_start(&talk->phone, limits, features);
    talk->host = file_phone_connect(&talk->phone);
    open_session(talk, SYNC_ANY);
    return talk;
}

static void stop(struct talk *talk)
{
    sync_close(talk->sync);
    device_close(talk->host);
    file_phone_stop(&talk->phone);
    free(talk);
}

static int set_up(void **state)
{
    *state = start(NULL, FILE_PHONE_FEATURES);
    return 0;
}

/* A phone of old: nothing but version 1. */
static int set_up_old(void **state)
{
    *state = start(NULL, 0);
    return 0;
}

static int tear_down(void **state)
{
    stop(*state);
    return 0;
}

/* A file of ours: bytes that compress a little. */
static int make_file(size_t size)
{
    int fd = memfd_create("file", MFD_CLOEXEC);
    uint8_t *data = mem_new(size + 1, 1);
    uint32_t random = (uint32_t)size + 1;
    struct err err;

    for (size_t i = 0; i < size; i++) {
        random = random * 1664525 + 1013904223;
        data[i] = (uint8_t)(random >> 28);
    }
    assert_true(fd >= 0);
    assert_ok(file_write(fd, data, size, &err), &err);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    free(data);
    return fd;
}

static bool are_equal(int one, int other)
{
    off_t size = lseek(one, 0, SEEK_END);
    char *data[2];
    bool equal;

    if (lseek(other, 0, SEEK_END) != size)
        return false;
    data[0] = mem_new((size_t)size + 1, 1);
    data[1] = mem_new((size_t)size + 1, 1);
    equal = pread(one, data[0], (size_t)size, 0) == size &&
            pread(other, data[1], (size_t)size, 0) == size &&
            !memcmp(data[0], data[1], (size_t)size);
    free(data[0]);
    free(data[1]);
    return equal;
}

static bool send_file(struct talk *talk, const char *path, size_t size,
                      struct err *err)
{
    int fd = make_file(size);
    bool sent = sync_send(talk->sync, fd, path, S_IFREG | 0640, MTIME, size,
                          soon(), err);

    close(fd);
    return sent;
}

static bool receive_nothing(struct talk *talk, const char *path,
                            struct err *err)
{
    int fd = memfd_create("nothing", MFD_CLOEXEC);
    bool received = sync_receive(talk->sync, path, fd, 0, soon(), err);

    close(fd);
    return received;
}

static void there_and_back(struct talk *talk, size_t size)
{
    int sent = make_file(size);
    int got = memfd_create("got", MFD_CLOEXEC);
    struct err err;

    assert_ok(sync_send(talk->sync, sent, REMOTE "/f", S_IFREG | 0640, MTIME,
                        size, soon(), &err),
              &err);
    assert_ok(sync_receive(talk->sync, REMOTE "/f", got, size, soon(), &err),
              &err);
    if (!are_equal(sent, got))
        fail_msg("%zu bytes came back changed", size);
    close(sent);
    close(got);
}

static const size_t sizes[] = {
    0,     1,      511,    512,           513,     65535,         65536,
    65537, 131072, 262143, (1 << 20) - 1, 1 << 20, (1 << 20) + 1,
};

static void files_of_all_sizes_come_back_as_they_went(void **state)
{
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        there_and_back(*state, sizes[i]);
}

static void every_compression_works_both_ways(void **state)
{
    static const enum sync_compression ways[] = {SYNC_NONE, SYNC_BROTLI,
                                                 SYNC_LZ4, SYNC_ZSTD};

    for (size_t way = 0; way < ARRAY_LEN(ways); way++) {
        open_session(*state, ways[way]);
        for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
            there_and_back(*state, sizes[i]);
    }
}

static void a_pushed_file_has_its_mode_time_and_owner(void **state)
{
    struct talk *talk = *state;
    struct sync_stat stat;
    struct err err;

    assert_ok(send_file(talk, REMOTE "/new/deep/f", 3, &err), &err);
    assert_ok(
        sync_stat(talk->sync, REMOTE "/new/deep/f", false, soon(), &stat, &err),
        &err);
    /* What the owner may, everybody may: adbd has it so. */
    assert_int_equal(stat.mode, S_IFREG | 0666);
    assert_int_equal(stat.size, 3);
    assert_true(stat.mtime == MTIME);
    assert_ok(sync_stat(talk->sync, REMOTE "/new", false, soon(), &stat, &err),
              &err);
    assert_int_equal(stat.mode, S_IFDIR | 0775);
}

static void facts_tell_of_links_and_of_what_is_not_there(void **state)
{
    struct talk *talk = *state;
    struct sync_stat stat;
    struct err err;

    assert_ok(sync_stat(talk->sync, "/sdcard", false, soon(), &stat, &err),
              &err);
    assert_int_equal(stat.mode, S_IFLNK | 0777);
    assert_ok(sync_stat(talk->sync, "/sdcard", true, soon(), &stat, &err),
              &err);
    assert_true(S_ISDIR(stat.mode));
    assert_ok(sync_stat(talk->sync, "/none", false, soon(), &stat, &err), &err);
    assert_int_equal(stat.mode, 0);
}

static bool count_name(void *context, const char *name,
                       const struct sync_stat *stat)
{
    struct buf *names = context;

    buf_printf(names, "%s:%o ", name, stat->mode);
    return true;
}

static void expect_list(struct talk *talk, const char *path,
                        const char *expected)
{
    struct buf names = BUF_INIT(1 << 20);
    struct err err;

    assert_ok(sync_list(talk->sync, path, count_name, &names, soon(), &err),
              &err);
    assert_string_equal(buf_cstr(&names), expected);
    buf_release(&names);
}

static void a_list_has_every_name_and_the_dots(void **state)
{
    struct talk *talk = *state;
    struct err err;

    assert_ok(send_file(talk, REMOTE "/b", 1, &err), &err);
    assert_ok(send_file(talk, REMOTE "/a", 1, &err), &err);
    expect_list(talk, REMOTE, ".:40771 ..:40751 a:100666 b:100666 ");
    expect_list(talk, "/data/data", "");
}

static void a_large_directory_is_listed_whole(void **state)
{
    struct talk *talk = *state;
    struct buf names = BUF_INIT(1 << 20);
    struct buf expected = BUF_INIT(1 << 20);
    struct err err;

    buf_text(&expected, ".:40771 ..:40751 ");
    for (int i = 0; i < 1024; i++) {
        char path[300];
        int number;

        snprintf(path, sizeof(path), REMOTE "/%04d%0200d", i, 0);
        assert_true(
            files_append(talk->phone.shell, path, "", 0, 0600, &number));
        buf_printf(&expected, "%s:100600 ", path + strlen(REMOTE "/"));
    }
    assert_ok(sync_list(talk->sync, REMOTE, count_name, &names, soon(), &err),
              &err);
    assert_string_equal(buf_cstr(&names), buf_cstr(&expected));
    buf_release(&names);
    buf_release(&expected);
}

/* ---------------------------------------------------------------- trees */

static void make_tree(const char *root)
{
    char path[200];
    struct err err;

    for (int i = 0; i < 200; i++) {
        snprintf(path, sizeof(path), "%s/%d", root, i % 10);
        assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
        snprintf(path, sizeof(path), "%s/%d/f%d", root, i % 10, i);
        assert_ok(file_save(path, 0644, path, strlen(path), &err), &err);
    }
    snprintf(path, sizeof(path), "%s/link", root);
    assert_int_equal(symlink("1/f1", path), 0);
}

static void check_tree(const char *root, const char *made)
{
    for (int i = 0; i < 200; i++) {
        struct buf content = BUF_INIT(4096);
        char expected[200];
        char path[200];
        struct err err;

        snprintf(expected, sizeof(expected), "%s/%d/f%d", made, i % 10, i);
        snprintf(path, sizeof(path), "%s/%d/f%d", root, i % 10, i);
        assert_ok(file_load(path, &content, &err), &err);
        assert_string_equal(buf_cstr(&content), expected);
        buf_release(&content);
    }
}

static int remove_one(const char *path, const struct stat *stat, int flag,
                      struct FTW *place)
{
    (void)stat, (void)flag, (void)place;
    return remove(path);
}

static void remove_tree(const char *root)
{
    assert_int_equal(nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void a_tree_comes_back_as_it_went(void **state)
{
    struct talk *talk = *state;
    char out[] = "/tmp/proctor-out-XXXXXX";
    char back[] = "/tmp/proctor-back-XXXXXX";
    struct sync_totals totals;
    struct files_stat stat;
    struct err err;
    int number;

    assert_non_null(mkdtemp(out));
    assert_non_null(mkdtemp(back));
    make_tree(out);
    assert_ok(sync_push(talk->sync, out, REMOTE "/tree", soon(), &totals, &err),
              &err);
    assert_int_equal(totals.files, 201);
    assert_true(files_stat(talk->phone.shell, REMOTE "/tree/link", false, &stat,
                           &number));
    assert_int_equal(stat.mode, S_IFLNK | 0777);
    assert_ok(
        sync_pull(talk->sync, REMOTE "/tree/.", back, soon(), &totals, &err),
        &err);
    check_tree(back, out);
    assert_int_equal(totals.files + totals.skipped, 201);
    remove_tree(out);
    remove_tree(back);
}

/* -------------------------------------------------------------- refusals */

static void refusals_have_adbds_words(void **state)
{
    static const struct {
        const char *path;
        const char *words;
    } pushes[] = {
        {"/system/f", "couldn't create file: Read-only file system"},
        {"/data/data/f", "couldn't create file: Permission denied"},
        {"/sdcard/DCIM", "couldn't create file: Is a directory"},
        {"/data/app/new/f", "secure_mkdirs failed: Permission denied"},
        {"/etc/hosts/f", "couldn't create file: Not a directory"},
    };
    static const struct {
        const char *path;
        const char *words;
    } pulls[] = {
        {"/none", "open failed: No such file or directory"},
        {"/system/build.prop", "open failed: Permission denied"},
        {"/sdcard", "read failed: Is a directory"},
    };
    struct talk *talk = *state;
    struct err err;

    for (size_t i = 0; i < ARRAY_LEN(pushes); i++)
        assert_says(send_file(talk, pushes[i].path, 1 << 20, &err), &err,
                    pushes[i].words);
    for (size_t i = 0; i < ARRAY_LEN(pulls); i++)
        assert_says(receive_nothing(talk, pulls[i].path, &err), &err,
                    pulls[i].words);
    there_and_back(talk, 100);
}

static void a_file_too_large_is_refused_and_leaves_nothing(void **state)
{
    const struct files_limits limits = {.bytes = 1 << 20};
    static const enum sync_compression ways[] = {SYNC_NONE, SYNC_BROTLI,
                                                 SYNC_LZ4, SYNC_ZSTD};
    struct talk *talk = start(&limits, FILE_PHONE_FEATURES);
    uint64_t before = files_space(talk->phone.shell).bytes_used;
    struct sync_stat stat;
    struct err err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        open_session(talk, ways[i]);
        assert_says(send_file(talk, REMOTE "/large", 8 << 20, &err), &err,
                    "write failed: No space left on device");
        assert_ok(
            sync_stat(talk->sync, REMOTE "/large", false, soon(), &stat, &err),
            &err);
        assert_int_equal(stat.mode, 0);
    }
    there_and_back(talk, 1000);
    assert_int_equal(files_space(talk->phone.shell).bytes_used, before + 1000);
    stop(talk);
}

static void a_failed_push_leaves_the_file_that_was_there(void **state)
{
    const struct files_limits limits = {.bytes = 1 << 20};
    struct talk *talk = start(&limits, FILE_PHONE_FEATURES);
    struct sync_stat stat;
    struct err err;

    (void)state;
    assert_ok(send_file(talk, REMOTE "/f", 1000, &err), &err);
    assert_says(send_file(talk, REMOTE "/f", 8 << 20, &err), &err, "No space");
    assert_ok(sync_stat(talk->sync, REMOTE "/f", false, soon(), &stat, &err),
              &err);
    assert_int_equal(stat.size, 1000);
    stop(talk);
}

/* -------------------------------------------------------------- bare wire */

/* A stream of its own, on which the test says every byte. */
struct bare {
    struct stream *stream;
    struct buf says;
};

static void bare_open(struct bare *bare, struct talk *talk)
{
    struct err err;

    *bare = (struct bare){.says = BUF_INIT(1 << 20)};
    assert_ok(
        device_open_service(talk->host, "sync:", soon(), &bare->stream, &err),
        &err);
}

static void bare_close(struct bare *bare)
{
    stream_close(bare->stream);
    buf_release(&bare->says);
}

static void bare_put(struct bare *bare, const char *id, uint32_t value)
{
    buf_append(&bare->says, id, 4);
    buf_u32le(&bare->says, value);
}

static void bare_path(struct bare *bare, const char *id, const char *path)
{
    bare_put(bare, id, (uint32_t)strlen(path));
    buf_text(&bare->says, path);
}

static void bare_say(struct bare *bare)
{
    struct err err;

    assert_ok(stream_write(bare->stream, bare->says.data, bare->says.length,
                           soon(), &err),
              &err);
    buf_clear(&bare->says);
}

/* The reply is a FAIL with these words, and the stream ends. */
static void bare_expect_fail(struct bare *bare, const char *words)
{
    struct buf reply = BUF_INIT(4096);
    struct err err;

    bare_say(bare);
    assert_ok(stream_read_all(bare->stream, soon(), &reply, &err), &err);
    assert_true(reply.length >= 8);
    assert_memory_equal(reply.data, "FAIL", 4);
    assert_string_equal(reply.data + 8, words);
    buf_release(&reply);
    bare_close(bare);
}

static void hostile_requests_end_the_stream(void **state)
{
    struct talk *talk = *state;
    struct bare bare;

    bare_open(&bare, talk);
    bare_put(&bare, "EVIL", 3);
    bare_expect_fail(&bare, "unknown command 4c495645");

    bare_open(&bare, talk);
    bare_put(&bare, "DATA", 0xffffffff);
    bare_expect_fail(&bare, "unknown command 41544144");

    bare_open(&bare, talk);
    bare_put(&bare, "STAT", 1025);
    bare_expect_fail(&bare, "path too long");

    bare_open(&bare, talk);
    bare_put(&bare, "RECV", 0xffffffff);
    bare_expect_fail(&bare, "path too long");

    bare_open(&bare, talk);
    bare_path(&bare, "SEND", REMOTE "/f");
    bare_expect_fail(&bare, "missing , in ID_SEND_V1");

    bare_open(&bare, talk);
    bare_path(&bare, "SEND", REMOTE "/f,99999999999999999999");
    bare_expect_fail(&bare, "bad mode");

    bare_open(&bare, talk);
    bare_path(&bare, "SEND", REMOTE "/f,33188");
    bare_put(&bare, "DATA", 65537);
    bare_expect_fail(&bare, "invalid data message");

    bare_open(&bare, talk);
    bare_path(&bare, "SEND", REMOTE "/l,41471");
    bare_put(&bare, "DATA", 65536);
    bare_expect_fail(&bare, "oversize data message");
}

static void hostile_flags_are_refused(void **state)
{
    struct talk *talk = *state;
    struct bare bare;

    bare_open(&bare, talk);
    bare_path(&bare, "RCV2", "/etc/hosts");
    bare_put(&bare, "RCV2", 3);
    bare_expect_fail(&bare, "multiple compression flags received: 3");

    bare_open(&bare, talk);
    bare_path(&bare, "RCV2", "/etc/hosts");
    bare_put(&bare, "RCV2", 16);
    bare_expect_fail(&bare, "unknown flags: 16");

    bare_open(&bare, talk);
    bare_path(&bare, "SND2", REMOTE "/f");
    bare_put(&bare, "SND2", 0100644);
    buf_u32le(&bare.says, 8);
    bare_expect_fail(&bare, "unknown flags: 8");
}

static void corrupt_and_cut_compression_is_refused(void **state)
{
    struct talk *talk = *state;

    for (uint32_t flag = 1; flag <= 4; flag *= 2) {
        struct bare bare;

        bare_open(&bare, talk);
        bare_path(&bare, "SND2", REMOTE "/f");
        bare_put(&bare, "SND2", 0100644);
        buf_u32le(&bare.says, flag);
        bare_path(&bare, "DATA", "\xff\xff\xff this is no frame");
        bare_put(&bare, "DONE", 0);
        bare_expect_fail(&bare, "decompress failed: I/O error");

        bare_open(&bare, talk);
        bare_path(&bare, "SND2", REMOTE "/f");
        bare_put(&bare, "SND2", 0100644);
        buf_u32le(&bare.says, flag);
        bare_put(&bare, "DONE", 0);
        bare_expect_fail(&bare, "decompress failed: I/O error");
    }
}

static void a_dry_run_changes_nothing(void **state)
{
    struct talk *talk = *state;
    struct files_stat stat;
    struct bare bare;
    uint8_t reply[8];
    struct err err;
    int number;

    bare_open(&bare, talk);
    bare_path(&bare, "SND2", REMOTE "/new/f");
    bare_put(&bare, "SND2", 0100644);
    buf_u32le(&bare.says, 0x80000000);
    bare_path(&bare, "DATA", "content");
    bare_put(&bare, "DONE", 0);
    bare_say(&bare);
    assert_ok(stream_read_exact(bare.stream, reply, 8, soon(), &err), &err);
    assert_memory_equal(reply, "OKAY\0\0\0\0", 8);
    assert_false(
        files_stat(talk->phone.shell, REMOTE "/new", false, &stat, &number));
    bare_close(&bare);
}

static void facts_of_version_2_are_whole(void **state)
{
    struct talk *talk = *state;
    struct files_stat stat;
    struct bare bare;
    uint8_t reply[72];
    struct err err;
    int number;

    assert_true(
        files_stat(talk->phone.shell, "/etc/hosts", true, &stat, &number));
    bare_open(&bare, talk);
    bare_path(&bare, "STA2", "/etc/hosts");
    bare_path(&bare, "LST2", "/nowhere");
    bare_say(&bare);
    assert_ok(stream_read_exact(bare.stream, reply, 72, soon(), &err), &err);
    assert_memory_equal(reply, "STA2\0\0\0\0", 8);
    assert_true(get_u64le(reply + 16) == stat.inode);
    assert_int_equal(get_u32le(reply + 24), stat.mode);
    assert_int_equal(get_u32le(reply + 28), 1);
    assert_true(get_u64le(reply + 40) == stat.size);
    assert_ok(stream_read_exact(bare.stream, reply, 72, soon(), &err), &err);
    assert_memory_equal(reply, "LST2", 4);
    assert_int_equal(get_u32le(reply + 4), ENOENT);
    assert_int_equal(get_u32le(reply + 24), 0);
    bare_close(&bare);
}

/* Stop in the middle of a push, and let the phone find out. */
static void a_host_that_vanishes_leaves_nothing(void **state)
{
    struct talk *talk = *state;
    uint64_t before = files_space(talk->phone.shell).bytes_used;
    struct files_stat stat;
    struct bare bare;
    int number;

    bare_open(&bare, talk);
    bare_path(&bare, "SEND", REMOTE "/half,33188");
    bare_path(&bare, "DATA", "half of it");
    bare_say(&bare);
    bare_close(&bare);
    sync_close(talk->sync);
    device_close(talk->host);
    talk->sync = NULL;
    talk->host = NULL;
    daemon_wait(talk->phone.daemon);
    assert_false(
        files_stat(talk->phone.shell, REMOTE "/half", false, &stat, &number));
    assert_int_equal(files_space(talk->phone.shell).bytes_used, before);
}

static void streams_that_stall_do_not_use_up_the_memory(void **state)
{
    struct talk *talk = *state;
    struct bare stalled[100];

    for (size_t i = 0; i < ARRAY_LEN(stalled); i++) {
        bare_open(&stalled[i], talk);
        bare_path(&stalled[i], "SEND", REMOTE "/stalled,33188");
        bare_put(&stalled[i], "DATA", 65536);
        bare_say(&stalled[i]);
    }
    there_and_back(talk, 100000);
    for (size_t i = 0; i < ARRAY_LEN(stalled); i++)
        bare_close(&stalled[i]);
}

#define NEW_PHONE(test_)                                                       \
    cmocka_unit_test_setup_teardown(test_, set_up, tear_down)
#define OLD_PHONE(test_)                                                       \
    {                                                                          \
        "old phone: " #test_, test_, set_up_old, tear_down, NULL               \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        NEW_PHONE(files_of_all_sizes_come_back_as_they_went),
        OLD_PHONE(files_of_all_sizes_come_back_as_they_went),
        NEW_PHONE(every_compression_works_both_ways),
        NEW_PHONE(a_pushed_file_has_its_mode_time_and_owner),
        OLD_PHONE(a_pushed_file_has_its_mode_time_and_owner),
        NEW_PHONE(facts_tell_of_links_and_of_what_is_not_there),
        OLD_PHONE(facts_tell_of_links_and_of_what_is_not_there),
        NEW_PHONE(a_list_has_every_name_and_the_dots),
        OLD_PHONE(a_list_has_every_name_and_the_dots),
        NEW_PHONE(a_large_directory_is_listed_whole),
        OLD_PHONE(a_large_directory_is_listed_whole),
        NEW_PHONE(a_tree_comes_back_as_it_went),
        OLD_PHONE(a_tree_comes_back_as_it_went),
        NEW_PHONE(refusals_have_adbds_words),
        OLD_PHONE(refusals_have_adbds_words),
        cmocka_unit_test(a_file_too_large_is_refused_and_leaves_nothing),
        cmocka_unit_test(a_failed_push_leaves_the_file_that_was_there),
        NEW_PHONE(hostile_requests_end_the_stream),
        NEW_PHONE(hostile_flags_are_refused),
        NEW_PHONE(corrupt_and_cut_compression_is_refused),
        NEW_PHONE(a_dry_run_changes_nothing),
        NEW_PHONE(facts_of_version_2_are_whole),
        NEW_PHONE(a_host_that_vanishes_leaves_nothing),
        NEW_PHONE(streams_that_stall_do_not_use_up_the_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
