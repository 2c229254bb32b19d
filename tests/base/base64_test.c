#include "base/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/evp.h>

#include "base/macros.h"
#include "base/mem.h"

static void examples_of_rfc_4648_are_encoded(void **state)
{
    static const char *const examples[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
        char text[16] = "";
        size_t length = strlen(examples[i][0]);

        base64_encode(examples[i][0], length, text);
        assert_int_equal(base64_size(length), strlen(examples[i][1]));
        assert_string_equal(text, examples[i][1]);
    }
}

/* Exactly that many bytes, so that ASan detects a read beyond. */
static void every_length_is_encoded_as_by_openssl(void **state)
{
    (void)state;
    for (size_t length = 1; length < 300; length++) {
        uint8_t *bytes = mem_new(length, 1);
        char *text = mem_new(base64_size(length), 1);
        unsigned char expected[512];

        for (size_t i = 0; i < length; i++)
            bytes[i] = (uint8_t)(i * 167 + length * 31);
        base64_encode(bytes, length, text);
        EVP_EncodeBlock(expected, bytes, (int)length);
        assert_memory_equal(text, expected, base64_size(length));
        free(text);
        free(bytes);
    }
}

static void every_triple_of_bytes_is_encoded_at_every_offset(void **state)
{
    uint8_t bytes[48];
    char text[64];
    unsigned char expected[65];

    (void)state;
    for (unsigned value = 0; value < 256; value++) {
        for (size_t i = 0; i < sizeof(bytes); i++)
            bytes[i] = (uint8_t)(value + i * 85);
        base64_encode(bytes, sizeof(bytes), text);
        EVP_EncodeBlock(expected, bytes, sizeof(bytes));
        assert_memory_equal(text, expected, sizeof(text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_rfc_4648_are_encoded),
        cmocka_unit_test(every_length_is_encoded_as_by_openssl),
        cmocka_unit_test(every_triple_of_bytes_is_encoded_at_every_offset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
