#include "process_provider/describe_private.h"

#include <string.h>

#include "process_provider/blank.h"

/* What takes less of a row is a part of it that needs the row's name. */
#define ROW_PART 0.3
/* What takes more of the screen has places that its texts do not name. */
#define LARGE_SHARE 0.1

/* ---- what there is to say, part by part ---- */

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

/* ---- what the picture shows ---- */

/* Is a text of the tree at the point that is smaller than the target? */
static bool is_on_text(const struct tree *tree, uint32_t target, int x, int y)
{
    struct phrase phrase;

    for (uint32_t i = target + 1; i < tree->nodes[target].end; i++) {
        if (rect_holds(&tree->nodes[i].bounds, x, y) &&
            label_own(&tree->nodes[i], &phrase))
            return true;
    }
    return false;
}

/* Does the name belong to something large, and not to what is touched? */
static bool is_named_from_afar(const struct tree *tree,
                               const struct description *description, int x,
                               int y)
{
    uint32_t node = description->target.node;
    struct tree_rect screen = tree_screen(tree);

    return description->label.source == LABEL_INSIDE &&
           (double)rect_area(&tree->nodes[node].bounds) >
               LARGE_SHARE * (double)rect_area(&screen) &&
           !is_on_text(tree, node, x, y);
}

/* Icons stand at the ends of a text field. */
static bool is_at_end(const struct tree_rect *field, int x)
{
    int32_t height = field->bottom - field->top;

    return x < field->left + height || x >= field->right - height;
}

/* What is typed key by key is no more to be said than what is typed at once. */
static bool is_secret(const struct tree *tree)
{
    uint32_t field = target_field(tree);

    return field != TREE_NONE && tree->nodes[field].flags & NODE_PASSWORD;
}

enum looking { LOOK_AWAY, LOOK_FOR_ICON, LOOK_AT_KEY, LOOK };

/*
 * The picture is looked at where the tree has no name that people gave. Beside
 * a name, or in a text field, only an icon is worth mentioning.
 */
static enum looking how_to_look(const struct tree *tree,
                                const struct description *description, int x,
                                int y)
{
    const struct label *label = &description->label;
    uint32_t node = description->target.node;

    if (description->target.kind == TARGET_NOTHING) {
        if (is_secret(tree))
            return LOOK_AWAY;
        return blank_is_keyboard(tree, y) ? LOOK_AT_KEY : LOOK;
    }
    if (description->role == ROLE_FIELD)
        return is_at_end(&tree->nodes[node].bounds, x) ? LOOK_FOR_ICON
                                                       : LOOK_AWAY;
    if (label->source == LABEL_NEAR)
        return LOOK_FOR_ICON;
    if (label->source == LABEL_NONE || label->source == LABEL_ID ||
        label_is_kind(label->name.text) ||
        is_named_from_afar(tree, description, x, y))
        return LOOK;
    return LOOK_AWAY;
}

static void look(const struct scene *scene, int x, int y,
                 struct description *description)
{
    enum looking how =
        scene->tree ? how_to_look(scene->tree, description, x, y) : LOOK;
    const struct picture *picture;

    if (how == LOOK_AWAY || !scene->picture)
        return;
    picture = scene->picture(scene->from);
    if (!picture)
        return;
    if (how == LOOK_FOR_ICON)
        seen_look_for_icon(picture, x, y, &description->seen);
    else if (how == LOOK_AT_KEY)
        seen_look_at_key(picture, x, y, &description->seen);
    else
        seen_look(picture, x, y, &description->seen);
}

/* ---- the words ---- */

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
        line_add(line, "%s'%s'", i ? ", " : " (", label->details[i].text);
    if (label->detail_count)
        line_add(line, ")");
}

/* Roles that go without saying are said only where there is no name. */
static void add_name(struct line *line, const struct description *description)
{
    const struct label *label = &description->label;
    enum role role = description->role;
    bool obvious = role == ROLE_TEXT || role == ROLE_LIST || role == ROLE_IMAGE;
    const char *kind = role_name(role);

    if (label->source == LABEL_NONE) {
        line_add(line, "%s without a name", *kind ? kind : "something");
        return;
    }
    if (label->sense) {
        line_add(line, "%s %s '%s'", *kind ? kind : "something", label->sense,
                 label->name.text);
        return;
    }
    if (*kind && (!obvious || description->target.kind == TARGET_TEXT ||
                  label->source == LABEL_NEAR))
        line_add(line, "%s ", kind);
    line_add(line, "%s'%s'",
             label->source == LABEL_NEAR && obvious ? "at " : "",
             label->name.text);
    add_details(line, label);
}

