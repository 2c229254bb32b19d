#include "process_provider/describe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "process_provider/blank.h"

/* What takes less of a row is a part of it that needs the row's name. */
#define ROW_PART 0.3

/* A line under construction; what does not fit is left out. */
struct line {
    char *text;
    size_t length;
};

PRINTF_LIKE(2, 3)
static void add(struct line *line, const char *fmt, ...)
{
    size_t room = DESCRIPTION_MAX - line->length;
    va_list args;
    int wanted;

    va_start(args, fmt);
    wanted = vsnprintf(line->text + line->length, room, fmt, args);
    va_end(args);
    if (wanted > 0 && (size_t)wanted < room)
        line->length += (size_t)wanted;
    line->text[line->length] = '\0';
}

/* Algorithm 1. */

static void add_plain(struct line *line, const char *text)
{
    char clean[DESCRIPTION_MAX];

    if (phrase_copy(text, clean, sizeof(clean) - line->length - 1))
        add(line, "%s%s", line->length ? " " : "", clean);
}

static void add_plain_node(struct line *line, const struct tree_node *node)
{
    add_plain(line, node->text);
    add_plain(line, node->description);
}

void describe_plain(const struct tree *tree, int x, int y,
                    char line[DESCRIPTION_MAX])
{
    struct line out = {.text = line};
    uint32_t node = target_smallest(tree, x, y);

    line[0] = '\0';
    if (node == TREE_NONE)
        return;
    add_plain_node(&out, &tree->nodes[node]);
    if (out.length)
        return;
    add_plain(&out, phrase_id_tail(tree->nodes[node].id));
    for (uint32_t i = node + 1; i < tree->nodes[node].end;
         i = tree->nodes[i].end)
        add_plain_node(&out, &tree->nodes[i]);
}

/* The better one: first what there is to say, part by part. */

/* What a view is, or what only a view inside of it says that it is. */
static enum role role_within(const struct tree *tree, uint32_t node)
{
    enum role role = tree->nodes[node].role;

    if (role != ROLE_NONE && role != ROLE_OPTION)
        return role;
    for (uint32_t i = node + 1; i < tree->nodes[node].end;
         i = tree->nodes[i].end) {
        if (role_is_control(tree->nodes[i].role) &&
            !(tree->nodes[i].flags & NODE_CLICKABLE))
            return tree->nodes[i].role;
    }
    return role;
}

static void find_state(const struct tree_node *node,
                       struct description *description)
{
    bool checked = node->flags & NODE_CHECKED;

    description->disabled = node->flags & NODE_DISABLED;
    description->selected = node->flags & NODE_SELECTED;
    if (!(node->flags & NODE_CHECKABLE) || description->disabled)
        return;
    description->toggles = true;
    description->on = !checked || description->role == ROLE_RADIO;
}

/* A control that only wraps the thing to be checked is that thing. */
static void find_inner_state(const struct tree *tree, uint32_t node,
                             struct description *description)
{
    uint32_t found = TREE_NONE;

    if (tree->nodes[node].flags & NODE_CHECKABLE)
        return;
    for (uint32_t i = node + 1; i < tree->nodes[node].end; i++) {
        if (!(tree->nodes[i].flags & NODE_CHECKABLE))
            continue;
        if (found != TREE_NONE)
            return;
        found = i;
    }
    if (found == TREE_NONE)
        return;
    description->role = tree->nodes[found].role;
    find_state(&tree->nodes[found], description);
}

static bool repeats(const struct description *description, const char *text)
{
    return description->label.source != LABEL_NONE &&
           (strstr(description->label.name.text, text) ||
            strstr(text, description->label.name.text));
}

static void find_row(const struct tree *tree, const struct place_row *row,
                     struct description *description)
{
    uint32_t node = description->target.node;
    struct label label;

    description->position = row->position;
    description->shown = row->shown;
    description->result = place_is_search(tree, row->list);
    if ((double)rect_area(&tree->nodes[node].bounds) >
        ROW_PART * (double)rect_area(&tree->nodes[row->node].bounds))
        return;
    label_node(tree, row->node, &label);
    if (label.source == LABEL_NONE || label.source == LABEL_ID ||
        repeats(description, label.name.text))
        return;
    description->row = label.name;
}

/*
 * Rows stand under a heading, and so do things to choose from. What has no
 * name is told by where it stands.
 */
static void find_heading(const struct tree *tree, const struct place_row *row,
                         struct description *description)
{
    uint32_t node = description->target.node;
    bool in_list = row->node != TREE_NONE && row->is_list;
    struct phrase heading;

