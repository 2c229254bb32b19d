/* The phone's side of sync with invalid bytes of a host. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "tests/tools/phone/adbd/sync_client.h"

#define REMOTE SYNC_TALK_REMOTE

/* A separate stream, on which the test sends every byte. */
struct bare {
    struct stream *stream;
    struct buf says;
};

static void bare_open(struct bare *bare, struct sync_client *client)
{
    struct err err;

    *bare = (struct bare){.says = BUF_INIT(1 << 20)};
    assert_ok(device_open_service(client->host, "sync:", sync_client_deadline(),
                                  &bare->stream, &err),
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
                           sync_client_deadline(), &err),
              &err);
    buf_clear(&bare->says);
}

/* The reply is FAIL with this text, and the stream ends. */
static void bare_expect_fail(struct bare *bare, const char *words)
{
    struct buf reply = BUF_INIT(4096);
    struct err err;

    bare_say(bare);
    assert_ok(
        stream_read_all(bare->stream, sync_client_deadline(), &reply, &err),
        &err);
    assert_true(reply.length >= 8);
    assert_memory_equal(reply.data, "FAIL", 4);
    assert_string_equal(reply.data + 8, words);
    buf_release(&reply);
    bare_close(bare);
}

static void invalid_requests_end_the_stream(void **state)
{
    struct sync_client *client = *state;
    struct bare bare;

    bare_open(&bare, client);
    bare_put(&bare, "EVIL", 3);
    bare_expect_fail(&bare, "unknown command 4c495645");

    bare_open(&bare, client);
    bare_put(&bare, "DATA", 0xffffffff);
    bare_expect_fail(&bare, "unknown command 41544144");

    bare_open(&bare, client);
    bare_put(&bare, "STAT", 1025);
    bare_expect_fail(&bare, "path too long");

    bare_open(&bare, client);
    bare_put(&bare, "RECV", 0xffffffff);
    bare_expect_fail(&bare, "path too long");

    bare_open(&bare, client);
    bare_path(&bare, "SEND", REMOTE "/f");
    bare_expect_fail(&bare, "missing , in ID_SEND_V1");

    bare_open(&bare, client);
    bare_path(&bare, "SEND", REMOTE "/f,99999999999999999999");
    bare_expect_fail(&bare, "bad mode");

    bare_open(&bare, client);
    bare_path(&bare, "SEND", REMOTE "/f,33188");
    bare_put(&bare, "DATA", 65537);
    bare_expect_fail(&bare, "invalid data message");

    bare_open(&bare, client);
    bare_path(&bare, "SEND", REMOTE "/l,41471");
    bare_put(&bare, "DATA", 65536);
    bare_expect_fail(&bare, "oversize data message");
}

static void invalid_flags_are_refused(void **state)
{
    struct sync_client *client = *state;
    struct bare bare;

    bare_open(&bare, client);
    bare_path(&bare, "RCV2", "/etc/hosts");
    bare_put(&bare, "RCV2", 3);
    bare_expect_fail(&bare, "multiple compression flags received: 3");

    bare_open(&bare, client);
    bare_path(&bare, "RCV2", "/etc/hosts");
    bare_put(&bare, "RCV2", 16);
    bare_expect_fail(&bare, "unknown flags: 16");

    bare_open(&bare, client);
    bare_path(&bare, "SND2", REMOTE "/f");
    bare_put(&bare, "SND2", 0100644);
    buf_u32le(&bare.says, 8);
    bare_expect_fail(&bare, "unknown flags: 8");
}

static void corrupt_and_truncated_compression_is_refused(void **state)
{
    struct sync_client *client = *state;

    for (uint32_t flag = 1; flag <= 4; flag *= 2) {
        struct bare bare;

        bare_open(&bare, client);
        bare_path(&bare, "SND2", REMOTE "/f");
        bare_put(&bare, "SND2", 0100644);
        buf_u32le(&bare.says, flag);
        bare_path(&bare, "DATA", "\xff\xff\xff this is no frame");
        bare_put(&bare, "DONE", 0);
        bare_expect_fail(&bare, "decompress failed: I/O error");

        bare_open(&bare, client);
        bare_path(&bare, "SND2", REMOTE "/f");
        bare_put(&bare, "SND2", 0100644);
        buf_u32le(&bare.says, flag);
        bare_put(&bare, "DONE", 0);
        bare_expect_fail(&bare, "decompress failed: I/O error");
    }
}

