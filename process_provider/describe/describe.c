#include "process_provider/describe/describe_private.h"

#include <string.h>

#include "process_provider/describe/unnamed_target.h"

/* An element below this share of its row is described with the row's name. */
#define ROW_PART 0.3
/* An element above this share of the screen is too large for one name. */
#define LARGE_SHARE 0.1
/* A tree belongs to a picture if it covers at least this share of each side. */
#define SIZE_SLACK 0.8

/* ---- the parts of a description ---- */

/*
 * The role of a view, or that of the one control inside it that is not
 * clickable.
 */
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

/* A control that only wraps one checkable view has its state. */
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
    return description->label.source != NODE_LABEL_NONE &&
           (strstr(description->label.name.text, text) ||
            strstr(text, description->label.name.text));
}

static void find_row(const struct tree *tree,
                     const struct node_context_row *row,
                     struct description *description)
{
    uint32_t node = description->target.node;
    struct phrase title;

    description->position = row->position;
    description->shown = row->shown;
    description->result = node_context_is_search(tree, row->list);
    if ((double)rect_area(&tree->nodes[node].bounds) >
        ROW_PART * (double)rect_area(&tree->nodes[row->node].bounds))
        return;
    if (node_context_row_title(tree, row->node, node, &title) &&
        !repeats(description, title.text))
        description->row = title;
}

/*
 * Rows and options have a heading. A control without a name is described by its
 * heading or page.
 */
static void find_heading(const struct tree *tree,
                         const struct node_context_row *row,
                         struct description *description)
{
    uint32_t node = description->target.node;
    bool in_list = row->node != TREE_NONE && row->is_list;
    struct phrase heading;

    if (!in_list && !description->toggles &&
        description->label.source != NODE_LABEL_NONE &&
        !node_context_is_dialog(tree, node))
        return;
    if (node_context_heading(tree, in_list ? row->list : node, &heading) &&
        strcmp(heading.text, description->screen.text) != 0 &&
        !repeats(description, heading.text))
        description->inside = heading;
    else if (description->label.source == NODE_LABEL_NONE)
        (void)node_context_page(tree, node, &description->inside);
}

static void find_parts(const struct tree *tree, struct description *description)
{
    uint32_t node = description->target.node;
    struct node_context_row row;

    (void)node_context_screen(tree, &description->screen);
    (void)node_context_app(tree, node, &description->app);
    if (node != TREE_NONE)
        description->role = role_within(tree, node);
    if (description->target.kind == TAP_TARGET_NOTHING)
        return;
    find_state(&tree->nodes[node], description);
    find_inner_state(tree, node, description);
    node_label_of(tree, node, &description->label);
    if (description->label.source == NODE_LABEL_NONE)
        (void)node_label_near(tree, node, &description->near);
    row = node_context_row(tree, node);
    if (row.node != TREE_NONE)
        find_row(tree, &row, description);
    find_heading(tree, &row, description);
    if (!description->position &&
        (description->label.source == NODE_LABEL_NONE ||
         description->label.source == NODE_LABEL_ID))
        description->cell = node_context_cell(tree, node);
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
            node_label_own(&tree->nodes[i], &phrase))
            return true;
    }
    return false;
}

/* Does the name belong to a large view, and not to the touched spot? */
static bool is_named_from_afar(const struct tree *tree,
                               const struct description *description, int x,
                               int y)
{
    uint32_t node = description->target.node;
    struct tree_rect screen = tree_screen(tree);

    return description->label.source == NODE_LABEL_INSIDE &&
           (double)rect_area(&tree->nodes[node].bounds) >
               LARGE_SHARE * (double)rect_area(&screen) &&
           !is_on_text(tree, node, x, y);
}

/* Text fields have icons at their ends. */
static bool is_at_end(const struct tree_rect *field, int x)
{
    int32_t height = field->bottom - field->top;

    return x < field->left + height || x >= field->right - height;
}

