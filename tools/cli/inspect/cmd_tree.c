/* proctor tree: a UI tree, to be read. */
#include "base/macros.h"
#include "process_provider/tree/tree_write.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/device/live_phone.h"
#include "tools/cli/inspect/tree_file.h"

#define OUTPUT_MAX ((size_t)256 << 20)

struct tree_args {
    bool xml;
};

static bool print_tree(struct cli_context *cli, const struct tree *tree,
                       bool xml, struct err *err)
{
    struct buf text = BUF_INIT(OUTPUT_MAX);
    struct cJSON *json;
    bool done;

    if (cli->shared.json) {
        json = tree_to_json(tree);
        done = output_stream_json(&cli->out, json, err);
        cJSON_Delete(json);
        return done;
    }
    if (xml)
        tree_write_xml(tree, &text);
    else
        tree_write_text(tree, &text);
    done = output_stream_buf(&cli->out, &text, err);
    buf_release(&text);
    return done;
}

/* What is on a phone's screen now. */
static bool print_live(struct cli_context *cli, bool xml, struct err *err)
{
    struct live_phone phone;
    bool done = live_phone_open(&phone, cli, err) &&
                print_tree(cli, &phone.seen.tree, xml, err);

    live_phone_release(&phone);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct tree_args *tree_args = args;
    struct tree tree = TREE_INIT;
    bool done;

    (void)status;
    if (tree_args->xml && cli->shared.json)
        return err_set(err, ERR_INVALID,
                       "tree: choose one of --json and --xml");
    if (!words->count)
        return print_live(cli, tree_args->xml, err);
    done = tree_file_load(cli, words->items[0], &tree, err) &&
           print_tree(cli, &tree, tree_args->xml, err);
    tree_release(&tree);
    return done;
}

static const struct option options_table[] = {
    OPTION_FLAG(struct tree_args, xml, "xml", 0,
                "Print a well-formed dump, as uiautomator would have made"),
};

static const struct operand operands[] = {
    {.name = "FILE",
     .help = "A dump of uiautomator, or a page source of Appium; - is standard "
             "input. Without a file: the screen of a phone",
     .completes = COMPLETE_FILE,
     .max = 1},
};

static const struct example examples[] = {
    {"proctor tree window_dump.xml", "The tree, a line for each view."},
    {"proctor tree -s emulator-5554", "What is on the screen of a phone."},
    {"proctor tree --xml broken.txt > fixed.xml", "Repair a damaged dump."},
};

const struct command cmd_tree = {
    .name = "tree",
    .section = "Steps and screens",
    .summary = "Show a UI tree, indented and readable",
    .description =
        "Reads a UI dump of any Android version and shows what was on the "
        "screen. Dumps that are cut off, in another encoding, with other text "
        "around them or not well-formed are repaired as far as possible; each "
        "repair is reported. Without a file the screen of a phone is read.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct tree_args),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
