#include "process_provider/describe/describe_private.h"

#include <string.h>

#include "process_provider/describe/typed_text.h"

/* " into 'Search'", where there is a field to type into. */
static void add_field(struct line_builder *line, const struct tree *tree,
                      const char *preposition, bool *secret)
{
    uint32_t field = tree ? tap_target_field(tree) : TREE_NONE;
    struct node_label label;

    if (field == TREE_NONE)
        return;
    *secret = tree->nodes[field].flags & NODE_PASSWORD;
    node_label_of(tree, field, &label);
    if (label.source != NODE_LABEL_NONE)
        line_builder_add(line, " %s '%s'", preposition, label.name.text);
}

/* ---- typing ---- */

static void describe_typing(const struct scene *scene,
                            const struct action *action,
                            struct line_builder *line)
{
    char into[DESCRIPTION_MAX] = "";
    struct line_builder where = {.text = into};
    const struct tree_node *missing =
        typed_text_missing(action, scene->tree, scene->next);
    bool secret = false;
    struct phrase text = {.text = ""};
    struct phrase shown = {.text = ""};

    add_field(&where, scene->tree, "into", &secret);
    if (action->text)
        (void)phrase_clean(action->text, &text);
    line_builder_add(line, "%s", missing ? "tried to type " : "typed ");
    if (secret)
        line_builder_add(line, "a password%s", into);
    else
        line_builder_add(line, "'%s'%s", text.text, into);
    if (action->replace)
        line_builder_add(line, " in place of what was there");
    if (action->submit)
        line_builder_add(line, " and pressed Enter");
    if (missing && phrase_clean(missing->text, &shown))
        line_builder_add(line, ", which shows '%s'", shown.text);
    else if (missing)
        line_builder_add(line, ", which is empty");
}

/* ---- fingers ---- */

static enum action_direction direction_of(const struct action *action)
{
    int x = action->to.x - action->from.x;
    int y = action->to.y - action->from.y;

    if (!action->has_from || !action->has_to)
        return action->direction;
    if ((x < 0 ? -x : x) > (y < 0 ? -y : y))
        return x < 0 ? DIRECTION_LEFT : DIRECTION_RIGHT;
    return y < 0 ? DIRECTION_UP : DIRECTION_DOWN;
}

/* The middle of the screen is where a finger without a place begins. */
static struct action_point start_of(const struct tree *tree,
                                    const struct action *action)
{
    struct tree_rect screen = tree_screen(tree);

    if (action->has_from)
        return action->from;
    return (struct action_point){screen.right / 2, screen.bottom / 2};
}

static void add_moved(struct line_builder *line, const struct tree *tree,
                      const struct action *action)
{
    struct action_point from = start_of(tree, action);
    struct tap_target target = tap_target_at(tree, from.x, from.y);
    uint32_t list = tap_target_scrollable(tree, from.x, from.y);
    struct node_label label;

    if (target.kind == TAP_TARGET_CONTROL &&
        tree->nodes[target.node].role == ROLE_SLIDER) {
        node_label_of(tree, target.node, &label);
        line_builder_add(line, " on slider '%s'", label.name.text);
    } else if (list != TREE_NONE &&
               (node_label_own(&tree->nodes[list], &label.name) ||
                node_context_heading(tree, list, &label.name) ||
                phrase_of_id(tree->nodes[list].id, &label.name))) {
        line_builder_add(line, " in '%s'", label.name.text);
    }
}

static void describe_swipe(const struct tree *tree, const struct action *action,
                           struct line_builder *line)
{
    enum action_direction direction = direction_of(action);
    bool scroll = action->kind == ACTION_SCROLL;

    line_builder_add(line, "%s %s", scroll ? "scrolled" : "swiped",
                     action_direction_name(direction));
    if (tree)
        add_moved(line, tree, action);
    if (!scroll && direction == DIRECTION_UP)
        line_builder_add(line, ", to see what is further down");
    else if (!scroll && direction == DIRECTION_DOWN)
        line_builder_add(line, ", to see what is further up");
}

static void describe_drag(const struct scene *scene,
                          const struct action *action,
                          struct line_builder *line, struct err *doubt)
{
    struct description from;
    struct description to;

    if (!scene->tree || !action->has_from || !action->has_to) {
        line_builder_add(line, "dragged %s",
                         action_direction_name(direction_of(action)));
        return;
    }
    describe_touch(scene, "dragged", action->from.x, action->from.y, &from);
    describe_touch(scene, "onto", action->to.x, action->to.y, &to);
    line_builder_add(line, "%s %s", from.text, to.text);
    *doubt = from.doubt.code != ERR_NONE ? from.doubt : to.doubt;
}

