/* Memory of idle connections: under 1 MiB each, as the README promises. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/raw_peer.h"

#define CONNECTIONS 32
#define EACH_MAX ((size_t)1024 * 1024)
#define SOON deadline_in_ms(60000)

/* Resident memory of this process in bytes. */
static size_t resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    char line[256] = "";
    const char *second;

    assert_non_null(file);
    assert_non_null(fgets(line, sizeof(line), file));
    fclose(file);
    second = strchr(line, ' ');
    assert_non_null(second);
    return strtoul(second, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

/* A full packet there and back. */
static void exchange(const struct raw_peer *peer)
{
    struct stream *stream = raw_peer_open(peer, "service:", 7);
    char *data = mem_new(PACKET_MAX_PAYLOAD, 1);
    struct err err = ERR_INIT;

    memset(data, 'x', PACKET_MAX_PAYLOAD);
    assert_true(stream_write(stream, data, 4096, SOON, &err));
    raw_peer_expect(peer, PACKET_WRTE);
    raw_peer_say(peer, PACKET_OKAY, 7, 1, "");
    raw_peer_send(
        peer,
        (struct packet){
            .command = PACKET_WRTE, .arg0 = 7, .arg1 = 1, .length = 100000},
        data);
    assert_true(stream_read_exact(stream, data, 100000, SOON, &err));
    stream_close(stream);
    free(data);
}

static void idle_connections_are_small(void **state)
{
    const struct timespec idle = {.tv_nsec = 100000000};
    struct raw_peer peers[CONNECTIONS];
    size_t before;
    size_t each;

    (void)state;
    peers[0] = raw_peer_start(); /* memory that all connections share */
    exchange(&peers[0]);
    before = resident();
    for (size_t i = 1; i < CONNECTIONS; i++) {
        peers[i] = raw_peer_start();
        exchange(&peers[i]);
    }
    /* Threads that work after an exchange would allocate in this time. */
    nanosleep(&idle, NULL);
    each = (resident() - before) / (CONNECTIONS - 1);
    print_message("an idle connection holds %zu KiB\n", each / 1024);
    assert_true(each < EACH_MAX);
    for (size_t i = 0; i < CONNECTIONS; i++)
        raw_peer_close(&peers[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_connections_are_small),
    };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 77; /* sanitizers need much memory */
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
