#include "runner/observe/selector_score.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "process_provider/describe/node_label.h"

#define WORDS_MAX 512

/* Scores of a text inside the node, and of one with other digits. */
#define GRADE_INSIDE 0.9
#define GRADE_DIGITS 0.5

static const struct {
    const char *name;
    double weight;
} clues[SELECTOR_ANCHORS] = {
    [SELECTOR_ANCHOR_TEXT] = {"text", 4},
    [SELECTOR_ANCHOR_DESCRIPTION] = {"description", 4},
    [SELECTOR_ANCHOR_ID] = {"id", 3},
    [SELECTOR_ANCHOR_CLASS] = {"class", 1},
    [SELECTOR_ANCHOR_ROLE] = {"role", 1},
    [SELECTOR_ANCHOR_PATH] = {"path", 2},
    [SELECTOR_ANCHOR_POINT] = {"position", 1},
};

const char *selector_anchor_name(enum selector_anchor anchor)
{
    return clues[anchor].name;
}

/* ---- texts ---- */

/* Lower case, single spaces, none at the ends. */
static void normalise(const char *text, char normal[WORDS_MAX])
{
    size_t length = 0;
    bool blank = false;

    for (; *text && length < WORDS_MAX - 2; text++) {
        unsigned char c = (unsigned char)*text;

        if (isspace(c)) {
            blank = length > 0;
            continue;
        }
        if (blank)
            normal[length++] = ' ';
        blank = false;
        normal[length++] = (char)tolower(c);
    }
    normal[length] = '\0';
}

static bool equal_but_for_digits(const char *a, const char *b)
{
    bool digits = false;

    while (*a || *b) {
        bool number = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);

        if (!number && *a != *b)
            return false;
        digits = digits || number;
        while (number && isdigit((unsigned char)*a))
            a++;
        while (number && isdigit((unsigned char)*b))
            b++;
        a += !number;
        b += !number;
    }
    return digits;
}

static double compare_texts(const char *wanted, const char *seen)
{
    char a[WORDS_MAX] = "", b[WORDS_MAX] = "";

    if (!*seen)
        return 0;
    normalise(wanted, a);
    normalise(seen, b);
    if (!strcmp(a, b))
        return 1;
    return equal_but_for_digits(a, b) ? GRADE_DIGITS : 0;
}

static double best_of(const struct text_list *texts, const char *seen)
{
    double best = 0;

    for (size_t i = 0; i < texts->count; i++)
        best = fmax(best, compare_texts(texts->items[i], seen));
    return best;
}

/* A text also matches a description, or a text inside a clickable node. */
static double grade_text(const struct selector_scorer *scorer, uint32_t node)
{
    const struct text_list *texts = &scorer->selector->text;
    const struct tree_node *seen = &scorer->tree->nodes[node];
    double best =
        fmax(best_of(texts, seen->text), best_of(texts, seen->description));
    struct node_label label;

    if (best > 0 || !seen->takes_taps || *seen->text || *seen->description)
        return best;
    node_label_of(scorer->tree, node, &label);
    return label.source == NODE_LABEL_INSIDE
               ? GRADE_INSIDE * best_of(texts, label.name.text)
               : 0;
}

/* ---- ids and classes ---- */

static const char *tail(const char *name, char separator)
{
    const char *last = strrchr(name, separator);

    return last ? last + 1 : name;
}

/* Compare with or without the package. */
static bool same_id(const char *wanted, const char *seen)
{
    if (!*seen)
        return false;
    return !strcmp(wanted, seen) ||
           (!strchr(wanted, '/') && !strcmp(wanted, tail(seen, '/')));
}

static bool fits_id(const struct node_selector *selector, const char *seen)
{
    for (size_t i = 0; i < selector->id.count; i++) {
        if (same_id(selector->id.items[i], seen))
            return true;
    }
    return false;
}

static bool same_class(const char *wanted, const char *seen)
{
    return !strcmp(wanted, seen) ||
           (!strchr(wanted, '.') && !strcmp(wanted, tail(seen, '.')));
}

/* ---- paths and points ---- */

/* The child with that index; of TREE_NONE, the root. */
static uint32_t child_of(const struct tree *tree, uint32_t parent,
                         unsigned long number)
{
    uint32_t at = parent == TREE_NONE ? 0 : parent + 1;
    uint32_t end = parent == TREE_NONE ? tree->count : tree->nodes[parent].end;

    for (; at < end && number; number--)
        at = tree->nodes[at].end;
    return at < end ? at : TREE_NONE;
}

/* The node at a path such as "0/1/3"; TREE_NONE: there is none. */
static uint32_t node_at(const struct tree *tree, const char *path)
{
    uint32_t node = TREE_NONE;

    while (*path) {
        char *end;
        unsigned long number = strtoul(path, &end, 10);

        if (end == path || (*end && *end != '/'))
            return TREE_NONE;
        node = child_of(tree, node, number);
        if (node == TREE_NONE)
            return TREE_NONE;
        path = *end ? end + 1 : end;
    }
    return node;
}

