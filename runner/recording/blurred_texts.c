#include "runner/recording/blurred_texts.h"

#include <string.h>

#include "base/json_write.h"
#include "runner/observe/selector_find.h"
#include "runner/recording/recording.h"

#define PATH_TEXT_MAX ((size_t)4096)

static const char hidden_text[] = "•";

void blurred_texts_release(struct blurred_texts *texts)
{
    text_list_release(&texts->shown);
    text_list_release(&texts->typed);
}

/* ---- trees ---- */

static bool touches(struct box box, const struct tree_rect *bounds)
{
    const struct box node = {bounds->left, bounds->top, bounds->right,
                             bounds->bottom};

    return !box_is_empty(box_meet(node, box));
}

static bool hide(struct text_list *list, const char **text)
{
    if (!**text || !strcmp(*text, hidden_text))
        return false;
    if (!text_list_have(list, *text))
        text_list_add(list, *text);
    *text = hidden_text;
    return true;
}

bool blurred_texts_hide(struct blurred_texts *texts, struct tree *tree)
{
    bool hidden = false;

    for (uint32_t i = 0; i < tree->count; i++) {
        struct tree_node *node = &tree->nodes[i];

        if (!touches(texts->box, &node->bounds))
            continue;
        if (node->role == ROLE_FIELD && *node->text)
            text_list_add(&texts->typed, node->text);
        hidden |= hide(&texts->shown, &node->text);
        hidden |= hide(&texts->shown, &node->description);
        hidden |= hide(&texts->shown, &node->hint);
    }
    return hidden;
}

/* ---- selectors ---- */

/* Is its element in the box? Where that is not known, it may be. */
static bool is_in_box(const struct blurred_texts *texts,
                      const struct tree *tree, const struct cJSON *selector)
{
    const struct cJSON *path =
        cJSON_GetObjectItemCaseSensitive(selector, "path");
    struct buf found = BUF_INIT(PATH_TEXT_MAX);
    bool is_in = !tree || !cJSON_IsString(path);

    for (uint32_t i = 0; !is_in && i < tree->count; i++) {
        if (!touches(texts->box, &tree->nodes[i].bounds))
            continue;
        buf_clear(&found);
        selector_node_path(tree, i, &found);
        is_in = !strcmp(buf_cstr(&found), path->valuestring);
    }
    buf_release(&found);
    return is_in;
}

bool blurred_texts_have(const struct blurred_texts *texts, const char *text)
{
    return text_list_have(&texts->shown, text);
}

/* A text, or a list of them. */
static bool is_shown(const struct blurred_texts *texts,
                     const struct cJSON *member)
{
    const struct cJSON *item;

    if (cJSON_IsString(member))
        return text_list_have(&texts->shown, member->valuestring);
    cJSON_ArrayForEach(item, member)
    {
        if (is_shown(texts, item))
            return true;
    }
    return false;
}

static void strip_texts(const struct blurred_texts *texts,
                        struct cJSON *selector, bool all)
{
    static const char *const members[] = {"text", "description"};

    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        if (all || is_shown(texts, cJSON_GetObjectItemCaseSensitive(
                                       selector, members[i])))
            cJSON_DeleteItemFromObjectCaseSensitive(selector, members[i]);
    }
}

/* A selector must have a property. */
static void drop_empty_inside(struct cJSON *selector)
{
    const struct cJSON *inside =
        cJSON_GetObjectItemCaseSensitive(selector, "inside");

    if (inside && !inside->child)
        cJSON_DeleteItemFromObjectCaseSensitive(selector, "inside");
}

void blurred_texts_strip(const struct blurred_texts *texts,
                         const struct tree *tree, struct cJSON *selector)
{
    bool is_in;

    if (!selector)
        return;
    is_in = is_in_box(texts, tree, selector);
    strip_texts(texts, selector, is_in);
    if (is_in)
        cJSON_DeleteItemFromObjectCaseSensitive(selector, "crop");
    for (struct cJSON *at = selector; at;
         at = cJSON_GetObjectItemCaseSensitive(at, "inside")) {
        struct cJSON *inside = cJSON_GetObjectItemCaseSensitive(at, "inside");

        if (inside)
            strip_texts(texts, inside, false);
        drop_empty_inside(at);
    }
}

/* ---- actions ---- */

void blurred_texts_mask_action(const struct blurred_texts *texts,
                               struct cJSON *line)
{
    const struct cJSON *text = cJSON_GetObjectItemCaseSensitive(line, "text");
    const struct cJSON *kind = cJSON_GetObjectItemCaseSensitive(line, "action");
    bool is_typed = false;

    if (!cJSON_IsString(kind) || strcmp(kind->valuestring, "type") != 0 ||
        !cJSON_IsString(text) || !*text->valuestring)
        return;
    for (size_t i = 0; i < texts->typed.count; i++)
        is_typed |= strstr(texts->typed.items[i], text->valuestring) != NULL;
    if (!is_typed)
        return;
    cJSON_DeleteItemFromObjectCaseSensitive(line, "text");
    cJSON_DeleteItemFromObjectCaseSensitive(line, "secret");
    json_add_string(line, "text", RECORDING_MASK);
    json_add_bool(line, "secret", true);
}
