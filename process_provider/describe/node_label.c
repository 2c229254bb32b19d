#include "process_provider/describe/node_label.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"

#define GROUP_LEVELS 3  /* how far up a label may be looked for */
#define GROUP_NODES 400 /* a larger subtree is no group of one control */
#define NEAR_SHARE 0.04 /* of the screen's height: how far away without */
#define INSIDE_MAX 400  /* nodes that are looked at for texts */

static bool same_text(const char *a, const char *b)
{
    return !strcasecmp(a, b);
}

/* The purpose of a text field; its content is a detail. */
static bool own_of_field(const struct tree_node *node, struct phrase *name)
{
    if (phrase_clean(node->hint, name) || phrase_clean(node->description, name))
        return true;
    return !(node->flags & NODE_PASSWORD) && phrase_clean(node->text, name);
}

/* "MENUID_HDR", "NONE": the name of a constant instead of a text. */
static bool is_constant(const char *text)
{
    bool joined = false;

    if (!strcmp(text, "NONE") || !strcmp(text, "null"))
        return true;
    for (; *text; text++) {
        if (!(*text >= 'A' && *text <= 'Z') &&
            !(*text >= '0' && *text <= '9') && *text != '_')
            return false;
        joined = joined || *text == '_';
    }
    return joined;
}

/* The address of a link without text, as web views give it. */
static bool is_address(const char *text)
{
    unsigned escapes = 0;

    for (; *text && *text != ' '; text++)
        escapes += text[0] == '%' && isxdigit((unsigned char)text[1]) &&
                   isxdigit((unsigned char)text[2]);
    return !*text && escapes > 1;
}

/* Descriptions that no person wrote name nothing. */
static bool is_of_program(const char *description)
{
    return is_constant(description) || is_address(description);
}

bool node_label_is_kind(const char *name)
{
    static const char *const kinds[] = {"image", "icon", "picture", "button"};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (same_text(name, kinds[i]))
            return true;
    }
    return false;
}

/* The state that a switch or checkbox shows ("on") is not its name. */
static bool is_state(const char *text)
{
    static const char *const states[] = {
        "on",        "off",         "enabled",    "disabled",   "checked",
        "unchecked", "ticked",      "not ticked", "开",         "关",
        "开启",      "关闭",        "已开启",     "已关闭",     "打开",
        "已打开",    "启用",        "停用",       "已启用",     "已停用",
        "開啟",      "關閉",        "オン",       "オフ",       "켜짐",
        "꺼짐",      "사용",        "사용 안함",  "ein",        "aus",
        "activé",    "désactivé",   "sí",         "no",         "activado",
        "sim",       "desactivado", "ativado",    "desativado", "вкл",
        "выкл",      "not checked",
    };

    for (size_t i = 0; i < ARRAY_LEN(states); i++) {
        if (same_text(text, states[i]))
            return true;
    }
    return false;
}

static bool has_state(const struct tree_node *node)
{
    return node->flags & NODE_CHECKABLE || node->role == ROLE_SWITCH ||
           node->role == ROLE_CHECKBOX || node->role == ROLE_RADIO ||
           node->role == ROLE_OPTION;
}

static bool own_of_switch(const struct tree_node *node, struct phrase *name)
{
    const char *const texts[] = {node->text, node->description, node->hint};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        if (phrase_clean(texts[i], name) && !is_state(name->text) &&
            !is_of_program(name->text))
            return true;
    }
    return false;
}

bool node_label_own(const struct tree_node *node, struct phrase *name)
{
    if (node->role == ROLE_FIELD)
        return own_of_field(node, name);
    if (has_state(node))
        return own_of_switch(node, name);
    if (node->flags & NODE_PASSWORD)
        return phrase_clean(node->description, name);
    return phrase_clean(node->text, name) ||
           (!is_of_program(node->description) &&
            phrase_clean(node->description, name)) ||
           phrase_clean(node->hint, name);
}

static void add_detail(struct node_label *label, const char *text)
{
    struct phrase phrase;

    if (label->detail_count == NODE_LABEL_DETAILS || !phrase_has_words(text) ||
        !phrase_clean(text, &phrase) ||
        same_text(phrase.text, label->name.text))
        return;
    for (unsigned i = 0; i < label->detail_count; i++) {
        if (same_text(phrase.text, label->details[i].text))
            return;
    }
    label->details[label->detail_count++] = phrase;
}

