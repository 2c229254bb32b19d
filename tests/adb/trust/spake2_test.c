#include "adb/trust/spake2.h"

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

/* ---- our own implementation on both sides ---- */

static void begin(struct spake2 *spake2, enum spake2_role role,
                  const char *password)
{
    struct err err = ERR_INIT;

    if (!spake2_init(spake2, role, &names, password, strlen(password), &err))
        fail_msg("%s", err.text);
}

/* Do two sides with these passwords get the same key? */
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

static void every_run_has_another_message(void **state)
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

static void invalid_messages_are_refused(void **state)
{
    uint8_t off_curve[SPAKE2_MESSAGE_SIZE] = {2}; /* no x exists for this y */
    struct spake2 spake2;

    (void)state;
    begin(&spake2, SPAKE2_ALICE, "123456");
    assert_refused(&spake2, off_curve, "not a point on the curve");
    assert_refused(&spake2, spake2.message, "our own message");
    /* Removing the mask leaves the neutral element. */
    assert_refused(&spake2, spake2.their_mask, "leads to a known key");
    spake2_release(&spake2);
}

/* ---- against BoringSSL ---- */

struct reference {
    FILE *stream;
    pid_t pid;
};

static void become_oracle(int fd)
{
    dup2(fd, STDIN_FILENO);
    dup2(fd, STDOUT_FILENO);
    execl(SPAKE2_REFERENCE, SPAKE2_REFERENCE, (char *)NULL);
    _exit(127);
}

static void reference_start(struct reference *reference)
{
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    reference->pid = fork();
    assert_true(reference->pid >= 0);
    if (!reference->pid)
        become_oracle(ends[1]);
    close(ends[1]);
    reference->stream = fdopen(ends[0], "r+");
    assert_non_null(reference->stream);
}

/* Ends it, and returns its exit status. */
static int reference_stop(struct reference *reference)
{
    int status;

    fclose(reference->stream);
    assert_int_equal(waitpid(reference->pid, &status, 0), reference->pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Send a verb and bytes; the answer must have exactly size bytes. */
static bool reference_ask(const struct reference *reference, const char *verb,
                          const void *bytes, size_t length, uint8_t *answer,
                          size_t size)
{
    char hex[2 * PASSWORD_MAX + 1];
    char line[256];
    size_t got = 0;

    sodium_bin2hex(hex, sizeof(hex), bytes, length);
    fprintf(reference->stream, "%s %s\n", verb, hex);
    fflush(reference->stream);
    if (!fgets(line, sizeof(line), reference->stream))
        return false;
    line[strcspn(line, "\n")] = '\0';
    return !sodium_hex2bin(answer, size, line, strlen(line), NULL, &got,
                           NULL) &&
           got == size;
}

static bool reference_missing(void)
{
    struct reference reference;

    reference_start(&reference);
    return reference_stop(&reference) == 77;
}

/* Do BoringSSL with one password and we with another get the same key? */
static bool agree_with(const struct reference *reference, enum spake2_role role,
                       const uint8_t *ours, const uint8_t *theirs, size_t size)
{
    struct spake2 spake2;
    uint8_t message[SPAKE2_MESSAGE_SIZE];
    uint8_t key[SPAKE2_KEY_SIZE];
    uint8_t their_key[SPAKE2_KEY_SIZE];
    struct err err = ERR_INIT;

    assert_true(spake2_init(&spake2, role, &names, ours, size, &err));
    assert_true(reference_ask(reference, role == SPAKE2_ALICE ? "bob" : "alice",
                              theirs, size, message, sizeof(message)));
    assert_true(reference_ask(reference, "finish", spake2.message,
                              sizeof(spake2.message), their_key,
                              sizeof(their_key)));
    assert_true(spake2_finish(&spake2, message, key, &err));
    spake2_release(&spake2);
    return !memcmp(key, their_key, sizeof(key));
}

static void boringssl_agrees_on_every_password(void **state)
{
    struct reference reference;

    (void)state;
    if (reference_missing())
        skip();
    reference_start(&reference);
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t password[PASSWORD_MAX];
        size_t size = 1 + randombytes_uniform(PASSWORD_MAX);

        randombytes_buf(password, size);
        assert_true(
            agree_with(&reference, SPAKE2_ALICE, password, password, size));
        assert_true(
            agree_with(&reference, SPAKE2_BOB, password, password, size));
    }
    assert_int_equal(reference_stop(&reference), 0);
}

static void boringssl_does_not_agree_on_wrong_passwords(void **state)
{
    struct reference reference;

    (void)state;
    if (reference_missing())
        skip();
    reference_start(&reference);
    for (int round = 0; round < ROUNDS / 10; round++) {
        uint8_t ours[PASSWORD_MAX];
        uint8_t theirs[PASSWORD_MAX];
        size_t size = 1 + randombytes_uniform(PASSWORD_MAX);

        randombytes_buf(ours, size);
        memcpy(theirs, ours, size);
        theirs[randombytes_uniform((uint32_t)size)] ^= 1;
        assert_false(agree_with(&reference, SPAKE2_ALICE, ours, theirs, size));
        assert_false(agree_with(&reference, SPAKE2_BOB, ours, theirs, size));
    }
    assert_int_equal(reference_stop(&reference), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_same_password_gives_the_same_key),
        cmocka_unit_test(every_run_has_another_message),
        cmocka_unit_test(release_leaves_no_secret),
        cmocka_unit_test(invalid_messages_are_refused),
        cmocka_unit_test(boringssl_agrees_on_every_password),
        cmocka_unit_test(boringssl_does_not_agree_on_wrong_passwords),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
