#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/nearest_word.h"
#include "tools/cli/command_line/option.h"

/* A command that has one option of each type. */
struct sample_args {
    bool list;
    bool quiet;
    const char *device;
    double timeout;
    int compression;
    struct option_texts masks;
};

static const char *const compressions[] = {"any", "none", "zstd", NULL};

static const struct option sample_options[] = {
    OPTION_FLAG(struct sample_args, list, "list", 'l', "List"),
    OPTION_FLAG(struct sample_args, quiet, "quiet", 'q', "Quiet"),
    OPTION_TEXT(struct sample_args, device, "device", 's', "SERIAL",
                COMPLETE_DEVICE, "Device"),
    OPTION_SECONDS(struct sample_args, timeout, "timeout", 0, "Time"),
    OPTION_CHOICE(struct sample_args, compression, "compression", 'z', "HOW",
                  compressions, "How"),
    OPTION_TEXTS(struct sample_args, masks, "mask", 'm', "BOX",
                 COMPLETE_NOTHING, "Where not"),
};

static const struct operand files[] = {
    {.name = "LOCAL", .min = 1, .max = OPERAND_MANY},
    {.name = "REMOTE", .min = 1, .max = 1},
};

static const struct operand verbatim[] = {
    {.name = "COMMAND", .max = OPERAND_MANY, .verbatim = true},
};

/* One command line being read. */
struct sample {
    struct sample_args args;
    struct operand_words words;
    struct err err;
};

#define LINE_MAX_WORDS 8

/* Parse words, of which the last is NULL, for a command with operands. */
static bool parse(struct sample *sample, const struct operand *operands,
                  size_t operand_count, const char *const *line)
{
    struct option_group group = {sample_options, ARRAY_LEN(sample_options),
                                 &sample->args};
    struct syntax syntax = {"sample", &group, 1, operands, operand_count};
    char *argv[LINE_MAX_WORDS];
    size_t count = 0;

    *sample = (struct sample){0};
    for (; line[count]; count++)
        argv[count] = (char *)(uintptr_t)line[count];
    return option_parse(&syntax, argv, count, &sample->words, &sample->err) &&
           option_check_words(&syntax, &sample->words, &sample->err);
}

#define LINE(...) ((const char *const[]){__VA_ARGS__, NULL})
#define PARSE(sample_, operands_, ...)                                         \
    parse((sample_), (operands_), ARRAY_LEN(operands_), LINE(__VA_ARGS__))

static void assert_refused(struct sample *sample, const char *part)
{
    assert_int_equal(sample->err.code, ERR_INVALID);
    if (!strstr(sample->err.text, part))
        fail_msg("\"%s\" does not say \"%s\"", sample->err.text, part);
    operand_words_release(&sample->words);
}

static void value_is_in_the_same_argument_or_the_next(void **state)
{
    static const char *const lines[][LINE_MAX_WORDS] = {
        {"--device=X", "a", "b"}, {"--device", "X", "a", "b"},
        {"-s", "X", "a", "b"},    {"-sX", "a", "b"},
        {"-lsX", "a", "b"},       {"a", "-s", "X", "b"},
        {"a", "b", "--device=X"},
    };
    struct sample sample;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        assert_true(parse(&sample, files, ARRAY_LEN(files), lines[i]));
        assert_string_equal(sample.args.device, "X");
        assert_int_equal(sample.words.count, 2);
        assert_string_equal(sample.words.items[0], "a");
        assert_string_equal(sample.words.items[1], "b");
        operand_words_release(&sample.words);
    }
}

static void short_flags_can_be_bundled(void **state)
{
    struct sample sample;

    (void)state;
    assert_true(PARSE(&sample, files, "-lq", "a", "b"));
    assert_true(sample.args.list);
    assert_true(sample.args.quiet);
    assert_null(sample.args.device);
    operand_words_release(&sample.words);
}

static void repeated_option_keeps_all_values(void **state)
{
    struct sample sample;

    (void)state;
    assert_true(PARSE(&sample, files, "-m", "x", "--mask=y", "a", "b"));
    assert_int_equal(sample.args.masks.count, 2);
    assert_string_equal(sample.args.masks.items[0], "x");
    assert_string_equal(sample.args.masks.items[1], "y");
    operand_words_release(&sample.words);
}

static void options_end_at_two_dashes(void **state)
{
    struct sample sample;

    (void)state;
    assert_true(PARSE(&sample, files, "--", "-l", "--quiet"));
    assert_false(sample.args.list);
    assert_int_equal(sample.words.count, 2);
    operand_words_release(&sample.words);
}

static void one_dash_is_an_operand(void **state)
{
    struct sample sample;

    (void)state;
    assert_true(PARSE(&sample, files, "-", "b"));
    assert_string_equal(sample.words.items[0], "-");
    operand_words_release(&sample.words);
}

static void options_end_before_the_devices_command(void **state)
{
    struct sample sample;

    (void)state;
    assert_true(PARSE(&sample, verbatim, "-s", "X", "ls", "-l", "--", "-q"));
    assert_string_equal(sample.args.device, "X");
    assert_false(sample.args.list);
    assert_int_equal(sample.words.count, 4);
    assert_string_equal(sample.words.items[1], "-l");
    assert_string_equal(sample.words.items[2], "--");
    operand_words_release(&sample.words);
}

