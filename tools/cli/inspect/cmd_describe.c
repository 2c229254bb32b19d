/* proctor describe: the target of a tap, as text. */
#include <stdlib.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "base/picture/picture_file.h"
#include "process_provider/describe/describe.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/inspect/tree_file.h"
#include "tools/cli/terminal/text_page.h"

#define PIXEL_MAX 100000

struct describe_args {
    bool plain;
    const char *picture;
};

static bool read_pixel(const char *text, int *pixel, struct err *err)
{
    char *end;
    long number = strtol(text, &end, 10);

    if (end == text || *end || number < 0 || number > PIXEL_MAX)
        return err_set(err, ERR_INVALID,
                       "describe: \"%.20s\" is not a coordinate in pixels",
                       text);
    *pixel = (int)number;
    return true;
}

static bool print_line(struct cli_context *cli, const char *line,
                       struct err *err)
{
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    text_page_untrusted(&page, TEXT_STYLE_PLAIN, line);
    text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static void add_phrase(struct cJSON *object, const char *key,
                       const struct phrase *phrase)
{
    if (phrase->text[0])
        json_add_string(object, key, phrase->text);
}

static void add_seen(const struct visual_label *seen, struct cJSON *object)
{
    static const char *const kinds[] = {
        [VISUAL_LABEL_UNKNOWN] = NULL,
        [VISUAL_LABEL_NOTHING] = "nothing",
        [VISUAL_LABEL_ICON] = "icon",
        [VISUAL_LABEL_WORDS] = "words",
    };

    if (!kinds[seen->kind])
        return;
    json_add_string(object, "picture", kinds[seen->kind]);
    add_phrase(object, "seen", &seen->name);
}

static void add_cell(const struct node_context_cell *cell, struct cJSON *object)
{
    if (cell->rows * cell->columns <= 1)
        return;
    object = json_add_object(object, "cell");
    json_add_int(object, "row", cell->row);
    json_add_int(object, "column", cell->column);
    json_add_int(object, "rows", cell->rows);
    json_add_int(object, "columns", cell->columns);
}

static void add_parts(const struct tree *tree,
                      const struct description *description,
                      struct cJSON *object)
{
    static const char *const kinds[] = {
        [TAP_TARGET_NOTHING] = "nothing",
        [TAP_TARGET_TEXT] = "text",
        [TAP_TARGET_CONTROL] = "control",
    };
    const struct tree_node *node;
    struct cJSON *bounds;

    json_add_string(object, "target", kinds[description->target.kind]);
    add_phrase(object, "app", &description->app);
    add_phrase(object, "screen", &description->screen);
    add_seen(&description->seen, object);
    if (description->target.kind == TAP_TARGET_NOTHING)
        return;
    node = &tree->nodes[description->target.node];
    add_phrase(object, "name", &description->label.name);
    if (description->label.sense)
        json_add_string(object, "sense", description->label.sense);
    if (*role_name(description->role))
        json_add_string(object, "role", role_name(description->role));
    json_add_bool(object, "enabled", !description->disabled);
    if (description->toggles)
        json_add_bool(object, "on", description->on);
    if (description->position)
        json_add_int(object, "position", description->position);
    add_cell(&description->cell, object);
    add_phrase(object, "row", &description->row);
    add_phrase(object, "inside", &description->inside);
    bounds = json_add_array(object, "bounds");
    json_add_int(bounds, NULL, node->bounds.left);
    json_add_int(bounds, NULL, node->bounds.top);
    json_add_int(bounds, NULL, node->bounds.right);
    json_add_int(bounds, NULL, node->bounds.bottom);
}

static bool describe(struct cli_context *cli, const struct scene *scene, int x,
                     int y, bool plain, struct err *err)
{
    struct description description;
    struct cJSON *object;
    bool done;

    if (plain)
        describe_plain(scene->tree, x, y, description.line);
    else
        describe_tap(scene, x, y, &description);
    if (!plain && description.doubt.code != ERR_NONE)
        cli_message(cli, "%s", description.doubt.text);
    if (!cli->shared.json)
        return print_line(cli, description.line, err);
    object = json_new_object();
    json_add_string(object, "description", description.line);
    if (!plain)
        add_parts(scene->tree, &description, object);
    if (!plain && description.doubt.code != ERR_NONE)
        json_add_string(object, "doubt", description.doubt.text);
    done = output_stream_json(&cli->out, object, err);
    cJSON_Delete(object);
    return done;
}

static const struct picture *loaded(void *picture)
{
    return picture;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct describe_args *describe_args = args;
    const char *path = describe_args->picture;
    struct tree tree = TREE_INIT;
    struct picture picture = PICTURE_INIT;
    struct picture_reader *reader = path ? picture_reader_open() : NULL;
    const struct picture_access access = {
        .reader = reader, .by = DEADLINE_NEVER, .cancel = cli->cancel};
    const struct scene scene = {.tree = &tree,
                                .picture = path ? loaded : NULL,
                                .from = &picture,
                                .access = &access};
    int x;
    int y;
    bool done;

    (void)status;
    done = read_pixel(words->items[1], &x, err) &&
           read_pixel(words->items[2], &y, err) &&
           tree_file_load(cli, words->items[0], &tree, err) &&
           (!path || picture_file_load(path, &picture, err)) &&
           describe(cli, &scene, x, y, describe_args->plain, err);
    tree_release(&tree);
    picture_release(&picture);
    picture_reader_close(reader);
    return done;
}

static const struct option options_table[] = {
    OPTION_FLAG(struct describe_args, plain, "plain", 0,
                "Use ProBench's Algorithm 1 as published"),
    OPTION_TEXT(struct describe_args, picture, "picture", 0, "FILE",
                COMPLETE_FILE,
                "A picture of the same screen, to name icons and text that the "
                "dump does not name"),
};

static const struct operand operands[] = {
    {.name = "TREE",
     .help = "A dump of the screen before the tap",
     .completes = COMPLETE_FILE,
     .min = 1,
     .max = 1},
    {.name = "X", .help = "Pixels from the left", .min = 1, .max = 1},
    {.name = "Y", .help = "Pixels from the top", .min = 1, .max = 1},
};

static const struct example examples[] = {
    {"proctor describe window_dump.xml 540 1200",
     "tapped checkbox 'Free cancellation', now on, in 'Filters'; in booking"},
};

const struct command cmd_describe = {
    .name = "describe",
    .section = "Steps and screens",
    .summary = "Describe the target of a tap",
    .description =
        "Describes the target of a tap: its kind, its name, whether it is on "
        "or off afterwards, its row, and the screen. A tap on an empty place "
        "is described as such. With a picture, a target without a name in the "
        "dump is named by the icon or the text in the picture.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct describe_args),
    .takes = TAKES_JSON,
    .run = run,
};
