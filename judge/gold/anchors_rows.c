/* The titles of the rows of lists, as anchors. */
#include <string.h>

#include "judge/evidence/screen_words.h"
#include "judge/gold/anchors.h"
#include "process_provider/describe/node_context.h"
#include "process_provider/describe/node_label.h"

#define NAME_BYTES_MIN 3 /* shorter texts occur in too many places */
#define ROWS_IN_ORDER 3
#define FIRST_ROWS 2

static bool is_of_system(const struct tree_node *node)
{
    return !strcmp(node->package, "com.android.systemui");
}

static void add_once(struct text_list *texts, const char *text, size_t max)
{
    if (texts->count < max && !text_list_have(texts, text))
        text_list_add(texts, text);
}

/* The titles of the rows of lists, in their order. */
static void find_rows(const struct anchors *anchors, const struct tree *tree,
                      struct text_list *names)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        struct node_context_row row;
        struct node_label label;

        if (!node->takes_taps || node->flags & NODE_CHECKABLE ||
            is_of_system(node))
            continue;
        row = node_context_row(tree, i);
        if (row.node != i || !row.is_list)
            continue;
        node_label_of(tree, i, &label);
        if (label.source == NODE_LABEL_INSIDE && label.detail_count &&
            strlen(label.name.text) >= NAME_BYTES_MIN &&
            (strpbrk(label.details[0].text, "0123456789") ||
             !thesaurus_find(anchors->thesaurus, label.name.text)))
            add_once(names, label.name.text, ROWS_IN_ORDER);
    }
}

/* Did any screen before the step have that order already? */
static bool was_in_order(const struct anchors *anchors,
                         const struct episode_evidence_step *step,
                         const struct text_list *rows)
{
    for (const struct episode_evidence_step *earlier = anchors->gold->steps;
         earlier <= step; earlier++) {
        if (earlier->before && screen_words_in_order(earlier->before, rows))
            return true;
    }
    return false;
}

void anchors_order_after(const struct anchors *anchors,
                         const struct episode_evidence_step *step,
                         struct text_list *names)
{
    struct text_list rows = {.count = 0};

    if (!step->after)
        return;
    find_rows(anchors, step->after, &rows);
    if (rows.count >= 2 && !was_in_order(anchors, step, &rows)) {
        for (size_t i = 0; i < rows.count; i++)
            text_list_add(names, rows.items[i]);
    }
    text_list_release(&rows);
}

static bool was_shown(const struct anchors *anchors,
                      const struct episode_evidence_step *step,
                      const char *text)
{
    for (const struct episode_evidence_step *earlier = anchors->gold->steps;
         earlier <= step; earlier++) {
        if (earlier->before && anchors_shows_whole(earlier->before, text))
            return true;
    }
    return false;
}

void anchors_new_rows(const struct anchors *anchors,
                      const struct episode_evidence_step *step,
                      struct text_list *names)
{
    struct text_list rows = {.count = 0};
    struct text_list fresh = {.count = 0};

    if (!step->after || !step->before ||
        screen_control_same_page(step->before, step->after))
        return;
    find_rows(anchors, step->after, &rows);
    for (size_t i = 0; i < rows.count && fresh.count < FIRST_ROWS; i++) {
        if (!was_shown(anchors, step, rows.items[i]))
            text_list_add(&fresh, rows.items[i]);
    }
    for (size_t i = 0; fresh.count == FIRST_ROWS && i < fresh.count; i++)
        text_list_add(names, fresh.items[i]);
    text_list_release(&fresh);
    text_list_release(&rows);
}