/* A password must not be revealed by describing the keys. */
static bool is_secret(const struct tree *tree)
{
    uint32_t field = tap_target_field(tree);

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
    const struct node_label *label = &description->label;
    uint32_t node = description->target.node;

    if (description->target.kind == TAP_TARGET_NOTHING) {
        if (is_secret(tree) || unnamed_target_is_navigation(tree, x, y))
            return LOOK_AWAY;
        return unnamed_target_is_keyboard(tree, y) ? LOOK_AT_KEY : LOOK;
    }
    if (description->role == ROLE_FIELD)
        return is_at_end(&tree->nodes[node].bounds, x) ? LOOK_FOR_ICON
                                                       : LOOK_AWAY;
    if (description->near.text.text[0])
        return LOOK_FOR_ICON;
    if (label->source == NODE_LABEL_NONE || label->source == NODE_LABEL_ID ||
        node_label_is_kind(label->name.text) ||
        is_named_from_afar(tree, description, x, y))
        return LOOK;
    return LOOK_AWAY;
}

/*
 * Is the tree of the screen that the picture shows? Trees may lack bars at the
 * edges, or be of a dialog alone, but have nothing beyond the picture's edges.
 */
static bool fits(const struct tree *tree, const struct picture *picture,
                 struct err *err)
{
    struct tree_rect screen = tree_screen(tree);
    bool beyond = screen.right > (int64_t)picture->width ||
                  screen.bottom > (int64_t)picture->height;
    bool smaller = !tree->nodes[0].bounds.left && !tree->nodes[0].bounds.top &&
                   screen.right < SIZE_SLACK * picture->width &&
                   screen.bottom < SIZE_SLACK * picture->height;

    if (!beyond && !smaller)
        return true;
    return err_set(err, ERR_INVALID,
                   "the picture has %u x %u pixels and its tree %d x %d: the "
                   "picture is not used",
                   picture->width, picture->height, screen.right,
                   screen.bottom);
}

static void look(const struct scene *scene, int x, int y,
                 struct description *description)
{
    enum looking how =
        scene->tree ? how_to_look(scene->tree, description, x, y) : LOOK;
    struct err *doubt = &description->doubt;
    const struct picture *picture;

    if (how == LOOK_AWAY || !scene->picture || !scene->access ||
        !scene->access->reader)
        return;
    picture = scene->picture(scene->from);
    if (!picture || (scene->tree && !fits(scene->tree, picture, doubt)))
        return;
    if (how == LOOK_FOR_ICON)
        visual_label_find_icon(scene->access, picture, x, y,
                               &description->seen);
    else if (how == LOOK_AT_KEY)
        (void)!visual_label_find_key(scene->access, picture, x, y,
                                     &description->seen, doubt);
    else
        (void)!visual_label_find(scene->access, picture, x, y,
                                 &description->seen, doubt);
}

/* ---- the words ---- */

static const char *ordinal_ending(unsigned number)
{
    unsigned last = number % 10;

    if (number % 100 / 10 == 1 || last == 0 || last > 3)
        return "th";
    return last == 1 ? "st" : last == 2 ? "nd" : "rd";
}

static void add_details(struct line_builder *line,
                        const struct node_label *label)
{
    for (unsigned i = 0; i < label->detail_count; i++)
        line_builder_add(line, "%s'%s'", i ? ", " : " (",
                         label->details[i].text);
    if (label->detail_count)
        line_builder_add(line, ")");
}

/* Obvious roles are only mentioned where there is no name. */
static void add_name(struct line_builder *line,
                     const struct description *description)
{
    const struct node_label *label = &description->label;
    enum role role = description->role;
    bool obvious = role == ROLE_TEXT || role == ROLE_LIST || role == ROLE_IMAGE;
    const char *kind = role_name(role);

    if (label->source == NODE_LABEL_NONE) {
        line_builder_add(line, "%s without a name", *kind ? kind : "something");
        if (description->near.text.text[0])
            line_builder_add(line, ", %s '%s'", description->near.side,
                             description->near.text.text);
        return;
    }
    if (label->sense) {
        line_builder_add(line, "%s %s '%s'", *kind ? kind : "something",
                         label->sense, label->name.text);
        return;
    }
    if (*kind && (!obvious || description->target.kind == TAP_TARGET_TEXT))
        line_builder_add(line, "%s ", kind);
    line_builder_add(line, "'%s'", label->name.text);
    add_details(line, label);
}

static void add_seen(struct line_builder *line, const struct visual_label *seen)
{
    if (seen->kind == VISUAL_LABEL_ICON)
        line_builder_add(line, " where the picture shows the icon '%s'",
                         seen->name.text);
    else if (seen->kind == VISUAL_LABEL_WORDS)
        line_builder_add(line, " where the picture shows '%s'",
                         seen->name.text);
}