/* Long numbers in names are slips of programs: resources, pointers. */
static bool is_dubious(const char *name)
{
    size_t digits = 0;

    for (; *name && digits < 7; name++)
        digits = *name >= '0' && *name <= '9' ? digits + 1 : 0;
    return digits == 7;
}

/* Its own text; a description that says more than the text is a detail. */
static bool name_own(const struct tree_node *node, struct node_label *label)
{
    struct phrase id;

    if (!node_label_own(node, &label->name))
        return false;
    label->source = NODE_LABEL_OWN;
    if (is_dubious(label->name.text) && phrase_of_id(node->id, &id))
        add_detail(label, id.text);
    if (node->role == ROLE_FIELD && !(node->flags & NODE_PASSWORD))
        add_detail(label, node->text);
    else if (!strstr(node->text, node->description) &&
             !is_of_program(node->description))
        add_detail(label, node->description);
    return true;
}

/* Inside. */

bool node_label_is_title(const struct tree_node *node)
{
    static const char *const titles[] = {"title", "name", "headline", "label"};
    const char *tail = phrase_id_tail(node->id);

    for (size_t i = 0; i < ARRAY_LEN(titles); i++) {
        const char *found = strcasestr(tail, titles[i]);

        /* A subtitle is no title. */
        if (found && !strcasestr(tail, "sub"))
            return true;
    }
    return false;
}

/*
 * The weight of a text as the main one: a title, then visible text, then
 * descriptions for screen readers, texts of one or two letters, and emoji last.
 */
static unsigned weight_of(const struct tree_node *node,
                          const struct phrase *phrase)
{
    if (!phrase_has_words(phrase->text))
        return 1;
    if (node_label_is_title(node))
        return 5;
    if (strlen(phrase->text) <= 2)
        return 2;
    return phrase_readable(node->text) ? 4 : 3;
}

/*
 * The main text inside, and others as details. Texts that belong to further
 * controls inside count only if there are no others.
 */
static bool name_inside(const struct tree *tree, uint32_t node, bool controls,
                        struct node_label *label)
{
    uint32_t end = tree->nodes[node].end;
    uint32_t best = TREE_NONE;
    unsigned best_weight = 0;
    struct phrase phrase;

    if (end > node + INSIDE_MAX)
        end = node + INSIDE_MAX;
    for (uint32_t i = node + 1; i < end; i++) {
        const struct tree_node *inner = &tree->nodes[i];

        if (!controls && inner->takes_taps) {
            i = inner->end - 1;
            continue;
        }
        if (!node_label_own(inner, &phrase))
            continue;
        if (weight_of(inner, &phrase) > best_weight) {
            best_weight = weight_of(inner, &phrase);
            best = i;
            label->name = phrase;
        }
    }
    if (best == TREE_NONE)
        return false;
    label->source = NODE_LABEL_INSIDE;
    for (uint32_t i = node + 1; i < end; i++) {
        const struct tree_node *inner = &tree->nodes[i];

        if (!controls && inner->takes_taps)
            i = inner->end - 1;
        else if (i != best && node_label_own(inner, &phrase))
            add_detail(label, phrase.text);
    }
    return true;
}

/* By its row or group. */

static bool is_control_within(const struct tree *tree, uint32_t top,
                              uint32_t other_than)
{
    uint32_t end = tree->nodes[top].end;

    for (uint32_t i = top + 1; i < end; i++) {
        if (i != other_than && tree->nodes[i].takes_taps &&
            !tree_within(tree, other_than, i) &&
            !tree_within(tree, i, other_than))
            return true;
    }
    return false;
}

/* Does a control of this kind have its label beside it? */
static bool takes_label(const struct tree_node *node)
{
    return has_state(node) || node->role == ROLE_FIELD ||
           node->role == ROLE_SLIDER || node->role == ROLE_CHOICE;
}

/* The title of a group, or else its first text, without those in node. */
static bool find_title(const struct tree *tree, uint32_t group, uint32_t node,
                       struct phrase *title)
{
    unsigned best = 0;

