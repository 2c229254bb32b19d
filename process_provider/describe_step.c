#include "process_provider/describe_private.h"

static void add_place_of(struct line *line, const struct tree *tree)
{
    struct phrase screen = {.text = ""};
    struct phrase app = {.text = ""};

    if (!tree)
        return;
    (void)place_screen(tree, &screen);
    (void)place_app(tree, TREE_NONE, &app);
    describe_add_place(line, &screen, &app);
}

/* " into 'Search'", where there is a field to type into. */
static void add_field(struct line *line, const struct tree *tree,
                      const char *preposition, bool *secret)
{
    uint32_t field = tree ? target_field(tree) : TREE_NONE;
    struct label label;

    if (field == TREE_NONE)
        return;
    *secret = tree->nodes[field].flags & NODE_PASSWORD;
    label_node(tree, field, &label);
    if (label.source != LABEL_NONE)
        line_add(line, " %s '%s'", preposition, label.name.text);
}

static void describe_typing(const struct tree *tree,
                            const struct action *action, struct line *line)
{
    char into[DESCRIPTION_MAX] = "";
    struct line where = {.text = into};
    bool secret = false;
    struct phrase text = {.text = ""};

    add_field(&where, tree, "into", &secret);
    if (action->text)
        (void)phrase_clean(action->text, &text);
    if (secret)
        line_add(line, "typed a password%s", into);
    else
        line_add(line, "typed '%s'%s", text.text, into);
    if (action->submit)
        line_add(line, " and pressed Enter");
}

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

static void add_moved(struct line *line, const struct tree *tree,
                      const struct action *action)
{
    struct action_point from = start_of(tree, action);
    struct target target = target_at(tree, from.x, from.y);
    uint32_t list = target_scrollable(tree, from.x, from.y);
    struct label label;

    if (target.kind == TARGET_CONTROL &&
        tree->nodes[target.node].role == ROLE_SLIDER) {
        label_node(tree, target.node, &label);
        line_add(line, " on slider '%s'", label.name.text);
    } else if (list != TREE_NONE &&
               (label_own(&tree->nodes[list], &label.name) ||
                place_heading(tree, list, &label.name) ||
                phrase_of_id(tree->nodes[list].id, &label.name))) {
        line_add(line, " in '%s'", label.name.text);
    }
}

static void describe_swipe(const struct tree *tree, const struct action *action,
                           struct line *line)
{
    enum action_direction direction = direction_of(action);
    bool scroll = action->kind == ACTION_SCROLL;

    line_add(line, "%s %s", scroll ? "scrolled" : "swiped",
             action_direction_name(direction));
    if (tree)
        add_moved(line, tree, action);
    if (!scroll && direction == DIRECTION_UP)
        line_add(line, ", to see what is further down");
    else if (!scroll && direction == DIRECTION_DOWN)
        line_add(line, ", to see what is further up");
}

static void describe_drag(const struct scene *scene,
                          const struct action *action, struct line *line)
{
    struct description from;
    struct description to;

    if (!scene->tree || !action->has_from || !action->has_to) {
        line_add(line, "dragged %s",
                 action_direction_name(direction_of(action)));
        return;
    }
    describe_touch(scene, "dragged", action->from.x, action->from.y, &from);
    describe_touch(scene, "onto", action->to.x, action->to.y, &to);
    line_add(line, "%s %s", from.text, to.text);
}

static void add_said(struct line *line, const char *verb, const char *text)
{
    struct phrase phrase;

    line_add(line, "%s", verb);
    if (text && phrase_clean(text, &phrase))
        line_add(line, " '%s'", phrase.text);
}

static void describe_touched(const struct scene *scene,
                             const struct action *action, struct line *line)
{
    const char *verb = action->kind == ACTION_LONG_PRESS   ? "long-pressed"
                       : action->kind == ACTION_DOUBLE_TAP ? "double-tapped"
                                                           : "tapped";
    struct description description;

    if (!action->has_from) {
        line_add(line, "%s", verb);
        return;
    }
    describe_touch(scene, verb, action->from.x, action->from.y, &description);
    line_add(line, "%s", description.text);
}

static void describe_deed(const struct scene *scene,
                          const struct action *action, struct line *line)
{
    const struct tree *tree = scene->tree;
    bool secret = false;

    switch (action->kind) {
    case ACTION_CLICK:
    case ACTION_LONG_PRESS:
    case ACTION_DOUBLE_TAP:
        describe_touched(scene, action, line);
        break;
    case ACTION_SWIPE:
    case ACTION_SCROLL:
        describe_swipe(tree, action, line);
        break;
    case ACTION_DRAG:
        describe_drag(scene, action, line);
        break;
    case ACTION_TYPE:
        describe_typing(tree, action, line);
        break;
    case ACTION_ENTER:
        line_add(line, "pressed Enter");
        add_field(line, tree, "in", &secret);
        break;
    case ACTION_BACK:
        line_add(line, "pressed Back");
        break;
    case ACTION_HOME:
        line_add(line, "pressed Home");
        break;
    case ACTION_RECENTS:
        line_add(line, "opened the list of recent apps");
        break;
    case ACTION_OPEN_APP:
        add_said(line, "opened the app", action->text);
        break;
    case ACTION_WAIT:
        line_add(line, "waited");
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
                   char line[DESCRIPTION_MAX])
{
    struct line out = {.text = line};

    line[0] = '\0';
    describe_deed(scene, action, &out);
    add_place_of(&out, scene->tree);
}
