/* proctor shot: a picture of the phone's screen. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "adb/services/screenshot.h"
#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/picture/png.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/terminal/text_page.h"

#define SHOT_MS 30000
#define NAME_MAX_LENGTH 256

struct shot_args {
    const char *output;
    int way; /* of enum screenshot_way */
};

/* In the order of enum screenshot_way. */
static const char *const ways[] = {"any",         "png",  "raw",
                                   "framebuffer", "gzip", NULL};

/* "proctor-10.0.0.7-5555-20260131-235959.png" */
static void default_name(const char *serial, char name[NAME_MAX_LENGTH])
{
    char safe[128];
    char when[32] = "";
    time_t now = time(NULL);
    struct tm local;
    size_t i;

    for (i = 0; serial[i] && i < sizeof(safe) - 1; i++) {
        bool plain = isalnum((unsigned char)serial[i]) ||
                     strchr("._-", serial[i]) != NULL;

        safe[i] = serial[i];
        if (!plain)
            safe[i] = '-';
    }
    safe[i] = '\0';
    if (localtime_r(&now, &local))
        strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &local);
    snprintf(name, NAME_MAX_LENGTH, "proctor-%s-%s.png", safe, when);
}

static bool print_result(struct cli_context *cli, const char *path,
                         const struct screenshot *shot, const struct buf *png,
                         struct err *err)
{
    struct cJSON *tree;
    struct text_page page;
    bool done;

    if (cli->shared.json) {
        tree = json_new_object();
        json_add_string(tree, "file", path);
        json_add_int(tree, "bytes", (int64_t)png->length);
        json_add_string(tree, "way", ways[shot->way]);
        done = output_stream_json(&cli->out, tree, err);
        cJSON_Delete(tree);
        return done;
    }
    text_page_init(&page, cli->out.fd);
    text_page_untrusted(&page, TEXT_STYLE_PLAIN, path);
    text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

/* Put the picture where it was asked for. */
static bool deliver(struct cli_context *cli, const char *output,
                    const char *serial, const struct screenshot *shot,
                    const struct buf *png, struct err *err)
{
    char name[NAME_MAX_LENGTH];

    if (output && !strcmp(output, "-"))
        return output_stream_buf(&cli->out, png, err);
    if (!output) {
        default_name(serial, name);
        output = name;
    }
    return file_save(output, 0666, png->data, png->length, err) &&
           print_result(cli, output, shot, png, err);
}

static bool take(struct cli_context *cli, const struct shot_args *args,
                 struct device *device, struct screenshot *shot,
                 struct err *err)
{
    struct deadline by = deadline_sooner(cli->by, deadline_in_ms(SHOT_MS));
    struct buf encoded = BUF_INIT(PICTURE_BYTES_MAX);
    const struct buf *png = &shot->bytes;
    bool done =
        screenshot_take(device, (enum screenshot_way)args->way, by, shot, err);

    done = done && screenshot_decode(shot, err);
    if (done && shot->way != SCREENSHOT_PNG) {
        buf_release(&shot->bytes); /* all of it is in the picture */
        buf_release(&shot->packed);
        done = png_encode(&shot->picture, PNG_FAST, &encoded, err);
        png = &encoded;
    }
    done = done &&
           deliver(cli, args->output, device_serial(device), shot, png, err);
    buf_release(&encoded);
    return done;
}

static bool check_output(const struct cli_context *cli, const char *output,
                         struct err *err)
{
    if (!output || strcmp(output, "-"))
        return true;
    if (cli->shared.json)
        return err_set(err, ERR_INVALID,
                       "shot: the picture and JSON cannot both go to standard "
                       "output");
    if (isatty(cli->out.fd))
        return err_set(err, ERR_INVALID,
                       "shot: the output is a terminal; give a file with -o, "
                       "or redirect the output");
    return true;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct shot_args *shot_args = args;
    struct screenshot shot = SCREENSHOT_INIT;
    struct device *device = NULL;
    bool done;

    (void)words;
    (void)status;
    done = check_output(cli, shot_args->output, err) &&
           cli_open_device(cli, &device, err) &&
           take(cli, shot_args, device, &shot, err);
    screenshot_release(&shot);
    device_close(device);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct shot_args, output, "output", 'o', "FILE", COMPLETE_FILE,
                "The file to write; - is standard output"),
    OPTION_CHOICE(struct shot_args, way, "way", 0, "HOW", ways,
                  "How the phone takes it"),
};

static const struct example examples[] = {
    {"proctor shot",
     "A new file in the current folder, whose name is printed."},
    {"proctor shot -o - | magick - -resize 50% small.png",
     "Pass it to another program."},
};

const struct command cmd_shot = {
    .name = "shot",
    .section = "Use a phone",
    .summary = "Take a screenshot, as a PNG file",
    .description =
        "Takes a picture of the phone's screen and prints the name of the "
        "file. The default name is proctor-SERIAL-TIME.png, in the current "
        "folder. The file appears only when it is complete.",
    COMMAND_OPTIONS(options_table),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct shot_args),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