    if (!in_list && !description->toggles &&
        description->label.source != LABEL_NONE && !place_is_dialog(tree, node))
        return;
    if (place_heading(tree, in_list ? row->list : node, &heading) &&
        strcmp(heading.text, description->screen.text) != 0 &&
        !repeats(description, heading.text))
        description->inside = heading;
    else if (description->label.source == LABEL_NONE)
        (void)place_page(tree, node, &description->inside);
}

static void find_parts(const struct tree *tree, struct description *description)
{
    uint32_t node = description->target.node;
    struct place_row row;

    (void)place_screen(tree, &description->screen);
    (void)place_app(tree, node, &description->app);
    if (node != TREE_NONE)
        description->role = role_within(tree, node);
    if (description->target.kind == TARGET_NOTHING)
        return;
    find_state(&tree->nodes[node], description);
    find_inner_state(tree, node, description);
    label_node(tree, node, &description->label);
    row = place_row(tree, node);
    if (row.node != TREE_NONE)
        find_row(tree, &row, description);
    find_heading(tree, &row, description);
    if (!description->position && (description->label.source == LABEL_NONE ||
                                   description->label.source == LABEL_ID))
        description->cell = place_cell(tree, node);
    if (!strcmp(description->screen.text, description->label.name.text))
        description->screen.text[0] = '\0';
}

/* Then the words. */

static const char *ordinal_ending(unsigned number)
{
    unsigned last = number % 10;

    if (number % 100 / 10 == 1 || last == 0 || last > 3)
        return "th";
    return last == 1 ? "st" : last == 2 ? "nd" : "rd";
}

static void add_details(struct line *line, const struct label *label)
{
    for (unsigned i = 0; i < label->detail_count; i++)
        add(line, "%s'%s'", i ? ", " : " (", label->details[i].text);
    if (label->detail_count)
        add(line, ")");
}

/* Roles that go without saying are said only where there is no name. */
static void add_name(struct line *line, const struct description *description)
{
    const struct label *label = &description->label;
    enum role role = description->role;
    bool obvious = role == ROLE_TEXT || role == ROLE_LIST || role == ROLE_IMAGE;
    const char *kind = role_name(role);

    if (label->source == LABEL_NONE) {
        add(line, "%s without a name", *kind ? kind : "something");
        return;
    }
    if (label->sense) {
        add(line, "%s %s '%s'", *kind ? kind : "something", label->sense,
            label->name.text);
        return;
    }
    if (*kind && (!obvious || description->target.kind == TARGET_TEXT ||
                  label->source == LABEL_NEAR))
        add(line, "%s ", kind);
    add(line, "%s'%s'", label->source == LABEL_NEAR && obvious ? "at " : "",
        label->name.text);
    add_details(line, label);
}

static void add_state(struct line *line, const struct description *description)
{
    if (description->disabled)
        add(line, ", disabled");
    else if (description->toggles)
        add(line, ", now %s", description->on ? "on" : "off");
    else if (description->selected)
        add(line, ", already selected");
    if (description->target.kind == TARGET_TEXT)
        add(line, ", which takes no taps");
}

static void add_cell(struct line *line, const struct place_cell *cell)
{
    unsigned one = cell->columns > 1 ? cell->column : cell->row;

    if (cell->columns > 1 && cell->rows > 1)
        add(line, ", row %u, column %u", cell->row, cell->column);
    else if (cell->columns > 1 || cell->rows > 1)
        add(line, ", %u%s of %u", one, ordinal_ending(one),
            cell->columns * cell->rows);
}

static void add_position(struct line *line,
                         const struct description *description)
{
    if (description->row.text[0])
        add(line, " of '%s'", description->row.text);
    if (description->position)
        add(line, ", %u%s %s", description->position,
            ordinal_ending(description->position),
            description->result ? "result" : "item");
    add_cell(line, &description->cell);
    if (description->inside.text[0])
        add(line, ", in '%s'", description->inside.text);
}

static void add_place(struct line *line, const struct phrase *screen,
                      const struct phrase *app)
{
    if (screen->text[0] && app->text[0])
        add(line, "; screen '%s' of %s", screen->text, app->text);
    else if (screen->text[0])
        add(line, "; screen '%s'", screen->text);
    else if (app->text[0])
        add(line, strcmp(app->text, PHRASE_HOME) ? "; in %s" : "; on %s",
            app->text);
}

static void describe_touch(const struct tree *tree, const char *verb, int x,
                           int y, struct description *description)
{
    struct line line = {.text = description->text};

    *description = (struct description){.target = target_at(tree, x, y)};
    find_parts(tree, description);
    add(&line, "%s ", verb);
    if (description->target.kind == TARGET_NOTHING) {
        char words[BLANK_MAX];

        blank_describe(tree, x, y, words);
        add(&line, "%s at %d,%d", words, x, y);
    } else {
        add_name(&line, description);
        add_state(&line, description);
        add_position(&line, description);
    }
    memcpy(description->line, description->text, line.length + 1);
    line.text = description->line;
    add_place(&line, &description->screen, &description->app);
}