    for (uint32_t i = group; i < tree->nodes[group].end; i++) {
        struct phrase phrase;
        unsigned weight;

        if (i == node) {
            i = tree->nodes[node].end - 1;
            continue;
        }
        if (!node_label_own(&tree->nodes[i], &phrase) || is_state(phrase.text))
            continue;
        weight = weight_of(&tree->nodes[i], &phrase);
        if (weight <= best)
            continue;
        best = weight;
        *title = phrase;
    }
    return best > 0;
}

/* The title of the smallest group around it that has one. */
static bool name_by_group(const struct tree *tree, uint32_t node,
                          struct node_label *label)
{
    uint32_t group = tree->nodes[node].parent;

    for (int i = 0; i < GROUP_LEVELS && group != TREE_NONE; i++) {
        if (tree->nodes[group].end - group > GROUP_NODES ||
            is_control_within(tree, group, node))
            return false;
        if (find_title(tree, group, node, &label->name)) {
            label->source = NODE_LABEL_TIED;
            return true;
        }
        group = tree->nodes[group].parent;
    }
    return false;
}

/* How far two spans are apart; negative where they overlap. */
static int32_t gap(int32_t a, int32_t a_end, int32_t b, int32_t b_end)
{
    return (a > b ? a : b) - (a_end < b_end ? a_end : b_end);
}

/* ---- steppers: "-  10 km/h  +" ---- */

static bool in_line(const struct tree_node *a, const struct tree_node *b)
{
    return gap(a->bounds.top, a->bounds.bottom, b->bounds.top,
               b->bounds.bottom) < 0;
}

static bool same_size(const struct tree_rect *a, const struct tree_rect *b)
{
    return a->right - a->left == b->right - b->left &&
           a->bottom - a->top == b->bottom - b->top;
}

static bool is_between(const struct tree_rect *rect, const struct tree_rect *a,
                       const struct tree_rect *b)
{
    const struct tree_rect *left = a->left < b->left ? a : b;
    const struct tree_rect *right = left == a ? b : a;

    return rect->left >= left->right && rect->right <= right->left;
}

/* The one other control of this size in its line; TREE_NONE for more. */
static uint32_t find_twin(const struct tree *tree, uint32_t node)
{
    const struct tree_node *one = &tree->nodes[node];
    uint32_t twin = TREE_NONE;

    for (uint32_t i = one->parent + 1; i < tree->nodes[one->parent].end;
         i = tree->nodes[i].end) {
        const struct tree_node *other = &tree->nodes[i];

        if (i == node || !other->takes_taps || !in_line(one, other) ||
            !same_size(&one->bounds, &other->bounds))
            continue;
        if (twin != TREE_NONE)
            return TREE_NONE;
        twin = i;
    }
    return twin;
}

/* A number between two equal controls: they make it less and more. */
static bool name_by_stepper(const struct tree *tree, uint32_t node,
                            struct node_label *label)
{
    const struct tree_node *one = &tree->nodes[node];
    uint32_t twin;

    if (one->parent == TREE_NONE ||
        tree->nodes[one->parent].end - one->parent > GROUP_NODES)
        return false;
    twin = find_twin(tree, node);
    if (twin == TREE_NONE)
        return false;
    for (uint32_t i = one->parent + 1; i < tree->nodes[one->parent].end;
         i = tree->nodes[i].end) {
        const struct tree_node *value = &tree->nodes[i];

        if (!in_line(one, value) ||
            !is_between(&value->bounds, &one->bounds,
                        &tree->nodes[twin].bounds) ||
            !isdigit((unsigned char)value->text[0]) ||
            !node_label_own(value, &label->name))
            continue;
        label->source = NODE_LABEL_TIED;
        label->sense = one->bounds.left < value->bounds.left ? "to decrease"
                                                             : "to increase";
        return true;
    }
    return false;
}

static bool name_by_id(const struct tree_node *node, struct node_label *label)
{
    if (!phrase_of_id(node->id, &label->name))
        return false;
    label->source = NODE_LABEL_ID;
    return true;
}

/* Views around it with the same bounds count as the same control. */
static bool name_by_wrapper(const struct tree *tree, uint32_t node,
                            struct node_label *label)
{
    uint32_t outer = tree->nodes[node].parent;

    while (outer != TREE_NONE &&
           !memcmp(&tree->nodes[outer].bounds, &tree->nodes[node].bounds,
                   sizeof(struct tree_rect))) {
        if (name_own(&tree->nodes[outer], label))
            return true;
        outer = tree->nodes[outer].parent;
    }
    return false;
}

