#include "tools/phone/faults/faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MOST 4

static size_t parse(const char *text, struct phone_fault *faults)
{
    struct err err = ERR_INIT;
    size_t count = 0;

    if (!fault_parse(text, strlen(text), faults, MOST, &count, &err))
        fail_msg("%s: %s", text, err.text);
    return count;
}

static void both_notations_are_equivalent(void **state)
{
    static const char *const forms[] = {
        "drop:service=sync,after=4096,chance=0.25,skip=2,times=3;"
        "dump:how=no-idle;popup:text=Hello\\, you\\; there",
        " [{\"fault\": \"drop\", \"service\": \"sync\", \"after\": 4096,\n"
        "   \"chance\": 0.25, \"skip\": 2, \"times\": 3},\n"
        "  {\"fault\": \"dump\", \"how\": \"no-idle\"},\n"
        "  {\"fault\": \"popup\", \"text\": \"Hello, you; there\"}]\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        struct phone_fault faults[MOST];
        struct buf text = BUF_INIT(4096);

        assert_int_equal(parse(forms[i], faults), 3);
        assert_int_equal(faults[0].chance, 250000);
        assert_int_equal(faults[0].after, 4096);
        assert_int_equal(faults[1].how, FAULT_NO_IDLE);
        assert_string_equal(faults[2].text, "Hello, you; there");
        for (size_t j = 0; j < 3; j++) {
            buf_text(&text, j ? ";" : "");
            fault_format(&faults[j], &text);
        }
        assert_string_equal(
            buf_cstr(&text),
            "drop:service=sync,chance=0.25,skip=2,times=3,after=4096;"
            "dump:how=no-idle;popup:text=Hello\\, you\\; there");
        buf_release(&text);
    }
}

static void fields_of_a_fault_are_optional(void **state)
{
    struct phone_fault faults[MOST];

    (void)state;
    assert_int_equal(parse("cut;;stall:\n", faults), 2);
    assert_int_equal(faults[0].kind, FAULT_CUT);
    assert_int_equal(faults[0].chance, FAULT_CERTAIN);
    assert_int_equal(faults[1].kind, FAULT_STALL);
    assert_int_equal(parse("", faults), 0);
}

static void invalid_faults_are_refused_with_a_reason(void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"explode", "no fault \"explode\""},
        {"drop:hosts=3", "a fault \"drop\" has no \"hosts\""},
        {"drop:after", "drop: give NAME=VALUE, not after"},
        {"drop:after=-1", "after=-1: give a number from 0 to"},
        {"drop:after=1.5", "after=1.5: give a number from 0 to"},
        {"drop:chance=1.01", "chance=1.01: give a number from 0 to 1"},
        {"drop:chance=nan", "chance=nan: give a number from 0 to 1"},
        {"dump:how=badly", "how=badly: give null-root"},
        {"popup:text=a\tb", "text: expected one line of text"},
        {"cut;cut;cut;cut;cut", "more than 4 faults"},
        {"[{\"fault\": \"drop\", \"after\": []}]", "fault 1: [0].after"},
        {"[{\"after\": 1}]", "fault 1: [0].fault"},
        {"[", "line 1"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct phone_fault faults[MOST];
        struct err err = ERR_INIT;
        size_t count;

        assert_false(fault_parse(cases[i].text, strlen(cases[i].text), faults,
                                 MOST, &count, &err));
        assert_int_equal(err.code, ERR_INVALID);
        if (!strstr(err.text, cases[i].says))
            fail_msg("%s: \"%s\" and not \"%s\"", cases[i].text, err.text,
                     cases[i].says);
    }
}

/* ---- striking ---- */

struct fixture {
    struct virtual_clock clock;
    struct phone_faults faults;
};

static void begin(struct fixture *fixture, uint64_t seed, const char *spec)
{
    struct err err = ERR_INIT;

    virtual_clock_init(&fixture->clock, INT64_C(1700000000) * PHONE_SECOND);
    assert_true(faults_init(&fixture->faults, &fixture->clock, seed, &err));
    if (!faults_add(&fixture->faults, spec, strlen(spec), &err))
        fail_msg("%s", err.text);
}

static void end(struct fixture *fixture)
{
    faults_release(&fixture->faults);
    virtual_clock_release(&fixture->clock);
}

static bool strikes(struct fixture *fixture, enum phone_fault_kind kind,
                    const char *place)
{
    struct phone_fault fault;

    return faults_strike(&fixture->faults, kind, place, &fault);
}

/* A letter for each service: does the fault occur? */
static void draw(struct fixture *fixture, const char *place, char *letters,
                 size_t count)
{
    for (size_t i = 0; i < count; i++)
        letters[i] = strikes(fixture, FAULT_DROP, place) ? 'x' : '.';
    letters[count] = '\0';
}

static void fault_strikes_at_its_service(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture, 0, "drop:service=sync;cut:service=*screencap;stall");
    assert_true(strikes(&fixture, FAULT_DROP, "sync:"));
    assert_false(strikes(&fixture, FAULT_DROP, "shell:sync"));
    assert_false(strikes(&fixture, FAULT_DELAY, "sync:"));
    assert_true(strikes(&fixture, FAULT_CUT, "exec:screencap -p"));
    assert_true(strikes(&fixture, FAULT_STALL, "shell:ls"));
    assert_false(strikes(&fixture, FAULT_STALL, FAULTS_CONNECTION));
    end(&fixture);
}