static void typed_values_are_checked(void **state)
{
    struct sample sample;

    (void)state;
    assert_true(PARSE(&sample, verbatim, "--timeout=2.5", "-zzstd"));
    assert_true(sample.args.timeout > 2.4 && sample.args.timeout < 2.6);
    assert_int_equal(sample.args.compression, 2);
    operand_words_release(&sample.words);

    for (size_t i = 0; i < 7; i++) {
        static const char *const bad[] = {"",    "x",   "0", "-1",
                                          "1e9", "nan", "2s"};

        assert_false(PARSE(&sample, verbatim, "--timeout", bad[i]));
        assert_refused(&sample, "a number of seconds");
    }
    assert_false(PARSE(&sample, verbatim, "--compression=gzip"));
    assert_refused(&sample, "cannot be \"gzip\": give any, none, zstd");
}

static void unknown_option_is_reported_with_the_nearest(void **state)
{
    struct sample sample;

    (void)state;
    assert_false(PARSE(&sample, files, "--devise", "X"));
    assert_refused(&sample, "no option --devise; did you mean --device?");
    assert_false(PARSE(&sample, files, "--comp=any"));
    assert_refused(&sample, "did you mean --compression?");
    assert_false(PARSE(&sample, files, "--xyzzy"));
    assert_refused(&sample, "no option --xyzzy (see: proctor sample --help)");
    assert_false(PARSE(&sample, files, "-lx"));
    assert_refused(&sample, "no option -x");
}

static void a_missing_or_superfluous_value_is_named(void **state)
{
    struct sample sample;

    (void)state;
    assert_false(PARSE(&sample, files, "a", "b", "--device"));
    assert_refused(&sample, "--device needs its SERIAL: --device=SERIAL");
    assert_false(PARSE(&sample, files, "a", "b", "-s"));
    assert_refused(&sample, "--device needs its SERIAL");
    assert_false(PARSE(&sample, files, "--list=yes"));
    assert_refused(&sample, "--list takes no value");
}

static void operands_are_counted(void **state)
{
    static const struct operand one[] = {{.name = "PATH", .min = 1, .max = 1}};
    struct sample sample;

    (void)state;
    assert_false(PARSE(&sample, files, "-l"));
    assert_refused(&sample, "LOCAL is missing");
    assert_false(PARSE(&sample, files, "a"));
    assert_refused(&sample, "REMOTE is missing");
    assert_false(PARSE(&sample, one, "a", "b"));
    assert_refused(&sample, "\"b\" is one argument too many");
}

static void operands_can_be_restricted_to_choices(void **state)
{
    static const char *const shells[] = {"bash", "zsh", NULL};
    static const struct operand operands[] = {
        {.name = "FILE", .max = OPERAND_MANY},
        {.name = "SHELL", .choices = shells, .min = 1, .max = 1},
    };
    struct sample sample;

    (void)state;
    assert_true(PARSE(&sample, operands, "a", "b", "zsh"));
    operand_words_release(&sample.words);
    assert_false(PARSE(&sample, operands, "bash", "tcsh"));
    assert_refused(&sample, "SHELL cannot be \"tcsh\": give bash, zsh");
}

static void command_is_found_after_options(void **state)
{
    static const struct {
        const char *line[LINE_MAX_WORDS];
        size_t count;
        size_t command;
    } cases[] = {
        {{"shell", "-l"}, 2, 0},
        {{"-l", "shell"}, 2, 1},
        {{"-s", "X", "shell"}, 3, 2},
        {{"-sX", "shell"}, 2, 1},
        {{"-ls", "X", "shell"}, 3, 2},
        {{"--device", "X", "ls"}, 3, 2},
        {{"--device=X", "shell"}, 2, 1},
        {{"--help"}, 1, 1},
        {{"--device"}, 1, 1},
        {{"--what", "shell"}, 2, 1},
    };
    struct option_group group = {sample_options, ARRAY_LEN(sample_options),
                                 NULL};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *argv[LINE_MAX_WORDS];

        for (size_t w = 0; w < cases[i].count; w++)
            argv[w] = (char *)(uintptr_t)cases[i].line[w];
        assert_int_equal(option_skip(&group, 1, argv, cases[i].count),
                         cases[i].command);
    }
}

static void the_nearest_word_is_found(void **state)
{
    static const struct {
        const char *wanted;
        const char *best;
    } cases[] = {
        {"devcies", "devices"},
        {"shel", "shell"},
        {"dev", "devices"},
        {"pusj", "push"},
        {"xyzzy", NULL},
        {"l", "ls"},
        {"disconect", "disconnect"},
    };
    static const char *const words[] = {"devices", "shell",      "push",
                                        "ls",      "disconnect", "connect"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct nearest_word nearest;

        nearest_word_init(&nearest, cases[i].wanted);
        for (size_t w = 0; w < ARRAY_LEN(words); w++)
            nearest_word_offer(&nearest, words[w]);
        if (cases[i].best)
            assert_string_equal(nearest.best, cases[i].best);
        else
            assert_null(nearest.best);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_is_in_the_same_argument_or_the_next),
        cmocka_unit_test(short_flags_can_be_bundled),
        cmocka_unit_test(repeated_option_keeps_all_values),
        cmocka_unit_test(options_end_at_two_dashes),
        cmocka_unit_test(one_dash_is_an_operand),
        cmocka_unit_test(options_end_before_the_devices_command),
        cmocka_unit_test(typed_values_are_checked),
        cmocka_unit_test(unknown_option_is_reported_with_the_nearest),
        cmocka_unit_test(a_missing_or_superfluous_value_is_named),
        cmocka_unit_test(operands_are_counted),
        cmocka_unit_test(operands_can_be_restricted_to_choices),
        cmocka_unit_test(command_is_found_after_options),
        cmocka_unit_test(the_nearest_word_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