static void add_said(struct line_builder *line, const char *verb,
                     const char *text)
{
    struct phrase phrase;

    line_builder_add(line, "%s", verb);
    if (text && phrase_clean(text, &phrase))
        line_builder_add(line, " '%s'", phrase.text);
}

static const char *verb_of(enum action_kind kind)
{
    return kind == ACTION_LONG_PRESS   ? "long-pressed"
           : kind == ACTION_DOUBLE_TAP ? "double-tapped"
                                       : "tapped";
}

/* ---- around the screen ---- */

/* What a command did, for the end of "ran the command '...' on the phone". */
static const char *const effects[ACTION_EFFECTS] = {
    [EFFECT_UNKNOWN] = "",
    [EFFECT_SETTING] = ", which changes settings without the screen",
    [EFFECT_APP_DATA] = ", which changes an app's data without the screen",
    [EFFECT_PERMISSION] = ", which changes an app's permissions",
    [EFFECT_PACKAGE] = ", which changes the installed apps",
    [EFFECT_APP_STOP] = ", which stops an app",
    [EFFECT_DEEP_LINK] = ", which opens a page directly",
    [EFFECT_INTENT] = ", which sends a message to apps",
    [EFFECT_KEYBOARD] = ", which changes the keyboard",
    [EFFECT_CLIPBOARD] = ", which changes the clipboard",
    [EFFECT_FILE] = ", which changes files",
    [EFFECT_ELEMENT] = ", which uses an element of the screen",
    [EFFECT_PROGRAM] = ", which starts a program that acts alone",
};

static void describe_command(const struct action *action,
                             struct line_builder *line)
{
    add_said(line, "ran the command", action->text);
    line_builder_add(line, " on the phone%s", effects[action->effect]);
}

static void describe_pinch(const struct action *action,
                           struct line_builder *line)
{
    line_builder_add(line, "pinched with two fingers");
    if (action->text && !strcmp(action->text, "in"))
        line_builder_add(line, " towards each other");
    else if (action->text && !strcmp(action->text, "out"))
        line_builder_add(line, " away from each other");
}

/* Anything but a tap at a point. */
static void describe_other(const struct scene *scene,
                           const struct action *action,
                           struct line_builder *line, struct err *doubt)
{
    const struct tree *tree = scene->tree;
    bool secret = false;

    switch (action->kind) {
    case ACTION_CLICK:
    case ACTION_LONG_PRESS:
    case ACTION_DOUBLE_TAP:
        line_builder_add(line, "%s", verb_of(action->kind));
        break;
    case ACTION_SWIPE:
    case ACTION_SCROLL:
        describe_swipe(tree, action, line);
        break;
    case ACTION_DRAG:
        describe_drag(scene, action, line, doubt);
        break;
    case ACTION_TYPE:
        describe_typing(scene, action, line);
        break;
    case ACTION_CLEAR:
        line_builder_add(line, "cleared the text");
        add_field(line, tree, "in", &secret);
        break;
    case ACTION_ENTER:
        line_builder_add(line, "pressed Enter");
        add_field(line, tree, "in", &secret);
        break;
    case ACTION_BACK:
        line_builder_add(line, "pressed Back");
        break;
    case ACTION_HOME:
        line_builder_add(line, "pressed Home");
        break;
    case ACTION_RECENTS:
        line_builder_add(line, "opened the list of recent apps");
        break;
    case ACTION_PINCH:
        describe_pinch(action, line);
        break;
    case ACTION_KEY:
        add_said(line, "pressed the key", action->text);
        break;
    case ACTION_OPEN_APP:
        add_said(line, "opened the app", action->text);
        break;
    case ACTION_RAW:
        describe_command(action, line);
        break;
    case ACTION_WAIT:
        line_builder_add(line, "waited");
        break;
    case ACTION_ASK:
        add_said(line, "asked", action->text);
        break;
    case ACTION_ANSWER:
        add_said(line, "answered", action->text);
        break;
    case ACTION_COMPLETE:
        add_said(line, "said that the task is complete", action->text);
        break;
    case ACTION_FAIL:
        add_said(line, "gave up", action->text);
        break;
    case ACTION_KINDS:
        break;
    }
}

void describe_step(const struct scene *scene, const struct action *action,
                   struct description *description)
{
    struct line_builder line = {.text = description->text};

    if (action_is_tap(action->kind) && action->has_from) {
        describe_touch(scene, verb_of(action->kind), action->from.x,
                       action->from.y, description);
    } else {
        *description = (struct description){.target = {.node = TREE_NONE},
                                            .doubt = ERR_INIT};
        describe_other(scene, action, &line, &description->doubt);
        if (scene->tree) {
            (void)node_context_screen(scene->tree, &description->screen);
            (void)node_context_app(scene->tree, TREE_NONE, &description->app);
        }
    }
    describe_add_screen(description);
}
