/* Patterns of the names of controls. */
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "base/regex.h"
#include "judge/evidence/screen_words.h"
#include "judge/gold/propose_draft.h"
#include "judge/gold/row_words.h"
#include "process_provider/describe/node_label.h"

/* ---- choices beside it ---- */

/*
 * Is node another choice, with that meaning as well? The same control in
 * another row differs by its row.
 */
static bool is_rival(const struct proposal_draft *draft,
                     const struct tree *tree, uint32_t node,
                     const struct node_label *label,
                     const struct thesaurus_meaning *meaning, uint32_t other,
                     struct node_label *rival)
{
    if (other == node || !tree->nodes[other].takes_taps ||
        tree_within(tree, node, other) || tree_within(tree, other, node) ||
        !screen_control_are_choices(tree, node, other) ||
        (screen_control_row(tree, node) != node &&
         screen_control_row(tree, node) != screen_control_row(tree, other)))
        return false;
    node_label_of(tree, other, rival);
    return rival->source != NODE_LABEL_NONE &&
           strcmp(rival->name.text, label->name.text) != 0 &&
           anchors_meaning_of(&draft->anchors, rival) == meaning;
}

/* Other choices with the same meaning. */
struct rivals {
    bool any;
    bool differ; /* by the numbers */
};

static struct rivals find_rivals(const struct proposal_draft *draft,
                                 const struct tree *tree, uint32_t node,
                                 const struct node_label *label,
                                 const struct thesaurus_meaning *meaning)
{
    const char *number;
    size_t length = screen_words_number(label->name.text, &number);
    struct rivals rivals = {.differ = length > 0};

    for (uint32_t i = 0; i < tree->count; i++) {
        struct node_label rival;
        const char *other;

        if (!is_rival(draft, tree, node, label, meaning, i, &rival))
            continue;
        rivals.any = true;
        if (screen_words_number(rival.name.text, &other) == length &&
            !strncmp(number, other, length))
            rivals.differ = false;
    }
    return rivals;
}

/* ---- the pattern ---- */

/* The first number of a name must be there. */
static void require_number(const char *name, struct buf *pattern)
{
    const char *number;
    size_t length = screen_words_number(name, &number);

    if (!length)
        return;
    buf_text(pattern, "^(?=.*(?<!\\d)");
    for (size_t i = 0; i < length; i++) {
        if (number[i] == '.')
            buf_byte(pattern, '\\');
        buf_byte(pattern, number[i]);
    }
    buf_text(pattern, "(?!\\d))");
}

static void add_own_names(const struct node_label *label, struct buf *pattern)
{
    bool details = anchors_is_short(label->name.text) && label->detail_count;

    /* A letter may stand for several days: a longer text is better. */
    anchors_literal(details ? label->details[0].text : label->name.text,
                    pattern);
    /* A sum may be written in two ways, and has one result. */
    if (anchors_has_letters(label->name.text) || details)
        return;
    for (unsigned i = 0; i < label->detail_count; i++) {
        buf_byte(pattern, '|');
        anchors_literal(label->details[i].text, pattern);
    }
}

/*
 * A control of several words may have fewer: "New adjustment layer" is an
 * "Adjustment layer". Two of the words must be left.
 */
static void add_short_name(const char *name, struct buf *pattern)
{
    static const char *const leads[] = {"New ", "Add ",  "Create ", "Show ",
                                        "My ",  "Open ", "The ",    "All "};

    for (size_t i = 0; i < ARRAY_LEN(leads); i++) {
        size_t length = strlen(leads[i]);

        if (strncasecmp(name, leads[i], length) != 0 ||
            !strchr(name + length, ' '))
            continue;
        buf_byte(pattern, '|');
        anchors_literal(name + length, pattern);
    }
}

/*
 * Choices with the same meaning may differ by a number, as "5 minutes" and "10
 * minutes", which must then be there; otherwise the meaning does not tell them
 * apart.
 */
void proposal_draft_pattern_of(const struct proposal_draft *draft,
                               const struct tree *tree, uint32_t node,
                               const struct thesaurus_meaning *meaning,
                               struct buf *pattern)
{
    struct rivals rivals;
    struct node_label label;

    node_label_of(tree, node, &label);
    add_own_names(&label, pattern);
    if (!meaning)
        return;
    rivals = find_rivals(draft, tree, node, &label, meaning);
    if (rivals.any && !rivals.differ)
        return;
    buf_byte(pattern, '|');
    if (rivals.any || anchors_asks_number_of(&draft->anchors, label.name.text))
        require_number(label.name.text, pattern);
    thesaurus_pattern(meaning, pattern);
}

/*
 * Another layout may name an item by another of its texts: a mail by its sender
 * rather than its folder. Its row must then be known by other words.
 */
static void add_item_names(const struct proposal_draft *draft,
                           const struct episode_evidence_step *step,
                           struct buf *pattern)
{
    const struct node_label *label = &step->what.label;
    struct text_list row = {.count = 0};

    row_words_find(&draft->anchors, step, &row);
    for (unsigned i = 0; row.count && i < label->detail_count; i++) {
        if (!anchors_has_letters(label->details[i].text))
            continue;
        buf_byte(pattern, '|');
        anchors_literal(label->details[i].text, pattern);
    }
    text_list_release(&row);
}

/*
 * What ends a form or answers a dialog may also just be called "OK": what it
 * does depends on the form.
 */
static void add_agreement(const struct proposal_draft *draft,
                          const struct episode_evidence_step *step,
                          const struct thesaurus_meaning *meaning,
                          struct buf *pattern)
{
    const struct thesaurus_meaning *agree =
        thesaurus_get(draft->anchors.thesaurus, "agree");

    if (!agree || step->what.role != ROLE_BUTTON ||
        step->step->action.kind != ACTION_CLICK || !step->before ||
        !step->after || screen_control_same_page(step->before, step->after) ||
        !(episode_evidence_in_window(step) || (meaning && meaning->commits)))
        return;
    buf_byte(pattern, '|');
    thesaurus_pattern(agree, pattern);
}

void proposal_draft_pattern(const struct proposal_draft *draft,
                            const struct episode_evidence_step *step,
                            struct buf *pattern)
{
    const struct thesaurus_meaning *meaning =
        anchors_meaning(&draft->anchors, step);

    proposal_draft_pattern_of(draft, step->before, step->what.target.node,
                              meaning, pattern);
    if (anchors_is_name(&draft->anchors, step))
        add_item_names(draft, step, pattern);
    else
        add_agreement(draft, step, meaning, pattern);
    if (step->what.role == ROLE_BUTTON)
        add_short_name(step->what.label.name.text, pattern);
}

void proposal_draft_add_pattern(struct cJSON *into, const char *key,
                                const struct buf *pattern)
{
    if (!pattern->overflow && pattern->length)
        json_add_string(into, key, buf_cstr(pattern));
}

void proposal_draft_add_texts(struct cJSON *into, const char *key,
                              const struct text_list *texts)
{
    struct cJSON *array;

    if (!texts->count)
        return;
    array = json_add_array(into, key);
    for (size_t i = 0; i < texts->count; i++)
        json_add_string(array, NULL, texts->items[i]);
}
