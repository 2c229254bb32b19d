#include "runner/observe/screen_match.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/observe/anchor_grades.h"

/* An anchor with a lower grade does not match. */
#define GRADE_MATCHES 0.75

/* Positions that are nearer, as parts of the screen, are the same. */
#define SAME_PLACE 0.03

/* A pair with a lower similarity is none. */
#define PAIR_MIN 0.2

/* A pair with at least this similarity is the same element. */
#define PAIR_SURE 0.5

/* A next best choice at this distance leaves no doubt. */
#define MARGIN_SURE 0.3

/* If this share of elements is in the same places, all places count. */
#define PLACES_HOLD 0.8

/* So many equal numbers make a row the same. */
#define NUMBERS_ENOUGH 2

/* The confidence in another row, at most. */
#define CONFIDENCE_OTHER_ROW 0.4

static const struct {
    const char *name;
    double weight;
    double least; /* share of the weight that is left when nothing holds */
} anchors[SCREEN_ANCHORS] = {
    [SCREEN_ANCHOR_ID] = {"id", 3, 0.1},
    [SCREEN_ANCHOR_TEXT] = {"text", 4, 0.15},
    [SCREEN_ANCHOR_NUMBERS] = {"numbers", 2, 0.2},
    [SCREEN_ANCHOR_KIND] = {"kind", 1.5, 1},
    [SCREEN_ANCHOR_POSITION] = {"position", 1.5, 0.3},
};

/* Both screens, and how much of each anchor holds between them. */
struct screen_pair {
    struct match_elements was;
    struct match_elements is;
    struct screen_carry carry;
    bool other_language;
};

struct pair {
    size_t was;
    size_t is;
    double score;
};

/* How an element of one screen fits one of the other. */
struct fit {
    double grade[SCREEN_ANCHORS];
    double weight[SCREEN_ANCHORS]; /* 0: it says nothing */
    double score;
};

/* ---- one pair ---- */

static void weigh(const struct screen_pair *both, enum screen_anchor anchor,
                  double grade, double part, struct fit *fit)
{
    double holds = fmax(both->carry.of[anchor], anchors[anchor].least);

    fit->grade[anchor] = grade;
    fit->weight[anchor] = anchors[anchor].weight * holds * part;
}

/* Can they be the same at all? */
static bool can_be(const struct screen_pair *both,
                   const struct match_element *was,
                   const struct match_element *is)
{
    bool field_was = match_element_role(&both->was, was) == ROLE_FIELD;
    bool field_is = match_element_role(&both->is, is) == ROLE_FIELD;

    return was->control == is->control && field_was == field_is;
}

static void fit_pair(const struct screen_pair *both,
                     const struct match_element *was,
                     const struct match_element *is, struct fit *fit)
{
    double all = 0, sum = 0;

    *fit = (struct fit){.score = 0};
    if (!can_be(both, was, is))
        return;
    if (*was->id || *is->id)
        weigh(both, SCREEN_ANCHOR_ID, anchor_grade_ids(was->id, is->id),
              was->sharing > 1 && is->sharing > 1 ? 0.4 : 1, fit);
    if (was->text_count || is->text_count)
        weigh(both, SCREEN_ANCHOR_TEXT, anchor_grade_texts(was, is), 1, fit);
    if (was->number_count || is->number_count)
        weigh(both, SCREEN_ANCHOR_NUMBERS, anchor_grade_numbers(was, is), 1,
              fit);
    weigh(both, SCREEN_ANCHOR_KIND,
          anchor_grade_kinds(both->was.tree, was, both->is.tree, is), 1, fit);
    weigh(both, SCREEN_ANCHOR_POSITION, anchor_grade_positions(was, is), 1,
          fit);
    for (int i = 0; i < SCREEN_ANCHORS; i++) {
        all += fit->weight[i];
        sum += fit->weight[i] * fit->grade[i];
    }
    fit->score = all > 0 ? sum / all : 0;
}

/* ---- what holds between the screens ---- */

/* The only element of the other screen with that id or text; NULL: none. */
static const struct match_element *only_match(const struct match_elements *is,
                                              const struct match_element *was,
                                              enum screen_anchor anchor)
{
    const struct match_element *found = NULL;