/* The first meaningful id inside: often that of an icon. */
static bool name_by_inner_id(const struct tree *tree, uint32_t node,
                             struct node_label *label)
{
    uint32_t end = tree->nodes[node].end;

    for (uint32_t i = node + 1; i < end && i < node + INSIDE_MAX; i++) {
        if (name_by_id(&tree->nodes[i], label))
            return true;
    }
    return false;
}

bool node_label_inside(const struct tree *tree, uint32_t node,
                       struct node_label *label)
{
    *label = (struct node_label){.source = NODE_LABEL_NONE};
    return !name_own(&tree->nodes[node], label) &&
           (name_inside(tree, node, false, label) ||
            (!name_by_wrapper(tree, node, label) &&
             name_inside(tree, node, true, label)));
}

void node_label_of(const struct tree *tree, uint32_t node,
                   struct node_label *label)
{
    const struct tree_node *one = &tree->nodes[node];

    *label = (struct node_label){.source = NODE_LABEL_NONE};
    if (name_own(one, label) || name_inside(tree, node, false, label) ||
        name_by_wrapper(tree, node, label) ||
        name_inside(tree, node, true, label))
        return;
    /* The box of a checkbox is named by its row, whatever its id is. */
    if (takes_label(one) && name_by_group(tree, node, label))
        return;
    (void)(name_by_id(one, label) || name_by_stepper(tree, node, label) ||
           name_by_inner_id(tree, node, label));
}

/* ---- neighbours ---- */

/*
 * The distance of a text from a view, if it is beside, below or above it; -1 if
 * it is diagonal.
 */
static int32_t distance(const struct tree_rect *thing,
                        const struct tree_rect *label)
{
    int32_t across = gap(thing->left, thing->right, label->left, label->right);
    int32_t along = gap(thing->top, thing->bottom, label->top, label->bottom);

    if (across < 0 && along < 0)
        return 0;
    if (across < 0)
        return along;
    return along < 0 ? across : -1;
}

/* The position of thing relative to the text. */
static const char *side_of(const struct tree_rect *thing,
                           const struct tree_rect *text)
{
    if (thing->right <= text->left)
        return "left of";
    if (thing->left >= text->right)
        return "right of";
    if (thing->bottom <= text->top)
        return "above";
    return thing->top >= text->bottom ? "below" : "at";
}

/* The nearest text from first to end that belongs to no other control. */
static bool find_nearest(const struct tree *tree, uint32_t node, uint32_t first,
                         uint32_t end, int32_t limit,
                         struct node_neighbour *neighbour)
{
    const struct tree_rect *bounds = &tree->nodes[node].bounds;
    int32_t nearest = limit;
    bool found = false;
    struct phrase phrase;

    for (uint32_t i = first; i < end; i++) {
        const struct tree_node *other = &tree->nodes[i];
        int32_t away;

        if (i == node || (other->takes_taps && !tree_within(tree, i, node))) {
            i = other->end - 1;
            continue;
        }
        if (!rect_area(&other->bounds) || tree_within(tree, i, node))
            continue;
        away = distance(bounds, &other->bounds);
        if (away < 0 || away > nearest || (found && away == nearest) ||
            !node_label_own(other, &phrase))
            continue;
        *neighbour = (struct node_neighbour){
            .text = phrase, .side = side_of(bounds, &other->bounds)};
        nearest = away;
        found = true;
    }
    return found;
}

/* In its own group however far away, or else close to it on the screen. */
bool node_label_near(const struct tree *tree, uint32_t node,
                     struct node_neighbour *neighbour)
{
    struct tree_rect screen = tree_screen(tree);
    uint32_t group = tree->nodes[node].parent;

    for (int i = 0; i < GROUP_LEVELS && group != TREE_NONE; i++) {
        if (is_control_within(tree, group, node))
            break;
        if (find_nearest(tree, node, group + 1, tree->nodes[group].end,
                         INT32_MAX, neighbour))
            return true;
        group = tree->nodes[group].parent;
    }
    return find_nearest(tree, node, 0, tree->count,
                        (int32_t)(NEAR_SHARE * screen.bottom), neighbour);
}
