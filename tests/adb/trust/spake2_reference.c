/*
 * BoringSSL's SPAKE2 in a separate process, since it has the same names as
 * OpenSSL. Reads lines and answers each with one, all bytes in hexadecimal:
 *
 *     alice PASSWORD    the message of a new run; or: bob PASSWORD
 *     finish MESSAGE    the key of that run, or "refused"
 *
 * Ends with status 77 when there is no BoringSSL on this machine.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_SIZE 16

/* As BoringSSL's <openssl/curve25519.h> declares them. */
struct boring {
    void *(*begin)(int role, const uint8_t *mine, size_t mine_size,
                   const uint8_t *theirs, size_t theirs_size);
    void (*end)(void *run);
    int (*message)(void *run, uint8_t *out, size_t *size, size_t room,
                   const uint8_t *password, size_t password_size);
    int (*key)(void *run, uint8_t *out, size_t *size, size_t room,
               const uint8_t *theirs, size_t theirs_size);
};

static bool find(void *library, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(library, name);

    /* ISO C has no conversion from an object to a function. */
    memcpy(function, &symbol, size);
    return symbol;
}

static bool load(struct boring *boring)
{
    void *library = dlopen(BORINGSSL, RTLD_NOW | RTLD_LOCAL);

    return library &&
           find(library, "SPAKE2_CTX_new", &boring->begin,
                sizeof(boring->begin)) &&
           find(library, "SPAKE2_CTX_free", &boring->end,
                sizeof(boring->end)) &&
           find(library, "SPAKE2_generate_msg", &boring->message,
                sizeof(boring->message)) &&
           find(library, "SPAKE2_process_msg", &boring->key,
                sizeof(boring->key));
}

static size_t from_hex(const char *text, uint8_t *bytes, size_t room)
{
    size_t size = 0;

    for (; size < room && isxdigit((unsigned char)text[0]) &&
           isxdigit((unsigned char)text[1]);
         text += 2) {
        char digits[] = {text[0], text[1], '\0'};

        bytes[size++] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return size;
}

static void answer(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
    printf(size ? "\n" : "refused\n");
    fflush(stdout);
}

static void *begin(const struct boring *boring, bool is_alice,
                   const char *password_hex)
{
    static const uint8_t client[NAMES_SIZE] = "adb pair client";
    static const uint8_t server[NAMES_SIZE] = "adb pair server";
    void *run = boring->begin(!is_alice, is_alice ? client : server, NAMES_SIZE,
                              is_alice ? server : client, NAMES_SIZE);
    uint8_t password[256];
    uint8_t message[32];
    size_t size = 0;

    if (run &&
        !boring->message(run, message, &size, sizeof(message), password,
                         from_hex(password_hex, password, sizeof(password))))
        size = 0;
    answer(message, size);
    return run;
}

static void finish(const struct boring *boring, void *run,
                   const char *message_hex)
{
    uint8_t theirs[64];
    uint8_t key[64];
    size_t size = 0;

    if (!run || !boring->key(run, key, &size, sizeof(key), theirs,
                             from_hex(message_hex, theirs, sizeof(theirs))))
        size = 0;
    answer(key, size);
}

int main(void)
{
    struct boring boring;
    char verb[8];
    char hex[600];
    void *run = NULL;

    if (!load(&boring))
        return 77;
    while (scanf("%7s %599s", verb, hex) == 2) {
        if (!strcmp(verb, "finish")) {
            finish(&boring, run, hex);
            continue;
        }
        boring.end(run);
        run = begin(&boring, !strcmp(verb, "alice"), hex);
    }
    boring.end(run);
    return 0;
}
