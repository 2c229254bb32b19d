#include "adb/spake2.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sodium.h>

#define ROUNDS 1000
#define PASSWORD_MAX 80

static const struct spake2_names names = {"adb pair client", 16,
                                          "adb pair server", 16};

/* ---- ourselves against ourselves ---- */

static void begin(struct spake2 *spake2, enum spake2_role role,
                  const char *password)
{
    struct err err = ERR_INIT;

    if (!spake2_init(spake2, role, &names, password, strlen(password), &err))
        fail_msg("%s", err.text);
}

/* Do two sides with these passwords come to the same key? */
static bool agree(const char *alices, const char *bobs)
{
    struct spake2 alice;
    struct spake2 bob;
    uint8_t alice_key[SPAKE2_KEY_SIZE];
    uint8_t bob_key[SPAKE2_KEY_SIZE];
    struct err err = ERR_INIT;

    begin(&alice, SPAKE2_ALICE, alices);
    begin(&bob, SPAKE2_BOB, bobs);
    assert_true(spake2_finish(&alice, bob.message, alice_key, &err));
    assert_true(spake2_finish(&bob, alice.message, bob_key, &err));
    spake2_release(&alice);
    spake2_release(&bob);
    return !memcmp(alice_key, bob_key, sizeof(bob_key));
}

static void only_the_same_password_gives_the_same_key(void **state)
{
    (void)state;
    assert_true(agree("123456", "123456"));
    assert_true(agree("", ""));
    assert_false(agree("123456", "123457"));
    assert_false(agree("123456", "12345"));
}

static void no_two_runs_are_alike(void **state)
{
    struct spake2 one;
    struct spake2 two;

    (void)state;
    begin(&one, SPAKE2_ALICE, "123456");
    begin(&two, SPAKE2_ALICE, "123456");
    assert_memory_not_equal(one.message, two.message, SPAKE2_MESSAGE_SIZE);
    spake2_release(&one);
    spake2_release(&two);
}

static void release_leaves_no_secret(void **state)
{
    static const struct spake2 nothing;
    struct spake2 spake2;

    (void)state;
    begin(&spake2, SPAKE2_ALICE, "123456");
    spake2_release(&spake2);
    assert_memory_equal(&spake2, &nothing, sizeof(spake2));
}

static void assert_refused(const struct spake2 *spake2, const uint8_t *message,
                           const char *why)
{
    uint8_t key[SPAKE2_KEY_SIZE];
    struct err err = ERR_INIT;

    assert_false(spake2_finish(spake2, message, key, &err));
    assert_int_equal(err.code, ERR_PROTOCOL);
    assert_non_null(strstr(err.text, why));
}

static void hostile_messages_are_refused(void **state)
{
    uint8_t off_curve[SPAKE2_MESSAGE_SIZE] = {2}; /* no x belongs to this y */
    struct spake2 spake2;

    (void)state;
    begin(&spake2, SPAKE2_ALICE, "123456");
    assert_refused(&spake2, off_curve, "no point of the curve");
    assert_refused(&spake2, spake2.message, "our own message");
    /* What is left of the bare mask is the neutral element. */
    assert_refused(&spake2, spake2.their_mask, "keeps no secret");
    spake2_release(&spake2);
}

/* ---- ourselves against BoringSSL ---- */

struct oracle {
    FILE *stream;
    pid_t pid;
};

static void become_oracle(int fd)
{
    dup2(fd, STDIN_FILENO);
    dup2(fd, STDOUT_FILENO);
    execl(SPAKE2_ORACLE, SPAKE2_ORACLE, (char *)NULL);
    _exit(127);
}

static void oracle_start(struct oracle *oracle)
{
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    oracle->pid = fork();
    assert_true(oracle->pid >= 0);
    if (!oracle->pid)
        become_oracle(ends[1]);
    close(ends[1]);
    oracle->stream = fdopen(ends[0], "r+");
    assert_non_null(oracle->stream);
}

