#include "adb/transport/resolve.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

#define SOON deadline_in_ms(60000)

static void numbers_and_names_become_addresses(void **state)
{
    static const char *const hosts[] = {"127.0.0.1", "::1", "localhost"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
        struct addrinfo *addresses;
        struct err err = ERR_INIT;

        if (!resolve(hosts[i], 5555, NULL, SOON, &addresses, &err))
            fail_msg("%s", err.text);
        assert_non_null(addresses);
        freeaddrinfo(addresses);
    }
}

static void unknown_host_is_named_in_the_error(void **state)
{
    struct addrinfo *addresses;
    struct err err;

    (void)state;
    assert_false(resolve("no such host", 5555, NULL, SOON, &addresses, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    assert_non_null(strstr(err.text, "looking up no such host"));
}

/* ---- a name server that takes questions and never answers ---- */

static bool bring_loopback_up(void)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    bool up = fd >= 0 && !ioctl(fd, SIOCSIFFLAGS, &request);

    if (fd >= 0)
        close(fd);
    return up;
}

static bool listen_and_say_nothing(void)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(53),
        .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)},
    };
    int fd = socket(AF_INET, SOCK_DGRAM, 0);

    return fd >= 0 &&
           !bind(fd, (const struct sockaddr *)&address, sizeof(address));
}

/* Make it the only name server, in separate namespaces of this process. */
static bool use_silent_name_server(void)
{
    static const char settings[] = "nameserver 127.0.0.1\n";
    char path[] = "/tmp/proctor-resolv.XXXXXX";
    struct err err;
    int fd;
    bool used;

    if (unshare(CLONE_NEWNET | CLONE_NEWNS) ||
        mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) ||
        (fd = mkstemp(path)) < 0)
        return false;
    used = file_write(fd, settings, sizeof(settings) - 1, &err) &&
           !mount(path, "/etc/resolv.conf", "none", MS_BIND, NULL) &&
           bring_loopback_up() && listen_and_say_nothing();
    close(fd);
    unlink(path);
    return used;
}

enum { PASSED, FAILED, IMPOSSIBLE };

/* Resolve a name that only the silent server could know. */
static int ask_silent_server(bool fire)
{
    struct addrinfo *addresses;
    struct cancel cancel;
    struct err err;

    if (!use_silent_name_server() || !cancel_init(&cancel, &err))
        return IMPOSSIBLE;
    if (fire)
        cancel_fire(&cancel);
    if (resolve("phone.example", 5555, &cancel,
                fire ? SOON : deadline_in_ms(50), &addresses, &err))
        return FAILED;
    return err.code == (fire ? ERR_CANCELLED : ERR_UNREACHABLE) ? PASSED
                                                                : FAILED;
}

static void in_a_child(bool fire)
{
    pid_t child = fork();
    int status;

    if (!child)
        _exit(ask_silent_server(fire));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == IMPOSSIBLE)
        skip();
    assert_int_equal(WEXITSTATUS(status), PASSED);
}

static void silent_name_server_times_out(void **state)
{
    (void)state;
    in_a_child(false);
}

static void a_lookup_can_be_cancelled(void **state)
{
    (void)state;
    in_a_child(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_names_become_addresses),
        cmocka_unit_test(unknown_host_is_named_in_the_error),
        cmocka_unit_test(silent_name_server_times_out),
        cmocka_unit_test(a_lookup_can_be_cancelled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