    for (size_t i = 0; i < is->count; i++) {
        const struct match_element *element = &is->items[i];
        bool fits =
            anchor == SCREEN_ANCHOR_ID
                ? *was->id && anchor_grade_ids(was->id, element->id) > 0
                : was->text_count && element->text_count &&
                      anchor_same_text(was->texts[0], element->texts[0]);

        if (fits && found)
            return NULL;
        if (fits)
            found = element;
    }
    return found;
}

static bool has_id(const struct match_elements *is, const char *id)
{
    for (size_t i = 0; i < is->count; i++) {
        if (anchor_grade_ids(id, is->items[i].id) > 0)
            return true;
    }
    return false;
}

static bool has_text(const struct match_elements *is, const char *text)
{
    for (size_t i = 0; i < is->count; i++) {
        for (size_t j = 0; j < is->items[i].text_count; j++) {
            if (anchor_same_text(text, is->items[i].texts[j]))
                return true;
        }
    }
    return false;
}

static bool has_number(const struct match_elements *is, uint64_t number)
{
    for (size_t i = 0; i < is->count; i++) {
        for (size_t j = 0; j < is->items[i].number_count; j++) {
            if (number == is->items[i].numbers[j])
                return true;
        }
    }
    return false;
}

static bool is_words(const char *text)
{
    for (; *text; text++) {
        if (isalpha((unsigned char)*text) || (unsigned char)*text >= 0x80)
            return true;
    }
    return false;
}

struct share {
    double found;
    double all;
};

static void count(struct share *share, bool found)
{
    share->found += found;
    share->all += 1;
}

static void count_element(const struct screen_pair *both,
                          const struct match_element *was,
                          struct share shares[SCREEN_ANCHORS])
{
    const struct match_element *same;

    if (*was->id)
        count(&shares[SCREEN_ANCHOR_ID], has_id(&both->is, was->id));
    for (size_t i = 0; i < was->text_count; i++) {
        if (is_words(was->texts[i]))
            count(&shares[SCREEN_ANCHOR_TEXT],
                  has_text(&both->is, was->texts[i]));
    }
    for (size_t i = 0; i < was->number_count; i++)
        count(&shares[SCREEN_ANCHOR_NUMBERS],
              has_number(&both->is, was->numbers[i]));
    same = only_match(&both->is, was, SCREEN_ANCHOR_ID);
    if (!same)
        same = only_match(&both->is, was, SCREEN_ANCHOR_TEXT);
    if (same)
        count(&shares[SCREEN_ANCHOR_POSITION],
              anchor_distance(was, same) < SAME_PLACE);
}

static void measure_carry(struct screen_pair *both)
{
    struct share shares[SCREEN_ANCHORS] = {{0, 0}};

    for (size_t i = 0; i < both->was.count; i++)
        count_element(both, &both->was.items[i], shares);
    for (int i = 0; i < SCREEN_ANCHORS; i++)
        both->carry.of[i] =
            shares[i].all > 0 ? shares[i].found / shares[i].all : 1;
}

/* ---- pairs ---- */

static int by_score(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    if (x->score > y->score || x->score < y->score)
        return x->score < y->score ? 1 : -1;
    if (x->was != y->was)
        return x->was < y->was ? -1 : 1;
    return (x->is > y->is) - (x->is < y->is);
}

/* All pairs that may be the same, the most similar first. */
static struct pair *rank_pairs(const struct screen_pair *both, size_t *count)
{
    struct pair *pairs =
        mem_new(both->was.count * both->is.count + 1, sizeof(*pairs));
    struct fit fit;

    *count = 0;
    for (size_t i = 0; i < both->was.count; i++) {
        for (size_t j = 0; j < both->is.count; j++) {
            fit_pair(both, &both->was.items[i], &both->is.items[j], &fit);
            if (fit.score >= PAIR_MIN)
                pairs[(*count)++] = (struct pair){i, j, fit.score};
        }
    }
    qsort(pairs, *count, sizeof(*pairs), by_score);
    return pairs;
}

