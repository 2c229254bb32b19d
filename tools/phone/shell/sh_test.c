#include "tools/phone/shell/sh_test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/phone/shell/sh_private.h"

/* The arguments of test, read from left to right. */
struct test_call {
    struct command_call *call;
    char **words;
    size_t count;
    unsigned depth;
    bool patterns; /* the right side is a pattern */
    bool nonsense;
};

static bool any(struct test_call *question);

static bool nonsense(struct test_call *question, const char *what)
{
    if (!question->nonsense)
        sh_complain(question->call->ports.errors, question->call->shell->name,
                    "%s: %s", question->call->command->name, what);
    question->nonsense = true;
    return false;
}

static const char *take(struct test_call *question)
{
    question->count--;
    return *question->words++;
}

static bool next_is(const struct test_call *question, const char *word)
{
    return question->count && !strcmp(question->words[0], word);
}

/* ---- files ---- */

static bool fits_type(char letter, const struct files_stat *stat)
{
    switch (letter) {
    case 'f':
        return S_ISREG(stat->mode);
    case 'd':
        return S_ISDIR(stat->mode);
    case 'h':
    case 'L':
        return S_ISLNK(stat->mode);
    case 'c':
        return S_ISCHR(stat->mode);
    case 's':
        return stat->size > 0;
    default: /* 'e' */
        return true;
    }
}

static bool is_file(struct test_call *question, char letter, const char *name)
{
    struct phone_files *files = question->call->files;
    char *path = call_path(question->call, name);
    unsigned access = letter == 'r' ? 4U : letter == 'w' ? 2U : 1U;
    struct files_stat stat;
    bool is;
    int number;

    if (!path || !*name)
        is = false;
    else if (strchr("rwx", letter))
        is = files_access(files, path, access, &number);
    else
        is = files_stat(files, path, letter != 'h' && letter != 'L', &stat,
                        &number) &&
             fits_type(letter, &stat);
    free(path);
    return is;
}

static int64_t time_of(struct test_call *question, const char *name)
{
    char *path = call_path(question->call, name);
    struct files_stat stat = {.mtime = -1};
    int number;

    if (path && !files_stat(question->call->files, path, true, &stat, &number))
        stat.mtime = -1;
    free(path);
    return stat.mtime;
}

/* -t: is this descriptor a terminal? */
static bool is_terminal(const struct command_call *call, const char *word)
{
    const struct sh_session *session = call->shell->session;

    if (!session->options.terminal)
        return false;
    if (!strcmp(word, "0"))
        return call->ports.in == &session->in.in;
    if (!strcmp(word, "1"))
        return call->ports.out == &session->out.out;
    return !strcmp(word, "2") && call->ports.errors == &session->errors.out;
}

/* ---- one condition ---- */

static bool is_unary(const char *word)
{
    return word[0] == '-' && word[1] && !word[2] &&
           strchr("zntefdhLcsrwx", word[1]);
}

static bool unary(struct test_call *question)
{
    char letter = take(question)[1];
    const char *word = take(question);

    switch (letter) {
    case 'z':
        return !*word;
    case 'n':
        return *word;
    case 't':
        return is_terminal(question->call, word);
    default:
        return is_file(question, letter, word);
    }
}

static long long number_of(struct test_call *question, const char *text)
{
    char *end;
    long long value;

    errno = 0;
    value = strtoll(text, &end, 10);
    if (errno || end == text || *end)
        nonsense(question, "bad number");
    return value;
}

enum test_comparison {
    COMPARE_NONE,
    COMPARE_TEXT,
    COMPARE_NUMBERS,
    COMPARE_TIMES,
};

/* The sign of a comparison, and whether it fits the operator. */
static const struct test_operation {
    const char *word;
    enum test_comparison comparison;
    bool less, equal, more;
} operations[] = {
    {"=", COMPARE_TEXT, false, true, false},
    {"==", COMPARE_TEXT, false, true, false},
    {"!=", COMPARE_TEXT, true, false, true},
    {"<", COMPARE_TEXT, true, false, false},
    {">", COMPARE_TEXT, false, false, true},
    {"-eq", COMPARE_NUMBERS, false, true, false},
    {"-ne", COMPARE_NUMBERS, true, false, true},
    {"-lt", COMPARE_NUMBERS, true, false, false},
    {"-le", COMPARE_NUMBERS, true, true, false},
    {"-gt", COMPARE_NUMBERS, false, false, true},
    {"-ge", COMPARE_NUMBERS, false, true, true},
    {"-nt", COMPARE_TIMES, false, false, true},
    {"-ot", COMPARE_TIMES, true, false, false},
};

static const struct test_operation *find_operation(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        if (!strcmp(operations[i].word, word))
            return &operations[i];
    }
    return NULL;
}

static int sign(long long a, long long b)
{
    return a < b ? -1 : a > b;
}

static bool binary(struct test_call *question)
{
    const char *left = take(question);
    const struct test_operation *operation = find_operation(take(question));
    const char *right = take(question);
    int order;

    if (operation->comparison == COMPARE_NUMBERS)
        order = sign(number_of(question, left), number_of(question, right));
    else if (operation->comparison == COMPARE_TIMES)
        order = sign(time_of(question, left), time_of(question, right));
    else if (question->patterns && operation->less == operation->more)
        order = !sh_match(question->call->shell->session, right, left);
    else
        order = strcmp(left, right);
    if (order < 0)
        return operation->less;
    return order > 0 ? operation->more : operation->equal;
}

/* ---- -a, -o, ! and parentheses ---- */

static bool enclosed(struct test_call *question)
{
    bool answer;

    take(question);
    answer = any(question);
    if (!next_is(question, ")"))
        return nonsense(question, "missing ')'");
    take(question);
    return answer;
}

static bool one(struct test_call *question)
{
    if (!question->count)
        return nonsense(question, "expression expected");
    if (question->count >= 3 && find_operation(question->words[1]))
        return binary(question);
    if (question->count >= 2 && next_is(question, "!")) {
        bool answer;

        if (question->depth >= SH_DEPTH_MAX)
            return nonsense(question, "too deep");
        question->depth++;
        take(question);
        answer = !one(question);
        question->depth--;
        return answer;
    }
    if (question->count >= 2 && is_unary(question->words[0]))
        return unary(question);
    if (question->count >= 2 && next_is(question, "("))
        return enclosed(question);
    return *take(question);
}

static bool all(struct test_call *question)
{
    bool answer = one(question);

    while (!question->nonsense && next_is(question, "-a")) {
        take(question);
        answer = one(question) && answer;
    }
    return answer;
}

static bool any(struct test_call *question)
{
    bool answer;

    if (question->depth >= SH_DEPTH_MAX)
        return nonsense(question, "too deep");
    question->depth++;
    answer = all(question);
    while (!question->nonsense && next_is(question, "-o")) {
        take(question);
        answer = all(question) || answer;
    }
    question->depth--;
    return answer;
}

int sh_test(struct command_call *call)
{
    struct test_call question = {
        .call = call, .words = call->argv + 1, .count = call->argc - 1};
    bool answer;

    question.patterns = !strcmp(call->command->name, "[[");
    if (!strcmp(call->command->name, "[")) {
        if (!question.count || strcmp(call->argv[call->argc - 1], "]") != 0) {
            nonsense(&question, "missing ]");
            return 2;
        }
        question.count--;
    }
    if (!question.count)
        return 1;
    answer = any(&question);
    if (question.count)
        nonsense(&question, "unexpected operator/operand");
    if (question.nonsense)
        return 2;
    return answer ? 0 : 1;
}
