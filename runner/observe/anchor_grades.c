#include "runner/observe/anchor_grades.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* Grades of texts that are not equal. */
#define GRADE_MEANING 0.85
#define GRADE_WORDS 0.6 /* of the same words only */

/* An id with something in front or behind it, such as "btn_sort". */
#define GRADE_LONGER_ID 0.8

#define WORDS_MAX 16
#define WORD_MAX 64

/* ---- ids ---- */

/* Is part the beginning or the end of whole, up to an underscore? */
static bool is_end_of(const char *part, const char *whole)
{
    size_t length = strlen(part), all = strlen(whole);

    if (length < 2 || length >= all)
        return false;
    return (!strncmp(part, whole, length) && whole[length] == '_') ||
           (!strcmp(part, whole + all - length) &&
            whole[all - length - 1] == '_');
}

double anchor_grade_ids(const char *was, const char *is)
{
    double lengths;

    if (!strcmp(was, is))
        return 1;
    lengths = (double)strlen(was) / (double)strlen(is);
    if (is_end_of(was, is))
        return GRADE_LONGER_ID + (1 - GRADE_LONGER_ID) / 2 * lengths;
    if (is_end_of(is, was))
        return GRADE_LONGER_ID + (1 - GRADE_LONGER_ID) / 2 / lengths;
    return 0;
}

/* ---- texts ---- */

bool anchor_same_text(const char *a, const char *b)
{
    return !strcasecmp(a, b);
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Split into words; returns how many. */
static size_t split(const char *text, char words[WORDS_MAX][WORD_MAX])
{
    size_t count = 0;

    while (*text && count < WORDS_MAX) {
        size_t length = 0;

        while (*text && !is_letter(*text))
            text++;
        for (; is_letter(*text); text++) {
            if (length < WORD_MAX - 1)
                words[count][length++] = (char)tolower((unsigned char)*text);
        }
        words[count][length] = '\0';
        count += length > 0;
    }
    return count;
}

/* The share of words that both have. */
static double common_words(const char *a, const char *b)
{
    char in_a[WORDS_MAX][WORD_MAX], in_b[WORDS_MAX][WORD_MAX];
    size_t count_a = split(a, in_a), count_b = split(b, in_b), common = 0;

    for (size_t i = 0; i < count_a; i++) {
        for (size_t j = 0; j < count_b; j++) {
            if (!strcmp(in_a[i], in_b[j])) {
                common++;
                break;
            }
        }
    }
    return count_a + count_b ? 2 * (double)common / (double)(count_a + count_b)
                             : 0;
}

static double grade_in(const char *text, const struct match_element *is)
{
    double best = 0;

    for (size_t i = 0; i < is->text_count; i++) {
        if (anchor_same_text(text, is->texts[i]))
            return 1;
        best = fmax(best, GRADE_WORDS * common_words(text, is->texts[i]));
    }
    return best;
}

double anchor_grade_main_text(const struct match_element *was,
                              const struct match_element *is)
{
    double grade = was->text_count ? grade_in(was->texts[0], is) : 0;

    return was->meaning && is->meaning && !strcmp(was->meaning, is->meaning)
               ? fmax(grade, GRADE_MEANING)
               : grade;
}

/* The main text counts twice. */
double anchor_grade_texts(const struct match_element *was,
                          const struct match_element *is)
{
    double sum = 2 * anchor_grade_main_text(was, is);

    for (size_t i = 1; i < was->text_count; i++)
        sum += grade_in(was->texts[i], is);
    return was->text_count ? sum / (double)(was->text_count + 1) : 0;
}

double anchor_grade_numbers(const struct match_element *was,
                            const struct match_element *is)
{
    size_t common = 0;

    for (size_t i = 0; i < was->number_count; i++) {
        for (size_t j = 0; j < is->number_count; j++)
            common += was->numbers[i] == is->numbers[j];
    }
    return 2 * (double)common / (double)(was->number_count + is->number_count);
}

/* ---- kinds and positions ---- */

double anchor_grade_kinds(const struct tree *tree_was,
                          const struct match_element *was,
                          const struct tree *tree_is,
                          const struct match_element *is)
{
    const struct tree_node *a = &tree_was->nodes[was->node];
    const struct tree_node *b = &tree_is->nodes[is->node];
    double inside_a = a->end - was->node, inside_b = b->end - is->node;
    double size = fmin(inside_a, inside_b) / fmax(inside_a, inside_b);

    return (a->role == b->role ? 0.5 : 0) +
           (!strcmp(a->class_name, b->class_name) ? 0.3 : 0) + 0.2 * size;
}

double anchor_distance(const struct match_element *was,
                       const struct match_element *is)
{
    return hypot(was->x - is->x, was->y - is->y);
}

double anchor_grade_positions(const struct match_element *was,
                              const struct match_element *is)
{
    return fmax(0, 1 - 2 * anchor_distance(was, is));
}
