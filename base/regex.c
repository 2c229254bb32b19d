#include "base/regex.h"

#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/mem.h"

/* The work limit of a match, against malicious patterns and texts. */
#define STEPS_MAX 100000U
#define HEAP_KIB_MAX 4096U
#define NESTING_MAX 32U

struct regex {
    pcre2_code *code;
    pcre2_match_data *found;
    pcre2_match_context *limits;
    bool gave_up;
};

static uint32_t options_of(unsigned flags)
{
    uint32_t options = 0;

    if (flags & REGEX_CASELESS)
        options |= PCRE2_CASELESS;
    if (flags & REGEX_LITERAL)
        options |= PCRE2_LITERAL;
    else
        options |= PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C;
    if (!(flags & REGEX_BYTES))
        options |= PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
    else if (!(flags & REGEX_LITERAL))
        options |= PCRE2_NEVER_UTF;
    if (!(flags & (REGEX_BYTES | REGEX_LITERAL)))
        options |= PCRE2_UCP;
    return options;
}

static bool compile(struct regex *pattern, const char *text, unsigned flags,
                    struct err *err)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    PCRE2_UCHAR why[120];
    PCRE2_SIZE offset;
    int number;

    if (!context)
        mem_out();
    pcre2_set_parens_nest_limit(context, NESTING_MAX);
    pattern->code = pcre2_compile((PCRE2_SPTR)text, strlen(text),
                                  options_of(flags), &number, &offset, context);
    pcre2_compile_context_free(context);
    if (pattern->code)
        return true;
    pcre2_get_error_message(number, why, sizeof(why));
    return err_set(err, ERR_INVALID, "bad pattern: %s at byte %zu",
                   (const char *)why, offset);
}

static void limit(struct regex *pattern)
{
    pattern->found = pcre2_match_data_create(REGEX_SPANS, NULL);
    pattern->limits = pcre2_match_context_create(NULL);
    if (!pattern->found || !pattern->limits)
        mem_out();
    pcre2_set_match_limit(pattern->limits, STEPS_MAX);
    pcre2_set_depth_limit(pattern->limits, STEPS_MAX);
    pcre2_set_heap_limit(pattern->limits, HEAP_KIB_MAX);
}

bool regex_open(const char *text, unsigned flags, struct regex **pattern,
                struct err *err)
{
    struct regex *opened;

    if (strlen(text) > PATTERN_MAX)
        return err_set(err, ERR_LIMIT, "the pattern is too long");
    opened = mem_new(1, sizeof(*opened));
    if (!compile(opened, text, flags, err)) {
        free(opened);
        return false;
    }
    limit(opened);
    *pattern = opened;
    return true;
}

void regex_close(struct regex *pattern)
{
    if (!pattern)
        return;
    pcre2_match_context_free(pattern->limits);
    pcre2_match_data_free(pattern->found);
    pcre2_code_free(pattern->code);
    free(pattern);
}

bool regex_find(struct regex *pattern, const char *text, size_t length,
                size_t *begin, size_t *end)
{
    int result = pcre2_match(pattern->code, (PCRE2_SPTR)text, length, 0, 0,
                             pattern->found, pattern->limits);
    const PCRE2_SIZE *found;

    pattern->gave_up = result < 0 && result != PCRE2_ERROR_NOMATCH;
    if (result < 0)
        return false;
    found = pcre2_get_ovector_pointer(pattern->found);
    *begin = found[0];
    *end = found[1];
    return true;
}

bool regex_find_spans(struct regex *pattern, const char *text, size_t length,
                      size_t from, struct regex_span spans[REGEX_SPANS])
{
    int result = pcre2_match(pattern->code, (PCRE2_SPTR)text, length, from, 0,
                             pattern->found, pattern->limits);
    const PCRE2_SIZE *found;

    pattern->gave_up = result < 0 && result != PCRE2_ERROR_NOMATCH;
    if (result < 0)
        return false;
    found = pcre2_get_ovector_pointer(pattern->found);
    for (int i = 0; i < REGEX_SPANS; i++) {
        bool set = (!result || i < result) && found[2 * i] != PCRE2_UNSET;

        spans[i] = (struct regex_span){set ? found[2 * i] : 0,
                                       set ? found[2 * i + 1] : 0, set};
    }
    return true;
}

bool regex_matches(struct regex *pattern, const char *text)
{
    size_t begin;
    size_t end;

    return regex_find(pattern, text, strlen(text), &begin, &end);
}

bool regex_gave_up(const struct regex *pattern)
{
    return pattern->gave_up;
}