/* 1 at the old point, decreasing to 0 at half a screen. */
static double grade_point(const struct selector_scorer *scorer, uint32_t node)
{
    const struct tree_rect *bounds = &scorer->tree->nodes[node].bounds;
    struct action_point point = scorer->selector->point;
    double x = fmax(0, fmax(bounds->left - point.x, point.x - bounds->right));
    double y = fmax(0, fmax(bounds->top - point.y, point.y - bounds->bottom));
    double half = hypot(scorer->screen.width, scorer->screen.height) / 2;
    double wide = rect_area(bounds) > (int64_t)scorer->screen.width *
                                          scorer->screen.height / 2
                      ? 0.5 /* a node that fills the screen is everywhere */
                      : 1;

    return half > 0 ? wide * fmax(0, 1 - hypot(x, y) / half) : 0;
}

/* ---- the score ---- */

/* How many nodes have one of the ids; at least 1. */
static unsigned count_ids(const struct selector_scorer *scorer)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < scorer->tree->count; i++)
        count += fits_id(scorer->selector, scorer->tree->nodes[i].id);
    return count ? count : 1;
}

bool selector_scorer_init(struct selector_scorer *scorer,
                          const struct tree *tree,
                          const struct node_selector *selector,
                          struct extent screen)
{
    const bool given[SELECTOR_ANCHORS] = {
        [SELECTOR_ANCHOR_TEXT] = selector->text.count > 0,
        [SELECTOR_ANCHOR_DESCRIPTION] = selector->description.count > 0,
        [SELECTOR_ANCHOR_ID] = selector->id.count > 0,
        [SELECTOR_ANCHOR_CLASS] = selector->class_name != NULL,
        [SELECTOR_ANCHOR_ROLE] = selector->role != NULL,
        [SELECTOR_ANCHOR_PATH] = selector->path != NULL,
        [SELECTOR_ANCHOR_POINT] = selector->has_point,
    };
    bool any = false;

    *scorer = (struct selector_scorer){
        .tree = tree, .selector = selector, .screen = screen};
    for (int i = 0; i < SELECTOR_ANCHORS; i++) {
        scorer->weight[i] = given[i] ? clues[i].weight : 0;
        any = any || given[i];
    }
    scorer->sharing = count_ids(scorer);
    if (selector->path)
        scorer->at_path = node_at(tree, selector->path);
    return any;
}

static bool is_wrong(const struct selector_score *score,
                     enum selector_anchor anchor)
{
    return score->weight[anchor] > 0 && score->grade[anchor] < GRADE_INSIDE;
}

/* An id that many nodes share counts only if the text matches. */
static double grade_id(const struct selector_scorer *scorer, uint32_t node,
                       const struct selector_score *score)
{
    bool wrong_words = is_wrong(score, SELECTOR_ANCHOR_TEXT) ||
                       is_wrong(score, SELECTOR_ANCHOR_DESCRIPTION);

    if (!fits_id(scorer->selector, scorer->tree->nodes[node].id))
        return 0;
    return wrong_words ? 1.0 / scorer->sharing : 1;
}

void selector_score_node(const struct selector_scorer *scorer, uint32_t node,
                         struct selector_score *score)
{
    const struct node_selector *wanted = scorer->selector;
    const struct tree_node *seen = &scorer->tree->nodes[node];
    double all = 0, fit = 0;

    *score = (struct selector_score){.total = 0};
    memcpy(score->weight, scorer->weight, sizeof(score->weight));
    if (score->weight[SELECTOR_ANCHOR_TEXT] > 0)
        score->grade[SELECTOR_ANCHOR_TEXT] = grade_text(scorer, node);
    if (score->weight[SELECTOR_ANCHOR_DESCRIPTION] > 0)
        score->grade[SELECTOR_ANCHOR_DESCRIPTION] =
            best_of(&wanted->description, seen->description);
    if (score->weight[SELECTOR_ANCHOR_ID] > 0)
        score->grade[SELECTOR_ANCHOR_ID] = grade_id(scorer, node, score);
    if (wanted->class_name)
        score->grade[SELECTOR_ANCHOR_CLASS] =
            same_class(wanted->class_name, seen->class_name);
    if (wanted->role)
        score->grade[SELECTOR_ANCHOR_ROLE] =
            !strcasecmp(wanted->role, role_name(seen->role));
    if (wanted->path)
        score->grade[SELECTOR_ANCHOR_PATH] = node == scorer->at_path;
    if (wanted->has_point)
        score->grade[SELECTOR_ANCHOR_POINT] = grade_point(scorer, node);
    for (int i = 0; i < SELECTOR_ANCHORS; i++) {
        all += score->weight[i];
        fit += score->weight[i] * score->grade[i];
    }
    score->total = all > 0 ? fit / all : 0;
}