/* Its exit status. */
static int oracle_stop(struct oracle *oracle)
{
    int status;

    fclose(oracle->stream);
    assert_int_equal(waitpid(oracle->pid, &status, 0), oracle->pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Say a verb and bytes; what comes back must have exactly size bytes. */
static bool oracle_ask(const struct oracle *oracle, const char *verb,
                       const void *bytes, size_t length, uint8_t *answer,
                       size_t size)
{
    char hex[2 * PASSWORD_MAX + 1];
    char line[256];
    size_t got = 0;

    sodium_bin2hex(hex, sizeof(hex), bytes, length);
    fprintf(oracle->stream, "%s %s\n", verb, hex);
    fflush(oracle->stream);
    if (!fgets(line, sizeof(line), oracle->stream))
        return false;
    line[strcspn(line, "\n")] = '\0';
    return !sodium_hex2bin(answer, size, line, strlen(line), NULL, &got,
                           NULL) &&
           got == size;
}

static bool oracle_missing(void)
{
    struct oracle oracle;

    oracle_start(&oracle);
    return oracle_stop(&oracle) == 77;
}

/* Do BoringSSL with one password and we with another have the same key? */
static bool agree_with(const struct oracle *oracle, enum spake2_role role,
                       const uint8_t *ours, const uint8_t *theirs, size_t size)
{
    struct spake2 spake2;
    uint8_t message[SPAKE2_MESSAGE_SIZE];
    uint8_t key[SPAKE2_KEY_SIZE];
    uint8_t their_key[SPAKE2_KEY_SIZE];
    struct err err = ERR_INIT;

    assert_true(spake2_init(&spake2, role, &names, ours, size, &err));
    assert_true(oracle_ask(oracle, role == SPAKE2_ALICE ? "bob" : "alice",
                           theirs, size, message, sizeof(message)));
    assert_true(oracle_ask(oracle, "finish", spake2.message,
                           sizeof(spake2.message), their_key,
                           sizeof(their_key)));
    assert_true(spake2_finish(&spake2, message, key, &err));
    spake2_release(&spake2);
    return !memcmp(key, their_key, sizeof(key));
}

static void boringssl_agrees_on_every_password(void **state)
{
    struct oracle oracle;

    (void)state;
    if (oracle_missing())
        skip();
    oracle_start(&oracle);
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t password[PASSWORD_MAX];
        size_t size = 1 + randombytes_uniform(PASSWORD_MAX);

        randombytes_buf(password, size);
        assert_true(
            agree_with(&oracle, SPAKE2_ALICE, password, password, size));
        assert_true(agree_with(&oracle, SPAKE2_BOB, password, password, size));
    }
    assert_int_equal(oracle_stop(&oracle), 0);
}

static void boringssl_does_not_agree_on_wrong_passwords(void **state)
{
    struct oracle oracle;

    (void)state;
    if (oracle_missing())
        skip();
    oracle_start(&oracle);
    for (int round = 0; round < ROUNDS / 10; round++) {
        uint8_t ours[PASSWORD_MAX];
        uint8_t theirs[PASSWORD_MAX];
        size_t size = 1 + randombytes_uniform(PASSWORD_MAX);

        randombytes_buf(ours, size);
        memcpy(theirs, ours, size);
        theirs[randombytes_uniform((uint32_t)size)] ^= 1;
        assert_false(agree_with(&oracle, SPAKE2_ALICE, ours, theirs, size));
        assert_false(agree_with(&oracle, SPAKE2_BOB, ours, theirs, size));
    }
    assert_int_equal(oracle_stop(&oracle), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_same_password_gives_the_same_key),
        cmocka_unit_test(no_two_runs_are_alike),
        cmocka_unit_test(release_leaves_no_secret),
        cmocka_unit_test(hostile_messages_are_refused),
        cmocka_unit_test(boringssl_agrees_on_every_password),
        cmocka_unit_test(boringssl_does_not_agree_on_wrong_passwords),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