static bool is_changed(const struct scene *scene)
{
    return scene->changed && scene->changed(scene->after);
}

static void add_state(struct line_builder *line, const struct scene *scene,
                      const struct description *description)
{
    if (description->disabled)
        line_builder_add(line, ", disabled");
    else if (description->toggles)
        line_builder_add(line, ", now %s", description->on ? "on" : "off");
    else if (description->selected)
        line_builder_add(line, ", already selected");
    if (description->target.kind == TAP_TARGET_TEXT && !is_changed(scene))
        line_builder_add(line, ", which takes no taps");
}

static void add_cell(struct line_builder *line,
                     const struct node_context_cell *cell)
{
    unsigned one = cell->columns > 1 ? cell->column : cell->row;

    if (cell->columns > 1 && cell->rows > 1)
        line_builder_add(line, ", row %u, column %u", cell->row, cell->column);
    else if (cell->columns > 1 || cell->rows > 1)
        line_builder_add(line, ", %u%s of %u", one, ordinal_ending(one),
                         cell->columns * cell->rows);
}

static void add_position(struct line_builder *line,
                         const struct description *description)
{
    if (description->position)
        line_builder_add(line, ", %u%s %s", description->position,
                         ordinal_ending(description->position),
                         description->result ? "result" : "item");
    add_cell(line, &description->cell);
    if (description->inside.text[0])
        line_builder_add(line, ", in '%s'", description->inside.text);
}

static void add_place(struct line_builder *line, const struct phrase *screen,
                      const struct phrase *app)
{
    if (screen->text[0] && app->text[0])
        line_builder_add(line, "; screen '%s' of %s", screen->text, app->text);
    else if (screen->text[0])
        line_builder_add(line, "; screen '%s'", screen->text);
    else if (app->text[0])
        line_builder_add(line,
                         strcmp(app->text, PHRASE_HOME) ? "; in %s" : "; on %s",
                         app->text);
}

/* Where the tree has nothing. */
static void add_blank(struct line_builder *line, const struct scene *scene,
                      int x, int y, const struct visual_label *seen)
{
    char words[UNNAMED_TARGET_MAX];

    if (seen->kind == VISUAL_LABEL_ICON) {
        line_builder_add(line, "the icon '%s', which only the picture shows, ",
                         seen->name.text);
    } else if (seen->kind == VISUAL_LABEL_WORDS) {
        line_builder_add(line, "'%s', which only the picture shows, ",
                         seen->name.text);
    } else if (scene->tree) {
        unnamed_target_describe(scene->tree, x, y, is_changed(scene), words);
        line_builder_add(line, "%s ", words);
    } else if (seen->kind == VISUAL_LABEL_NOTHING && !is_changed(scene)) {
        line_builder_add(line, "nothing: an empty place ");
    }
    line_builder_add(line, "at %d,%d", x, y);
}

void describe_touch(const struct scene *scene, const char *verb, int x, int y,
                    struct description *description)
{
    struct line_builder line = {.text = description->text};

    *description = (struct description){.touches = scene->tree,
                                        .target = {.node = TREE_NONE},
                                        .doubt = ERR_INIT};
    if (scene->tree) {
        /* The system's bar lies on top of the app, whatever the app has there.
         */
        if (!unnamed_target_is_navigation(scene->tree, x, y))
            description->target = tap_target_at(scene->tree, x, y);
        find_parts(scene->tree, description);
    }
    look(scene, x, y, description);
    line_builder_add(&line, "%s ", verb);
    if (description->target.kind == TAP_TARGET_NOTHING) {
        add_blank(&line, scene, x, y, &description->seen);
    } else {
        add_name(&line, description);
        add_seen(&line, &description->seen);
        if (description->row.text[0])
            line_builder_add(&line, " of '%s'", description->row.text);
        add_state(&line, scene, description);
        add_position(&line, description);
    }
}

void describe_add_screen(struct description *description)
{
    struct line_builder line = {.text = description->line,
                                .length = strlen(description->text)};

    memcpy(description->line, description->text, line.length + 1);
    add_place(&line, &description->screen, &description->app);
}

void describe_tap(const struct scene *scene, int x, int y,
                  struct description *description)
{
    describe_touch(scene, "tapped", x, y, description);
    describe_add_screen(description);
}