void describe_tap(const struct tree *tree, int x, int y,
                  struct description *description)
{
    describe_touch(tree, "tapped", x, y, description);
}

/* Other steps. */

static void add_place_of(struct line *line, const struct tree *tree)
{
    struct phrase screen = {.text = ""};
    struct phrase app = {.text = ""};

    if (!tree)
        return;
    (void)place_screen(tree, &screen);
    (void)place_app(tree, TREE_NONE, &app);
    add_place(line, &screen, &app);
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
        add(line, " %s '%s'", preposition, label.name.text);
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
        add(line, "typed a password%s", into);
    else
        add(line, "typed '%s'%s", text.text, into);
    if (action->submit)
        add(line, " and pressed Enter");
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
        add(line, " on slider '%s'", label.name.text);
    } else if (list != TREE_NONE &&
               (label_own(&tree->nodes[list], &label.name) ||
                place_heading(tree, list, &label.name) ||
                phrase_of_id(tree->nodes[list].id, &label.name))) {
        add(line, " in '%s'", label.name.text);
    }
}

static void describe_swipe(const struct tree *tree, const struct action *action,
                           struct line *line)
{
    enum action_direction direction = direction_of(action);
    bool scroll = action->kind == ACTION_SCROLL;

    add(line, "%s %s", scroll ? "scrolled" : "swiped",
        action_direction_name(direction));
    if (tree)
        add_moved(line, tree, action);
    if (!scroll && direction == DIRECTION_UP)
        add(line, ", to see what is further down");
    else if (!scroll && direction == DIRECTION_DOWN)
        add(line, ", to see what is further up");
}

static void describe_drag(const struct tree *tree, const struct action *action,
                          struct line *line)
{
    struct description from;
    struct description to;

    if (!tree || !action->has_from || !action->has_to) {
        add(line, "dragged %s", action_direction_name(direction_of(action)));
        return;
    }
    describe_touch(tree, "dragged", action->from.x, action->from.y, &from);
    describe_touch(tree, "onto", action->to.x, action->to.y, &to);
    add(line, "%s %s", from.text, to.text);
}

static void add_said(struct line *line, const char *verb, const char *text)
{
    struct phrase phrase;

    add(line, "%s", verb);
    if (text && phrase_clean(text, &phrase))
        add(line, " '%s'", phrase.text);
}

static void describe_touched(const struct tree *tree,
                             const struct action *action, struct line *line)
{
    const char *verb = action->kind == ACTION_LONG_PRESS   ? "long-pressed"
                       : action->kind == ACTION_DOUBLE_TAP ? "double-tapped"
                                                           : "tapped";
    struct description description;

    if (tree && action->has_from) {
        describe_touch(tree, verb, action->from.x, action->from.y,
                       &description);
        add(line, "%s", description.text);
    } else if (action->has_from) {
        add(line, "%s at %d,%d", verb, action->from.x, action->from.y);
    } else {
        add(line, "%s", verb);
    }
}

static void describe_deed(const struct tree *tree, const struct action *action,
                          struct line *line)
{
    bool secret = false;

    switch (action->kind) {
    case ACTION_CLICK:
    case ACTION_LONG_PRESS:
    case ACTION_DOUBLE_TAP:
        describe_touched(tree, action, line);
        break;
    case ACTION_SWIPE:
    case ACTION_SCROLL:
        describe_swipe(tree, action, line);
        break;
    case ACTION_DRAG:
        describe_drag(tree, action, line);
        break;
    case ACTION_TYPE:
        describe_typing(tree, action, line);
        break;
    case ACTION_ENTER:
        add(line, "pressed Enter");
        add_field(line, tree, "in", &secret);
        break;
    case ACTION_BACK:
        add(line, "pressed Back");
        break;
    case ACTION_HOME:
        add(line, "pressed Home");
        break;
    case ACTION_RECENTS:
        add(line, "opened the list of recent apps");
        break;
    case ACTION_OPEN_APP:
        add_said(line, "opened the app", action->text);
        break;
    case ACTION_WAIT:
        add(line, "waited");
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

void describe_step(const struct tree *tree, const struct action *action,
                   char line[DESCRIPTION_MAX])
{
    struct line out = {.text = line};

    line[0] = '\0';
    describe_deed(tree, action, &out);
    add_place_of(&out, tree);
}