/* Keep the pairs of elements that have no better partner. */
static size_t choose_pairs(const struct screen_pair *both, struct pair *pairs,
                           size_t count)
{
    bool *used_was = mem_new(both->was.count + 1, sizeof(*used_was));
    bool *used_is = mem_new(both->is.count + 1, sizeof(*used_is));
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (used_was[pairs[i].was] || used_is[pairs[i].is])
            continue;
        used_was[pairs[i].was] = used_is[pairs[i].is] = true;
        pairs[kept++] = pairs[i];
    }
    free(used_was);
    free(used_is);
    return kept;
}

static void compare(const struct screen_matcher *matcher,
                    const struct tree *was, uint32_t node,
                    const struct tree *is, struct screen_pair *both)
{
    match_elements_init(&both->was, was, node, matcher->was, matcher->texts);
    match_elements_init(&both->is, is, TREE_NONE, matcher->is, NULL);
    both->other_language = matcher->other_language;
    measure_carry(both);
}

static void comparison_release(struct screen_pair *both)
{
    match_elements_release(&both->was);
    match_elements_release(&both->is);
}

/* ---- finding one ---- */

static void append(char *text, const char *more)
{
    size_t length = strlen(text);

    snprintf(text + length, SCREEN_MATCH_REASON_MAX - length, "%s", more);
}

static void list_anchors(const struct fit *fit, bool matching,
                         const char *title, char *reason)
{
    bool first = true;

    for (int i = 0; i < SCREEN_ANCHORS; i++) {
        if (fit->weight[i] <= 0 || (fit->grade[i] >= GRADE_MATCHES) != matching)
            continue;
        if (first)
            append(reason, *reason ? "; " : "");
        append(reason, first ? title : ", ");
        append(reason, anchors[i].name);
        first = false;
    }
}

/*
 * The similarity of the next best choice: another current element for the
 * recorded one that has no better partner itself, or another recorded element
 * for the current one.
 */
static double next_best(const struct screen_pair *both,
                        const struct pair *chosen, size_t kept,
                        const struct pair *pair)
{
    double next = 0;
    struct fit fit;

    for (size_t j = 0; j < both->is.count; j++) {
        double taken = 0; /* the similarity of the pair that it is in */

        if (j == pair->is)
            continue;
        for (size_t k = 0; k < kept; k++) {
            if (chosen[k].is == j)
                taken = chosen[k].score;
        }
        fit_pair(both, &both->was.items[pair->was], &both->is.items[j], &fit);
        /* one that another fits better is no choice */
        next = fmax(next, fit.score - fmax(0, taken - fit.score));
    }
    return next;
}

/* All numbers of an element are the same, and there are several. */
static bool has_same_numbers(const struct match_element *was,
                             const struct fit *fit)
{
    return was->number_count >= NUMBERS_ENOUGH &&
           fit->grade[SCREEN_ANCHOR_NUMBERS] >= GRADE_MATCHES;
}

/*
 * One of several alike, such as rows of a list, is the same only by its main
 * text; in another language, where the current text is not known, also by
 * several numbers, or by its place on a screen where all places hold.
 */
static bool is_another_row(const struct screen_pair *both,
                           const struct match_element *was,
                           const struct match_element *is,
                           const struct fit *fit)
{
    if (was->sharing < 2 || !*was->id || !was->text_count ||
        anchor_grade_main_text(was, is) >= GRADE_MATCHES)
        return false;
    if (!both->other_language || was->replaced)
        return true;
    return !has_same_numbers(was, fit) &&
           (both->carry.of[SCREEN_ANCHOR_POSITION] < PLACES_HOLD ||
            anchor_distance(was, is) >= SAME_PLACE);
}

static void describe(const struct screen_pair *both, const struct pair *chosen,
                     size_t kept, const struct pair *pair,
                     struct screen_target *target)
{
    struct fit fit;
    double sure;

    fit_pair(both, &both->was.items[pair->was], &both->is.items[pair->is],
             &fit);
    target->node = both->is.items[pair->is].node;
    target->score = pair->score;
    target->margin = pair->score - next_best(both, chosen, kept, pair);
    sure = fmin(1, fmax(0, target->margin / MARGIN_SURE));
    target->confidence = (pair->score + sure) / 2;
    if (is_another_row(both, &both->was.items[pair->was],
                       &both->is.items[pair->is], &fit))
        target->confidence = fmin(target->confidence, CONFIDENCE_OTHER_ROW);
    list_anchors(&fit, true, "same ", target->reason);
    list_anchors(&fit, false, "other ", target->reason);
}

