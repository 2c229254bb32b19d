#include "adb/trust/key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <valgrind/valgrind.h>

#include "adb/trust/auth.h"
#include "base/file.h"
#include "base/macros.h"
#include "tests/support/adb/test_key.h"

/* A directory for the test, and one key for all tests. */
struct fixture {
    char directory[64];
    char path[80];
    struct key *key;
};

static int setup(void **state)
{
    static struct fixture fixture;
    struct err err;

    memcpy(fixture.directory, "/tmp/proctor-key.XXXXXX", 24);
    if (!mkdtemp(fixture.directory) ||
        !test_key_read("mine", &fixture.key, &err))
        return -1;
    snprintf(fixture.path, sizeof(fixture.path), "%s/adbkey",
             fixture.directory);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    char name[96];

    key_close(fixture->key);
    unlink(fixture->path);
    snprintf(name, sizeof(name), "%s.pub", fixture->path);
    unlink(name);
    return rmdir(fixture->directory);
}

static void a_signature_verifies_with_the_public_line_alone(void **state)
{
    struct fixture *fixture = *state;
    const uint8_t token[KEY_TOKEN_SIZE] = "twenty bytes of luck";
    const uint8_t other[KEY_TOKEN_SIZE] = "twenty bytes of lack";
    uint8_t signature[KEY_SIGNATURE_SIZE];
    struct buf line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    struct key *public = NULL;
    struct err err;

    assert_true(key_sign(fixture->key, token, signature, &err));
    assert_true(key_public_text(fixture->key, &line, &err));
    assert_true(key_parse_public(line.data, line.length, &public, &err));
    assert_true(key_verifies(public, token, signature, sizeof(signature)));
    assert_false(key_verifies(public, other, signature, sizeof(signature)));
    signature[17] ^= 1;
    assert_false(key_verifies(public, token, signature, sizeof(signature)));
    assert_false(key_verifies(public, token, signature, 10));
    key_close(public);
    buf_release(&line);
}

