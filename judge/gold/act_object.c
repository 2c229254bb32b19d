#include "judge/gold/act_object.h"

#include <string.h>

#include "process_provider/describe/node_context.h"

#define NAME_BYTES_MIN 3

/* Content has a number beside its name; a lone one may count what is inside. */
static bool has_figures(const struct node_label *label)
{
    for (unsigned i = 0; i < label->detail_count; i++) {
        const char *text = label->details[i].text;

        if (strpbrk(text, "0123456789") &&
            (label->detail_count > 1 || anchors_has_letters(text)))
            return true;
    }
    return false;
}

/* Items are no controls by their kind. */
static bool is_plain(enum role role)
{
    return role == ROLE_NONE || role == ROLE_TEXT || role == ROLE_IMAGE;
}

bool act_object_is_item(const struct anchors *anchors,
                        const struct episode_evidence_step *step)
{
    const char *name = step->what.label.name.text;

    return step->has_control && is_plain(step->what.role) &&
           !step->control.checkable && strlen(name) >= NAME_BYTES_MIN &&
           anchors_has_letters(name) &&
           (has_figures(&step->what.label) ||
            (text_list_have(&anchors->names, name) &&
             !thesaurus_find(anchors->thesaurus, name)));
}

/* As a separate text that is no row of a list. */
static bool is_title(const struct tree *tree, const char *name)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        uint32_t node = i;

        if (strcmp(tree->nodes[i].text, name) != 0)
            continue;
        while (node != TREE_NONE && !tree->nodes[node].takes_taps)
            node = tree->nodes[node].parent;
        if (node == TREE_NONE)
            return true;
    }
    return false;
}

/* The name of an item that the step opens, or whose row it is done in. */
static const char *item_of(const struct anchors *anchors,
                           const struct episode_evidence_step *step)
{
    const char *row = step->control.row.text;

    if (!step->has_control)
        return NULL;
    if (act_object_is_item(anchors, step))
        return step->what.label.name.text;
    return strlen(row) >= NAME_BYTES_MIN && anchors_has_letters(row) ? row
                                                                     : NULL;
}

/* Is it a text in a row of a list? */
static bool is_in_list(const struct tree *tree, const char *name)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        if (!strcmp(tree->nodes[i].text, name) &&
            node_context_row(tree, i).is_list)
            return true;
    }
    return false;
}

/* A sheet whose title is a text of the list beneath is about that item. */
static const char *title_of_sheet(const struct anchors *anchors,
                                  const struct episode_evidence_step *step)
{
    for (uint32_t i = 0; i < step->before->count; i++) {
        const char *text = step->before->nodes[i].text;

        if (strlen(text) >= NAME_BYTES_MIN && anchors_has_letters(text) &&
            !thesaurus_find(anchors->thesaurus, text) &&
            is_title(step->before, text) && is_in_list(step->page, text))
            return text;
    }
    return NULL;
}

const char *act_object_find(const struct anchors *anchors,
                            const struct episode_evidence_step *step)
{
    const struct episode_evidence_step *earlier = step;

    if (!step->before)
        return NULL;
    while (earlier > anchors->gold->steps) {
        const char *name = item_of(anchors, --earlier);

        if (name && (is_title(step->before, name) ||
                     (step->page && is_title(step->page, name))))
            return name;
    }
    if (!step->page || step->page == step->before ||
        !(step->control.checkable || anchors_meaning(anchors, step)))
        return NULL;
    return title_of_sheet(anchors, step);
}
