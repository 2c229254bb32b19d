#include "base/log.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

/* A log into a file, unbuffered as stderr is. */
struct log_recording {
    struct log log;
    FILE *out;
    size_t length; /* the text, after the log was stopped */
};

static void start(struct log_recording *recording, const char *spec)
{
    struct err err = ERR_INIT;

    recording->out = tmpfile();
    assert_non_null(recording->out);
    setbuf(recording->out, NULL);
    assert_true(log_init(&recording->log, recording->out, spec, &err));
}

/* The logged text; the caller frees it. */
static char *stop(struct log_recording *recording)
{
    size_t size = (size_t)ftell(recording->out);
    char *text = mem_new(size + 1, 1);

    rewind(recording->out);
    recording->length = fread(text, 1, size, recording->out);
    assert_int_equal(recording->length, size);
    fclose(recording->out);
    return text;
}

static void nothing_is_traced_by_default(void **state)
{
    struct log_recording recording;
    char *text;
    int evaluated = 0;

    (void)state;
    start(&recording, NULL);
    log_trace(&recording.log, LOG_PACKET, "%d", ++evaluated);
    log_trace(NULL, LOG_PACKET, "%d", ++evaluated);
    text = stop(&recording);
    assert_string_equal(text, "");
    assert_int_equal(evaluated, 0);
    free(text);
}

static void only_the_named_components_are_on(void **state)
{
    struct log_recording recording;
    char *text;

    (void)state;
    start(&recording, "packet,sync");
    assert_true(log_enabled(&recording.log, LOG_PACKET));
    assert_true(log_enabled(&recording.log, LOG_SYNC));
    assert_false(log_enabled(&recording.log, LOG_CONN));
    log_trace(&recording.log, LOG_SYNC, "pulled %s", "a.png");
    log_trace(&recording.log, LOG_CONN, "silent");
    text = stop(&recording);
    assert_non_null(strstr(text, " ms sync   pulled a.png\n"));
    assert_null(strstr(text, "silent"));
    free(text);
}

static void all_turns_everything_on(void **state)
{
    struct log_recording recording;

    (void)state;
    start(&recording, "all");
    for (int i = 0; i < LOG_COMPONENT_COUNT; i++)
        assert_true(log_enabled(&recording.log, (enum log_component)i));
    free(stop(&recording));
}

static void unknown_component_is_refused_with_a_list(void **state)
{
    struct log log = {.enabled = 7};
    struct err err = ERR_INIT;

    (void)state;
    assert_false(log_init(&log, stderr, "packet,syncs", &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_string_equal(err.text, "PROCTOR_TRACE: no component \"syncs\" "
                                  "(packet, conn, server, sync, model, all)");
    assert_int_equal(log.enabled, 7);
}

static void untrusted_text_stays_in_its_line(void **state)
{
    struct log_recording recording;
    char *text;

    (void)state;
    start(&recording, "conn");
    log_trace(&recording.log, LOG_CONN, "%s", "a\nb\x1b[2J\r");
    text = stop(&recording);
    assert_non_null(strstr(text, "a?b?[2J?\n"));
    free(text);
}

static void long_line_is_cut_and_ends_with_a_newline(void **state)
{
    struct log_recording recording;
    char name[2000];
    char *text;

    (void)state;
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    start(&recording, "conn");
    log_trace(&recording.log, LOG_CONN, "%s", name);
    text = stop(&recording);
    assert_in_range(recording.length, 500, 600);
    assert_int_equal(text[recording.length - 1], '\n');
    free(text);
}

#define LINES 500

static void *write_lines(void *log)
{
    for (int i = 0; i < LINES; i++)
        log_trace((struct log *)log, LOG_CONN, "<%0100d>", i);
    return NULL;
}

static void lines_of_two_threads_do_not_mix(void **state)
{
    struct log_recording recording;
    pthread_t other;
    size_t whole = 0;
    char *text;

    (void)state;
    start(&recording, "conn");
    assert_int_equal(pthread_create(&other, NULL, write_lines, &recording.log),
                     0);
    write_lines(&recording.log);
    pthread_join(other, NULL);
    text = stop(&recording);
    for (char *line = text; *line; line = strchr(line, '\n') + 1) {
        char *open = strchr(line, '<');

        assert_non_null(open);
        assert_memory_equal(open + 101, ">\n", 2);
        whole++;
    }
    assert_int_equal(whole, 2 * LINES);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_traced_by_default),
        cmocka_unit_test(only_the_named_components_are_on),
        cmocka_unit_test(all_turns_everything_on),
        cmocka_unit_test(unknown_component_is_refused_with_a_list),
        cmocka_unit_test(untrusted_text_stays_in_its_line),
        cmocka_unit_test(long_line_is_cut_and_ends_with_a_newline),
        cmocka_unit_test(lines_of_two_threads_do_not_mix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