static void written_keys_are_readable_only_by_the_user(void **state)
{
    struct fixture *fixture = *state;
    char before[KEY_FINGERPRINT_SIZE];
    char after[KEY_FINGERPRINT_SIZE];
    struct key *read = NULL;
    struct stat found;
    struct err err;

    assert_true(key_write(fixture->key, fixture->path, &err));
    assert_int_equal(stat(fixture->path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    assert_true(key_read(fixture->path, &read, &err));
    assert_true(key_fingerprint(fixture->key, before, &err));
    assert_true(key_fingerprint(read, after, &err));
    assert_string_equal(before, after);
    assert_false(key_write(read, fixture->path, &err));
    assert_int_equal(err.code, ERR_INVALID);
    key_close(read);
}

/* The output of `adb pubkey` for the key that an earlier test has written. */
static void the_public_line_equals_adbs_own(void **state)
{
    struct fixture *fixture = *state;
    struct buf ours = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    char theirs[KEY_PUBLIC_TEXT_MAX] = "";
    struct err err;
    int ends[2];
    ssize_t length;
    pid_t child;
    int status;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (!child) {
        dup2(ends[1], STDOUT_FILENO);
        execlp("adb", "adb", "pubkey", fixture->path, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    length = read(ends[0], theirs, sizeof(theirs) - 1);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WEXITSTATUS(status) == 127)
        skip();
    assert_true(length > 0);
    assert_true(key_public_text(fixture->key, &ours, &err));
    buf_byte(&ours, '\n');
    assert_string_equal(buf_cstr(&ours), theirs);
    buf_release(&ours);
}

static void invalid_public_key_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct buf line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    struct key *public = NULL;
    struct err err;

    assert_true(key_public_text(fixture->key, &line, &err));
    for (size_t cut = 0; cut < 700; cut++)
        assert_false(key_parse_public(line.data, cut, &public, &err));
    line.data[2] = 'z'; /* the number of words */
    assert_false(key_parse_public(line.data, line.length, &public, &err));
    memset(line.data, 'A', 700); /* n = 0 */
    assert_false(key_parse_public(line.data, line.length, &public, &err));
    assert_int_equal(err.code, ERR_INVALID);
    buf_release(&line);
}

static bool has_fingerprint(const struct key *key, const char *expected)
{
    char fingerprint[KEY_FINGERPRINT_SIZE];
    struct err err;

    return key_fingerprint(key, fingerprint, &err) &&
           !strcmp(fingerprint, expected);
}

/* Only some of the bytes: RSA is slow under valgrind. */
static size_t step(void)
{
    const char *full = getenv("PROCTOR_FULL");

    return !RUNNING_ON_VALGRIND || (full && *full == '1') ? 1 : 17;
}

static void damaged_public_line_is_never_another_key(void **state)
{
    struct fixture *fixture = *state;
    struct buf line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    char expected[KEY_FINGERPRINT_SIZE];
    struct err err;

    assert_true(key_fingerprint(fixture->key, expected, &err));
    assert_true(key_public_text(fixture->key, &line, &err));
    for (size_t bit = 0; bit < 8 * line.length; bit++) {
        const char flip = (char)(1 << bit % 8);
        struct key *key = NULL;

        line.data[bit / 8] ^= flip;
        if (key_parse_public(line.data, line.length, &key, &err))
            assert_true(has_fingerprint(key, expected));
        else
            assert_int_equal(err.code, ERR_INVALID);
        line.data[bit / 8] ^= flip;
        key_close(key);
    }
    buf_release(&line);
}

/* Read pem from a separate file. */
static bool read_as_file(const struct fixture *fixture, const char *pem,
                         size_t length, struct key **key, struct err *err)
{
    char path[80];
    bool done;

    snprintf(path, sizeof(path), "%s/damaged", fixture->directory);
    assert_true(file_save(path, 0600, pem, length, err));
    done = key_read(path, key, err);
    unlink(path);
    return done;
}

/* Uses the key that an earlier test has written. */
static void damaged_key_file_is_never_another_key(void **state)
{
    struct fixture *fixture = *state;
    struct buf pem = BUF_INIT(16384);
    char expected[KEY_FINGERPRINT_SIZE];
    struct err err;

    assert_true(file_load(fixture->path, &pem, &err));
    assert_true(key_fingerprint(fixture->key, expected, &err));
    for (size_t i = 0; i < pem.length; i += step()) {
        const char flip = (char)(1 << i % 8);

        for (int cut = 0; cut < 2; cut++) {
            struct key *key = NULL;

            pem.data[i] ^= flip;
            if (read_as_file(fixture, pem.data, cut ? i : pem.length, &key,
                             &err))
                assert_true(has_fingerprint(key, expected));
            else
                assert_int_equal(err.code, ERR_INVALID);
            pem.data[i] ^= flip;
            key_close(key);
        }
    }
    buf_release(&pem);
}

static void a_file_that_is_too_large_is_no_key(void **state)
{
    static const char large[20000];
    struct key *key = NULL;
    struct err err;

    assert_false(read_as_file(*state, large, sizeof(large), &key, &err));
    assert_int_equal(err.code, ERR_LIMIT);
}

static void pipe_in_place_of_a_key_does_not_hang(void **state)
{
    const struct fixture *fixture = *state;
    struct key *key = NULL;
    char path[80];
    struct err err;

    snprintf(path, sizeof(path), "%s/pipe", fixture->directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(key_read(path, &key, &err));
    assert_int_equal(err.code, ERR_INVALID);
    unlink(path);
}

static void a_file_that_is_no_key_is_named(void **state)
{
    struct key *key = NULL;
    struct err err;

    (void)state;
    assert_false(key_read("/etc/passwd", &key, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_non_null(strstr(err.text, "/etc/passwd"));
    assert_false(key_read("/nonexistent/key", &key, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
}

static void fail_at_problem(void *context, const char *problem)
{
    (void)context;
    fail_msg("%s", problem);
}

/* With the keys that were made there. */
static void remove_home(const char *home)
{
    static const char *const made[] = {"adbkey", "adbkey.pub", ""};
    char name[128];

    for (size_t i = 0; i < ARRAY_LEN(made); i++) {
        snprintf(name, sizeof(name), "%s/.android/%s", home, made[i]);
        remove(name);
    }
    rmdir(home);
}

static void keyring_creates_one_key_and_adds_vendor_keys(void **state)
{
    struct fixture *fixture = *state;
    struct keyring first = KEYRING_INIT;
    struct keyring second = KEYRING_INIT;
    char made[KEY_FINGERPRINT_SIZE];
    char found[KEY_FINGERPRINT_SIZE];
    char home[80];
    char name[128];
    struct stat facts;
    struct err err;

    snprintf(home, sizeof(home), "%s/home", fixture->directory);
    assert_int_equal(mkdir(home, 0700), 0);
    setenv("HOME", home, 1);
    unsetenv("ADB_VENDOR_KEYS");
    keyring_load(&first, fail_at_problem, NULL);
    assert_int_equal(first.count, 1);
    snprintf(name, sizeof(name), "%s/.android/adbkey", home);
    assert_int_equal(stat(name, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);

    setenv("ADB_VENDOR_KEYS", fixture->path, 1);
    keyring_load(&second, fail_at_problem, NULL);
    assert_int_equal(second.count, 2);
    assert_true(key_fingerprint(first.keys[0], made, &err));
    assert_true(key_fingerprint(second.keys[0], found, &err));
    assert_string_equal(made, found);
    assert_true(key_fingerprint(second.keys[1], found, &err));
    assert_string_not_equal(made, found);

    keyring_release(&first);
    keyring_release(&second);
    remove_home(home);
}

static void add_problem(void *context, const char *problem)
{
    buf_printf(context, "%s\n", problem);
}

/* Valid and invalid entries in any order: all valid ones are used. */
static void invalid_vendor_keys_do_not_hide_valid_ones(void **state)
{
    struct fixture *fixture = *state;
    struct buf problems = BUF_INIT(4096);
    struct keyring keys = KEYRING_INIT;
    char vendors[256];
    char folder[80];
    char name[128];
    struct err err;

    snprintf(folder, sizeof(folder), "%s/vendors", fixture->directory);
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(name, sizeof(name), "%s/bad.adb_key", folder);
    assert_true(file_save(name, 0600, "", 0, &err));
    snprintf(name, sizeof(name), "%s/good.adb_key", folder);
    assert_true(key_write(fixture->key, name, &err));
    snprintf(vendors, sizeof(vendors), "/nonexistent::%s:%s:/dev/null", folder,
             fixture->path);
    setenv("ADB_VENDOR_KEYS", vendors, 1);
    keyring_add_vendors(&keys, add_problem, &problems);
    assert_int_equal(keys.count, 2);
    assert_non_null(strstr(buf_cstr(&problems), "key /nonexistent: "));
    assert_non_null(
        strstr(buf_cstr(&problems), "bad.adb_key: the file is empty"));
    assert_non_null(strstr(buf_cstr(&problems), "/dev/null: "));
    assert_null(strstr(buf_cstr(&problems), "good.adb_key"));
    unsetenv("ADB_VENDOR_KEYS");
    keyring_release(&keys);
    buf_release(&problems);
    unlink(name);
    snprintf(name, sizeof(name), "%s/good.adb_key.pub", folder);
    unlink(name);
    snprintf(name, sizeof(name), "%s/bad.adb_key", folder);
    unlink(name);
    assert_int_equal(rmdir(folder), 0);
}

/* Save pkey, encrypted if there is a cipher. */
static void save_pem(const char *path, EVP_PKEY *pkey, const EVP_CIPHER *cipher)
{
    FILE *file = fopen(path, "w");
    char passphrase[] = "secret";

    assert_non_null(file);
    assert_true(PEM_write_PKCS8PrivateKey(file, pkey, cipher, passphrase,
                                          cipher ? 6 : 0, NULL, NULL));
    fclose(file);
    EVP_PKEY_free(pkey);
}

static void problem_of_a_key_is_named(void **state)
{
    struct fixture *fixture = *state;
    struct {
        const char *reason;
        EVP_PKEY *pkey;
        const EVP_CIPHER *cipher;
        const char *text;
    } cases[] = {
        {"the file is empty", NULL, NULL, ""},
        {"it is not a private key in PEM format", NULL, NULL, "garbage"},
        {"it is encrypted", EVP_RSA_gen(2048), EVP_aes_128_cbc(), NULL},
        {"it is a key for EC", EVP_EC_gen("P-256"), NULL, NULL},
        {"it has 1024 bits", EVP_RSA_gen(1024), NULL, NULL},
    };
    char path[96];

    snprintf(path, sizeof(path), "%s/wrong", fixture->directory);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct key *key = NULL;
        struct err err = ERR_INIT;

        if (cases[i].text)
            assert_true(file_save(path, 0600, cases[i].text,
                                  strlen(cases[i].text), &err));
        else
            save_pem(path, cases[i].pkey, cases[i].cipher);
        assert_false(key_read(path, &key, &err));
        assert_non_null(strstr(err.text, path));
        assert_non_null(strstr(err.text, cases[i].reason));
    }
    unlink(path);
}

static void lazy_keys_are_read_once_on_first_use(void **state)
{
    struct fixture *fixture = *state;
    struct lazy_keyring lazy;
    char home[80];
    char folder[96];
    char name[128];
    struct err err;

    snprintf(home, sizeof(home), "%s/lazy", fixture->directory);
    assert_int_equal(mkdir(home, 0700), 0);
    setenv("HOME", home, 1);
    unsetenv("ADB_VENDOR_KEYS");
    snprintf(folder, sizeof(folder), "%s/.android", home);
    snprintf(name, sizeof(name), "%s/adbkey", folder);
    lazy_keyring_init(&lazy, fail_at_problem, NULL, NULL);
    assert_int_not_equal(access(name, F_OK), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_true(key_write(fixture->key, name, &err));
    assert_int_equal(lazy_keyring_get(&lazy)->count, 1);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(lazy_keyring_get(&lazy)->count, 1);
    assert_int_not_equal(access(name, F_OK), 0);
    lazy_keyring_release(&lazy);
    remove_home(home);
}

static void without_a_usable_key_the_reason_is_given(void **state)
{
    struct fixture *fixture = *state;
    struct buf problems = BUF_INIT(4096);
    struct lazy_keyring lazy;
    const struct auth_credentials credentials = {.lazy = &lazy};
    char home[80];
    char name[128];
    struct err err = ERR_INIT;

    snprintf(home, sizeof(home), "%s/unusable", fixture->directory);
    assert_int_equal(mkdir(home, 0700), 0);
    snprintf(name, sizeof(name), "%s/.android", home);
    assert_int_equal(mkdir(name, 0700), 0);
    snprintf(name, sizeof(name), "%s/.android/adbkey", home);
    assert_true(file_save(name, 0600, "garbage", 7, &err));
    setenv("HOME", home, 1);
    unsetenv("ADB_VENDOR_KEYS");
    lazy_keyring_init(&lazy, add_problem, &problems, NULL);
    assert_null(auth_keys(&credentials));
    assert_false(auth_fail_without_keys(&credentials, &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(err.text, name));
    assert_non_null(strstr(err.text, "not a private key"));
    assert_non_null(strstr(buf_cstr(&problems), name));
    lazy_keyring_release(&lazy);
    buf_release(&problems);
    remove_home(home);
}

/* A separate process that loads its keys. */
static pid_t load_elsewhere(void)
{
    struct keyring keys = KEYRING_INIT;
    pid_t child = fork();

    if (!child) {
        keyring_load(&keys, NULL, NULL);
        _exit(keys.count != 1);
    }
    return child;
}

static void processes_that_create_the_key_together_share_it(void **state)
{
    struct fixture *fixture = *state;
    struct buf line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    struct buf saved = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    struct keyring keys = KEYRING_INIT;
    char home[80];
    char name[128];
    pid_t children[8];
    struct err err;

    snprintf(home, sizeof(home), "%s/shared", fixture->directory);
    assert_int_equal(mkdir(home, 0700), 0);
    setenv("HOME", home, 1);
    unsetenv("ADB_VENDOR_KEYS");
    for (size_t i = 0; i < ARRAY_LEN(children); i++)
        children[i] = load_elsewhere();
    for (size_t i = 0; i < ARRAY_LEN(children); i++) {
        int status;

        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    keyring_load(&keys, fail_at_problem, NULL);
    assert_true(key_public_text(keys.keys[0], &line, &err));
    snprintf(name, sizeof(name), "%s/.android/adbkey.pub", home);
    assert_true(file_load(name, &saved, &err));
    assert_string_equal(buf_cstr(&saved), buf_cstr(&line));
    keyring_release(&keys);
    buf_release(&line);
    buf_release(&saved);
    remove_home(home);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signature_verifies_with_the_public_line_alone),
        cmocka_unit_test(written_keys_are_readable_only_by_the_user),
        cmocka_unit_test(the_public_line_equals_adbs_own),
        cmocka_unit_test(invalid_public_key_is_refused),
        cmocka_unit_test(damaged_public_line_is_never_another_key),
        cmocka_unit_test(damaged_key_file_is_never_another_key),
        cmocka_unit_test(a_file_that_is_too_large_is_no_key),
        cmocka_unit_test(pipe_in_place_of_a_key_does_not_hang),
        cmocka_unit_test(a_file_that_is_no_key_is_named),
        cmocka_unit_test(keyring_creates_one_key_and_adds_vendor_keys),
        cmocka_unit_test(invalid_vendor_keys_do_not_hide_valid_ones),
        cmocka_unit_test(problem_of_a_key_is_named),
        cmocka_unit_test(lazy_keys_are_read_once_on_first_use),
        cmocka_unit_test(without_a_usable_key_the_reason_is_given),
        cmocka_unit_test(processes_that_create_the_key_together_share_it),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
