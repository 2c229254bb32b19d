/* proctor edit: a recording in the browser. */
#include <string.h>

#include "runner/recording/recording.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/foreground_service.h"
#include "tools/cli/serve/open_browser.h"
#include "tools/cli/serve/serve_phone_page.h"

struct edit_args {
    bool open;
};

/* The folder of all recordings, and the name of this one: the last part. */
static bool split_path(const char *path, struct buf *folder,
                       char name[RECORDING_NAME_MAX], struct err *err)
{
    size_t length = strlen(path), begin;

    while (length && path[length - 1] == '/')
        length--;
    begin = length;
    while (begin && path[begin - 1] != '/')
        begin--;
    if (length - begin < RECORDING_NAME_MAX) {
        memcpy(name, path + begin, length - begin);
        name[length - begin] = '\0';
    }
    if (!recording_is_one(path) || !recording_name_is_valid(name))
        return err_set(err, ERR_NOT_FOUND,
                       "%.200s is no recording: give the folder of one, with "
                       "a name of a-z, 0-9, . and -",
                       path);
    buf_append(folder, path, begin);
    buf_text(folder, ".");
    return true;
}

static bool serve_recording(struct cli_context *cli, const char *folder,
                            const char *name, bool open, struct err *err)
{
    const struct serve_options options = {.recordings = folder,
                                          .log = cli->log};
    struct serve *serve = NULL;
    char *file;
    bool done;

    if (!serve_start(&options, &serve, err))
        return false;
    file = serve_show_url(cli, serve, (struct serve_place){"recording", name},
                          open);
    done = foreground_service_print_port(cli, serve_port(serve), err) &&
           foreground_service_wait(cli, NULL, err);
    serve_stop(serve);
    browser_file_remove(file);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct edit_args *given = args;
    struct buf folder = BUF_INIT(SIZE_MAX);
    char name[RECORDING_NAME_MAX] = "";
    bool done;

    (void)status;
    done = split_path(words->items[0], &folder, name, err) &&
           serve_recording(cli, buf_cstr(&folder), name, given->open, err);
    buf_release(&folder);
    return done;
}

static const struct operand operands[] = {
    {.name = "RECORDING",
     .help = "Folder of the recording",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_FILE},
};

static const struct option options_table[] = {
    OPTION_FLAG(struct edit_args, open, "open", 0,
                "Show the page in your browser"),
};

static const struct example examples[] = {
    {"proctor edit recordings/dark-mode --open",
     "Edit a recording in your browser."},
};

const struct command cmd_edit = {
    .name = "edit",
    .section = "Recordings",
    .summary = "Edit a recording in the browser",
    .description =
        "Serves a page with the steps of a recording until it is interrupted: "
        "cut off the beginning or the end, star, note and delete steps, blur "
        "parts of pictures for good, rename it, split it in two.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct edit_args),
    .takes = TAKES_TIMEOUT,
    .run = run,
};
