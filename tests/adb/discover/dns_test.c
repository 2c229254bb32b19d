#include "adb/discover/dns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The header of an answer with that many questions and records. */
#define ANSWER(questions, records)                                             \
    "\0\0\x84\0\0" questions "\0" records "\0\0\0\0"
#define IN "\0\1"
#define TTL "\0\0\0\x78"

/* adb-1._adb._tcp.local */
#define NAME "\5adb-1\4_adb\4_tcp\5local"

static void question_is_encoded_as_in_the_rfc(void **state)
{
    static const char expected[] = "\0\0\0\0\0\2\0\0\0\0\0\0"
                                   "\4_adb\4_tcp\5local\0\0\x0c\x80\1"
                                   "\1x\0\0\x0c\x80\1";
    static const char *const names[] = {"_adb._tcp.local", "x"};
    struct buf message = BUF_INIT(512);

    (void)state;
    dns_ask(names, 2, true, &message);
    assert_int_equal(message.length, sizeof(expected) - 1);
    assert_memory_equal(message.data, expected, sizeof(expected) - 1);
    buf_release(&message);
}

static void records_are_read_with_their_compressed_names(void **state)
{
    /*
     * The host in SRV is "phone" followed by the name at byte 12 + 6 + 5 + 5.
     */
    static const char bytes[] = ANSWER("\0", "\3") NAME
        "\0\0\x21\x80\1" TTL "\0\x0e\0\0\0\0\x95\x41\5phone\xc0\x1c"
        "\xc0\x33\0\1\x80\1" TTL "\0\4\xc0\xa8\1\x14"
        "\xc0\x0c\0\x10\x80\1" TTL "\0\4\3a=b";
    struct dns_message message;
    struct dns_record record;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(dns_open(&message, bytes, sizeof(bytes) - 1, &err));
    assert_int_equal(message.left, 3);
    if (!dns_next(&message, &record, &err))
        fail_msg("%s", err.text);
    assert_string_equal(record.name, "adb-1._adb._tcp.local");
    assert_int_equal(record.type, DNS_SRV);
    assert_int_equal(record.ttl, 120);
    assert_int_equal(record.port, 0x9541);
    assert_string_equal(record.target, "phone.local");
    assert_true(dns_next(&message, &record, &err));
    assert_string_equal(record.name, "phone.local");
    assert_int_equal(record.type, DNS_A);
    assert_memory_equal(record.address, "\xc0\xa8\1\x14", 4);
    assert_true(dns_next(&message, &record, &err));
    assert_string_equal(record.name, "adb-1._adb._tcp.local");
    assert_int_equal(record.type, 16);
    assert_int_equal(message.left, 0);
}

static void dots_inside_labels_are_escaped(void **state)
{
    static const char bytes[] =
        ANSWER("\0", "\1") "\5a.b\\\1\0\0\x10" IN TTL "\0\0";
    struct dns_message message;
    struct dns_record record;
    struct err err;

    (void)state;
    assert_true(dns_open(&message, bytes, sizeof(bytes) - 1, &err));
    assert_true(dns_next(&message, &record, &err));
    assert_string_equal(record.name, "a\\.b\\\\\1");
}

static void records_of_another_class_have_no_type(void **state)
{
    static const char bytes[] =
        ANSWER("\0", "\1") "\1a\0\0\1\0\3" TTL "\0\4\1\2\3\4";
    struct dns_message message;
    struct dns_record record;
    struct err err;

    (void)state;
    assert_true(dns_open(&message, bytes, sizeof(bytes) - 1, &err));
    assert_true(dns_next(&message, &record, &err));
    assert_int_equal(record.type, 0);
}

#define HOSTILE(bytes_, why_)                                                  \
    {                                                                          \
        .bytes = (bytes_), .size = sizeof(bytes_) - 1, .why = (why_)           \
    }

static void invalid_messages_are_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *why;
    } cases[] = {
        HOSTILE("", "is truncated"),
        HOSTILE("\0\0\x84\0\0\0\0\1\0\0\0", "is truncated"),
        HOSTILE("\0\0\0\0\0\0\0\1\0\0\0\0", "not an answer"),
        HOSTILE(ANSWER("\1", "\0") "\1a", "is truncated"),
        HOSTILE(ANSWER("\1", "\0") "\1a\0\0\1\0", "is truncated"),
        HOSTILE(ANSWER("\0", "\1"), "is truncated"),
        HOSTILE(ANSWER("\0", "\1") "\x3f"
                                   "abc",
                "is truncated"),
        HOSTILE(ANSWER("\0", "\1") "\1a\0\0\1" IN TTL "\0", "is truncated"),
        HOSTILE(ANSWER("\0", "\1") "\1a\0\0\1" IN TTL "\0\4abc",
                "is truncated"),
        HOSTILE(ANSWER("\0", "\1") "\1a\0\0\1" IN TTL "\0\3abc",
                "is truncated"),
        HOSTILE(ANSWER("\0", "\1") "\1a\0\0\x1c" IN TTL "\0\3abc",
                "is truncated"),
        HOSTILE(ANSWER("\0", "\1") "\1a\0\0\x21" IN TTL "\0\5abcde",
                "is truncated"),
        /* The name in SRV continues beyond its record. */
        HOSTILE(ANSWER("\0", "\1") "\1a\0\0\x21" IN TTL "\0\7abcdef\1x\0",
                "is truncated"),
        HOSTILE(ANSWER("\0", "\1") "\xc0", "is truncated"),
        HOSTILE(ANSWER("\0", "\1") "\xc0\x0c\0\1", "pointer loop"),
        HOSTILE(ANSWER("\0", "\1") "\1a\xc0\x0c\0\1", "pointer loop"),
        HOSTILE(ANSWER("\0", "\1") "\xc0\x0e\0\1", "pointer loop"),
        HOSTILE(ANSWER("\0", "\1") "\xff\xff\0\1", "pointer loop"),
        HOSTILE(ANSWER("\0", "\1") "\x40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                   "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                   "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                   "\0\0\0\0\0\0\0\0\0\0",
                "unknown format"),
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct dns_message message = {.left = 0};
        struct dns_record record;
        struct err err = ERR_INIT;
        bool good = dns_open(&message, cases[i].bytes, cases[i].size, &err);

        while (good && message.left)
            good = dns_next(&message, &record, &err);
        if (good || err.code != ERR_PROTOCOL || !strstr(err.text, cases[i].why))
            fail_msg("case %zu: %s", i, good ? "was read" : err.text);
    }
}

static void a_name_of_256_bytes_is_too_long(void **state)
{
    struct buf bytes = BUF_INIT(1024);
    struct dns_message message;
    struct dns_record record;
    struct err err;

    (void)state;
    buf_append(&bytes, ANSWER("\0", "\1"), 12);
    for (int i = 0; i < 128; i++)
        buf_append(&bytes, "\1a", 2);
    buf_append(&bytes, "\0\0\1" IN TTL "\0\4\1\2\3\4", 15);
    assert_true(dns_open(&message, bytes.data, bytes.length, &err));
    assert_false(dns_next(&message, &record, &err));
    assert_non_null(strstr(err.text, "too long"));
    buf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(question_is_encoded_as_in_the_rfc),
        cmocka_unit_test(records_are_read_with_their_compressed_names),
        cmocka_unit_test(dots_inside_labels_are_escaped),
        cmocka_unit_test(records_of_another_class_have_no_type),
        cmocka_unit_test(invalid_messages_are_refused),
        cmocka_unit_test(a_name_of_256_bytes_is_too_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