static void add_seen(struct line *line, const struct seen *seen)
{
    if (seen->kind == SEEN_ICON)
        line_add(line, " where the picture shows the icon '%s'",
                 seen->name.text);
    else if (seen->kind == SEEN_WORDS)
        line_add(line, " where the picture shows '%s'", seen->name.text);
}

static void add_state(struct line *line, const struct description *description)
{
    if (description->disabled)
        line_add(line, ", disabled");
    else if (description->toggles)
        line_add(line, ", now %s", description->on ? "on" : "off");
    else if (description->selected)
        line_add(line, ", already selected");
    if (description->target.kind == TARGET_TEXT)
        line_add(line, ", which takes no taps");
}

static void add_cell(struct line *line, const struct place_cell *cell)
{
    unsigned one = cell->columns > 1 ? cell->column : cell->row;

    if (cell->columns > 1 && cell->rows > 1)
        line_add(line, ", row %u, column %u", cell->row, cell->column);
    else if (cell->columns > 1 || cell->rows > 1)
        line_add(line, ", %u%s of %u", one, ordinal_ending(one),
                 cell->columns * cell->rows);
}

static void add_position(struct line *line,
                         const struct description *description)
{
    if (description->row.text[0])
        line_add(line, " of '%s'", description->row.text);
    if (description->position)
        line_add(line, ", %u%s %s", description->position,
                 ordinal_ending(description->position),
                 description->result ? "result" : "item");
    add_cell(line, &description->cell);
    if (description->inside.text[0])
        line_add(line, ", in '%s'", description->inside.text);
}

void describe_add_place(struct line *line, const struct phrase *screen,
                        const struct phrase *app)
{
    if (screen->text[0] && app->text[0])
        line_add(line, "; screen '%s' of %s", screen->text, app->text);
    else if (screen->text[0])
        line_add(line, "; screen '%s'", screen->text);
    else if (app->text[0])
        line_add(line, strcmp(app->text, PHRASE_HOME) ? "; in %s" : "; on %s",
                 app->text);
}

/* Where the tree has nothing. */
static void add_blank(struct line *line, const struct scene *scene, int x,
                      int y, const struct seen *seen)
{
    char words[BLANK_MAX];

    if (seen->kind == SEEN_ICON) {
        line_add(line, "the icon '%s', which only the picture shows, ",
                 seen->name.text);
    } else if (seen->kind == SEEN_WORDS) {
        line_add(line, "'%s', which only the picture shows, ", seen->name.text);
    } else if (scene->tree) {
        blank_describe(scene->tree, x, y, words);
        line_add(line, "%s ", words);
    } else if (seen->kind == SEEN_NOTHING) {
        line_add(line, "nothing: an empty place ");
    }
    line_add(line, "at %d,%d", x, y);
}

void describe_touch(const struct scene *scene, const char *verb, int x, int y,
                    struct description *description)
{
    struct line line = {.text = description->text};

    *description = (struct description){.target = {.node = TREE_NONE}};
    if (scene->tree) {
        description->target = target_at(scene->tree, x, y);
        find_parts(scene->tree, description);
    }
    look(scene, x, y, description);
    line_add(&line, "%s ", verb);
    if (description->target.kind == TARGET_NOTHING) {
        add_blank(&line, scene, x, y, &description->seen);
    } else {
        add_name(&line, description);
        add_seen(&line, &description->seen);
        add_state(&line, description);
        add_position(&line, description);
    }
    memcpy(description->line, description->text, line.length + 1);
    line.text = description->line;
    describe_add_place(&line, &description->screen, &description->app);
}

void describe_tap(const struct scene *scene, int x, int y,
                  struct description *description)
{
    describe_touch(scene, "tapped", x, y, description);
}