void screen_match_find(const struct screen_matcher *matcher,
                       const struct tree *was, uint32_t node,
                       const struct tree *is, struct screen_target *target)
{
    struct screen_pair both;
    const struct match_element *wanted;
    struct pair *pairs;
    size_t count;

    *target = (struct screen_target){.node = TREE_NONE};
    compare(matcher, was, node, is, &both);
    wanted = match_elements_around(&both.was, node);
    pairs = rank_pairs(&both, &count);
    count = choose_pairs(&both, pairs, count);
    for (size_t i = 0; wanted && i < count; i++) {
        if (&both.was.items[pairs[i].was] == wanted)
            describe(&both, pairs, count, &pairs[i], target);
    }
    free(pairs);
    comparison_release(&both);
}

/* ---- similarity of screens ---- */

double screen_match_similarity(const struct screen_matcher *matcher,
                               const struct tree *was, const struct tree *is,
                               struct screen_carry *carry)
{
    struct screen_pair both;
    struct pair *pairs;
    size_t count, all;
    double sum = 0;

    compare(matcher, was, TREE_NONE, is, &both);
    pairs = rank_pairs(&both, &count);
    count = choose_pairs(&both, pairs, count);
    for (size_t i = 0; i < count; i++)
        sum += pairs[i].score;
    all = both.was.count + both.is.count;
    if (carry)
        *carry = both.carry;
    free(pairs);
    comparison_release(&both);
    return all ? 2 * sum / (double)all : 1;
}

/* ---- states ---- */

static uint16_t state_of(const struct tree *tree, uint32_t node)
{
    const uint16_t states = NODE_CHECKED | NODE_SELECTED;
    uint16_t state = 0;

    for (uint32_t i = node; i < tree->nodes[node].end; i++)
        state |= tree->nodes[i].flags & states;
    return state;
}

/* The pair of an element of the first screen; NULL: none. */
static const struct pair *pair_of(const struct pair *pairs, size_t count,
                                  size_t was)
{
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].was == was && pairs[i].score >= PAIR_SURE)
            return &pairs[i];
    }
    return NULL;
}

static const char *name_of(const struct match_element *element)
{
    return element->text_count ? element->texts[0] : element->id;
}

/* Nodes of `after` whose state is another than on the screen before. */
static bool *changed_states(const struct tree *before, const struct tree *after)
{
    const struct screen_matcher same = {.was = NULL};
    bool *changed = mem_new(after->count + 1, sizeof(*changed));
    struct screen_pair both;
    struct pair *pairs;
    size_t count;

    compare(&same, before, TREE_NONE, after, &both);
    pairs = rank_pairs(&both, &count);
    count = choose_pairs(&both, pairs, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t was = both.was.items[pairs[i].was].node;
        uint32_t is = both.is.items[pairs[i].is].node;

        changed[is] = pairs[i].score >= PAIR_SURE &&
                      state_of(before, was) != state_of(after, is);
    }
    free(pairs);
    comparison_release(&both);
    return changed;
}

bool screen_match_states(const struct screen_matcher *matcher,
                         const struct tree *before, const struct tree *after,
                         const struct tree *is,
                         char why[SCREEN_MATCH_REASON_MAX])
{
    bool *changed = changed_states(before, after);
    struct screen_pair both;
    struct pair *pairs;
    size_t count;
    bool same = true;

    compare(matcher, after, TREE_NONE, is, &both);
    pairs = rank_pairs(&both, &count);
    count = choose_pairs(&both, pairs, count);
    for (size_t i = 0; i < both.was.count && same; i++) {
        const struct match_element *was = &both.was.items[i];
        const struct pair *pair = pair_of(pairs, count, i);

        if (!changed[was->node] || !was->text_count || !pair)
            continue;
        same = state_of(after, was->node) ==
               state_of(is, both.is.items[pair->is].node);
        if (!same)
            snprintf(why, SCREEN_MATCH_REASON_MAX,
                     "'%.60s' is not %s as recorded",
                     name_of(&both.is.items[pair->is]),
                     state_of(after, was->node) ? "on" : "off");
    }
    free(pairs);
    free(changed);
    comparison_release(&both);
    return same;
}