static void fault_skips_and_ends_after_its_times(void **state)
{
    struct fixture fixture;
    char letters[16];

    (void)state;
    begin(&fixture, 0, "drop:skip=2,times=3");
    draw(&fixture, "shell:", letters, 8);
    assert_string_equal(letters, "..xxx...");
    end(&fixture);
}

static void same_seed_strikes_the_same(void **state)
{
    struct fixture fixtures[3];
    char letters[3][65];
    size_t struck = 0;

    (void)state;
    begin(&fixtures[0], 7, "drop:chance=0.5");
    begin(&fixtures[1], 7, "drop:chance=0.5;cut:service=sync,chance=0.5");
    begin(&fixtures[2], 8, "drop:chance=0.5");
    for (size_t i = 0; i < 5; i++)
        (void)strikes(&fixtures[1], FAULT_CUT, "sync:");
    for (size_t i = 0; i < 3; i++)
        draw(&fixtures[i], "shell:", letters[i], 64);
    assert_string_equal(letters[0], letters[1]);
    assert_string_not_equal(letters[0], letters[2]);
    for (const char *at = letters[0]; *at; at++)
        struck += *at == 'x';
    assert_in_range(struck, 16, 48);
    for (size_t i = 0; i < 3; i++)
        end(&fixtures[i]);
}

static void each_strike_is_logged(void **state)
{
    struct fixture fixture;
    struct buf log = BUF_INIT(1U << 20U);

    (void)state;
    begin(&fixture, 0, "drop:service=sync,after=10,times=1");
    virtual_clock_advance(&fixture.clock, 2500 * CLOCK_MILLISECOND);
    assert_true(strikes(&fixture, FAULT_DROP, "sync:"));
    assert_false(strikes(&fixture, FAULT_DROP, "sync:"));
    faults_log(&fixture.faults, &log);
    assert_string_equal(
        buf_cstr(&log),
        "[ 3602.500] fault 1 drop:service=sync,times=1,after=10 at sync:\n");
    buf_release(&log);
    end(&fixture);
}

static void log_keeps_the_newest_lines(void **state)
{
    struct fixture fixture;
    struct buf log = BUF_INIT(1U << 20U);
    size_t lines = 0;

    (void)state;
    begin(&fixture, 0, "drop");
    for (int i = 0; i < 300; i++) {
        char place[32];

        snprintf(place, sizeof(place), "shell:%d", i);
        assert_true(strikes(&fixture, FAULT_DROP, place));
    }
    faults_log(&fixture.faults, &log);
    for (const char *at = buf_cstr(&log); *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, FAULTS_LOG_MAX);
    assert_null(strstr(buf_cstr(&log), "shell:43\n"));
    assert_non_null(strstr(buf_cstr(&log), "shell:44\n"));
    assert_non_null(strstr(buf_cstr(&log), "shell:299\n"));
    buf_release(&log);
    end(&fixture);
}

static void faults_are_added_and_removed(void **state)
{
    struct fixture fixture;
    struct err err = ERR_INIT;
    struct buf list = BUF_INIT(4096);

    (void)state;
    begin(&fixture, 0, "drop;cut;stall");
    assert_true(faults_remove(&fixture.faults, 2));
    assert_false(faults_remove(&fixture.faults, 2));
    assert_true(faults_add(&fixture.faults, "slow", 4, &err));
    assert_false(faults_add(&fixture.faults, "cut;oops", 8, &err));
    assert_true(strikes(&fixture, FAULT_DROP, "shell:"));
    faults_list(&fixture.faults, &list);
    assert_string_equal(buf_cstr(&list), "1 drop (struck 1 times)\n"
                                         "3 stall (struck 0 times)\n"
                                         "4 slow (struck 0 times)\n");
    faults_clear(&fixture.faults);
    assert_false(strikes(&fixture, FAULT_STALL, "shell:"));
    buf_release(&list);
    end(&fixture);
}

static void loaded_faults_continue(void **state)
{
    struct fixture fixture;
    struct buf saved = BUF_INIT(1U << 20U);
    char first[65];
    char again[65];

    (void)state;
    begin(&fixture, 3, "drop:chance=0.3,skip=1;popup:text=a\\,b");
    draw(&fixture, "shell:", first, 10);
    faults_save(&fixture.faults, &saved);
    draw(&fixture, "shell:", first, 64);
    faults_clear(&fixture.faults);
    for (int trial = 1; trial >= 0; trial--) {
        struct saved_state in = {.data = (const uint8_t *)saved.data,
                                 .left = saved.length,
                                 .trial = trial};

        faults_load(&fixture.faults, &in);
        assert_false(in.broken);
        assert_int_equal(in.left, 0);
    }
    draw(&fixture, "shell:", again, 64);
    assert_string_equal(first, again);
    buf_release(&saved);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_notations_are_equivalent),
        cmocka_unit_test(fields_of_a_fault_are_optional),
        cmocka_unit_test(invalid_faults_are_refused_with_a_reason),
        cmocka_unit_test(fault_strikes_at_its_service),
        cmocka_unit_test(fault_skips_and_ends_after_its_times),
        cmocka_unit_test(same_seed_strikes_the_same),
        cmocka_unit_test(each_strike_is_logged),
        cmocka_unit_test(log_keeps_the_newest_lines),
        cmocka_unit_test(faults_are_added_and_removed),
        cmocka_unit_test(loaded_faults_continue),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