static void a_dry_run_changes_nothing(void **state)
{
    struct sync_client *client = *state;
    struct files_stat stat;
    struct bare bare;
    uint8_t reply[8];
    struct err err;
    int number;

    bare_open(&bare, client);
    bare_path(&bare, "SND2", REMOTE "/new/f");
    bare_put(&bare, "SND2", 0100644);
    buf_u32le(&bare.says, 0x80000000);
    bare_path(&bare, "DATA", "content");
    bare_put(&bare, "DONE", 0);
    bare_say(&bare);
    assert_ok(
        stream_read_exact(bare.stream, reply, 8, sync_client_deadline(), &err),
        &err);
    assert_memory_equal(reply, "OKAY\0\0\0\0", 8);
    assert_false(
        files_stat(client->phone.shell, REMOTE "/new", false, &stat, &number));
    bare_close(&bare);
}

static void stat_v2_has_all_fields(void **state)
{
    struct sync_client *client = *state;
    struct files_stat stat;
    struct bare bare;
    uint8_t reply[72];
    struct err err;
    int number;

    assert_true(
        files_stat(client->phone.shell, "/etc/hosts", true, &stat, &number));
    bare_open(&bare, client);
    bare_path(&bare, "STA2", "/etc/hosts");
    bare_path(&bare, "LST2", "/nowhere");
    bare_say(&bare);
    assert_ok(
        stream_read_exact(bare.stream, reply, 72, sync_client_deadline(), &err),
        &err);
    assert_memory_equal(reply, "STA2\0\0\0\0", 8);
    assert_true(get_u64le(reply + 16) == stat.inode);
    assert_int_equal(get_u32le(reply + 24), stat.mode);
    assert_int_equal(get_u32le(reply + 28), 1);
    assert_true(get_u64le(reply + 40) == stat.size);
    assert_ok(
        stream_read_exact(bare.stream, reply, 72, sync_client_deadline(), &err),
        &err);
    assert_memory_equal(reply, "LST2", 4);
    assert_int_equal(get_u32le(reply + 4), ENOENT);
    assert_int_equal(get_u32le(reply + 24), 0);
    bare_close(&bare);
}

/* Stop in the middle of a push, so that the phone must notice it. */
static void lost_host_leaves_no_file(void **state)
{
    struct sync_client *client = *state;
    uint64_t before = files_space(client->phone.shell).bytes_used;
    struct files_stat stat;
    struct bare bare;
    int number;

    bare_open(&bare, client);
    bare_path(&bare, "SEND", REMOTE "/half,33188");
    bare_path(&bare, "DATA", "half of it");
    bare_say(&bare);
    bare_close(&bare);
    sync_close(client->sync);
    device_close(client->host);
    client->sync = NULL;
    client->host = NULL;
    daemon_wait(client->phone.daemon);
    assert_false(
        files_stat(client->phone.shell, REMOTE "/half", false, &stat, &number));
    assert_int_equal(files_space(client->phone.shell).bytes_used, before);
}

static void stalled_streams_do_not_use_all_memory(void **state)
{
    struct sync_client *client = *state;
    struct bare stalled[100];

    for (size_t i = 0; i < ARRAY_LEN(stalled); i++) {
        bare_open(&stalled[i], client);
        bare_path(&stalled[i], "SEND", REMOTE "/stalled,33188");
        bare_put(&stalled[i], "DATA", 65536);
        bare_say(&stalled[i]);
    }
    sync_client_round_trip(client, 100000);
    for (size_t i = 0; i < ARRAY_LEN(stalled); i++)
        bare_close(&stalled[i]);
}

#define WITH_TALK(test_)                                                       \
    cmocka_unit_test_setup_teardown(test_, sync_client_set_up,                 \
                                    sync_client_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TALK(invalid_requests_end_the_stream),
        WITH_TALK(invalid_flags_are_refused),
        WITH_TALK(corrupt_and_truncated_compression_is_refused),
        WITH_TALK(a_dry_run_changes_nothing),
        WITH_TALK(stat_v2_has_all_fields),
        WITH_TALK(lost_host_leaves_no_file),
        WITH_TALK(stalled_streams_do_not_use_all_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
