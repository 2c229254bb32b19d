/* proctor screendiff: what changed between two screenshots. */
#include <math.h>
#include <stdlib.h>

#include "base/macros.h"
#include "base/picture/picture_file.h"
#include "process_provider/diff/screendiff.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/terminal/text_page.h"

struct screendiff_args {
    const char *out;
    const char *tolerance;
    struct option_texts masks;
};

/* "X,Y,WIDTH,HEIGHT", and nothing after it. */
static bool parse_numbers(const char *text, long numbers[4])
{
    for (int i = 0; i < 4; i++) {
        char *end;

        numbers[i] = strtol(text, &end, 10);
        if (end == text || numbers[i] < 0 || numbers[i] > PICTURE_SIDE_MAX ||
            *end != (i < 3 ? ',' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}

static bool parse_mask(const char *text, struct box *mask, struct err *err)
{
    long numbers[4];

    if (!parse_numbers(text, numbers))
        return err_set(err, ERR_INVALID,
                       "screendiff: --mask cannot be \"%.40s\": give "
                       "X,Y,WIDTH,HEIGHT in pixels",
                       text);
    *mask = (struct box){(int)numbers[0], (int)numbers[1],
                         (int)(numbers[0] + numbers[2]),
                         (int)(numbers[1] + numbers[3])};
    return true;
}

static bool parse_tolerance(const char *text, uint8_t *tolerance,
                            struct err *err)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end || value < 0 || value > 255)
        return err_set(err, ERR_INVALID,
                       "screendiff: --tolerance cannot be \"%.40s\": give a "
                       "number from 0 to 255",
                       text);
    *tolerance = (uint8_t)value;
    return true;
}

static bool parse_args(const struct screendiff_args *args, struct box *masks,
                       struct screendiff_options *options, struct err *err)
{
    for (size_t i = 0; i < args->masks.count; i++) {
        if (!parse_mask(args->masks.items[i], &masks[i], err))
            return false;
    }
    *options = (struct screendiff_options){
        .masks = masks, .mask_count = args->masks.count, .likeness = true};
    return !args->tolerance ||
           parse_tolerance(args->tolerance, &options->tolerance, err);
}

static void write_movement(struct text_page *page,
                           const struct content_movement *movement)
{
    struct box area = movement->area;

    text_page_printf(page, "moved      %d pixels %s, within %dx%d at %d,%d\n",
                     abs(movement->dx + movement->dy),
                     movement->dx < 0   ? "left"
                     : movement->dx > 0 ? "right"
                     : movement->dy < 0 ? "up"
                                        : "down",
                     box_width(area), box_height(area), area.left, area.top);
}

static void write_page(struct text_page *page, const struct screendiff *diff)
{
    if (!diff->pixels_changed) {
        text_page_add(page, TEXT_STYLE_PLAIN, "nothing changed\n");
        return;
    }
    if (!diff->same_size) {
        text_page_add(page, TEXT_STYLE_PLAIN, "the screens differ in size\n");
        return;
    }
    text_page_printf(page, "changed    %.2f %% of the pixels\n",
                     100 * diff->share);
    if (!isnan(diff->ssim))
        text_page_printf(page, "SSIM       %.4f\n", diff->ssim);
    text_page_printf(page, "PSNR       %.2f dB\n", diff->psnr);
    if (diff->moved)
        write_movement(page, &diff->movement);
    for (size_t i = 0; i < diff->regions.count; i++) {
        struct box box = diff->regions.boxes[i];

        text_page_printf(page, "%-11s%dx%d at %d,%d\n", i ? "" : "where",
                         box_width(box), box_height(box), box.left, box.top);
    }
}

static bool print(struct cli_context *cli, const struct screendiff *diff,
                  struct err *err)
{
    struct cJSON *tree;
    struct text_page page;
    bool done;

    if (cli->shared.json) {
        tree = screendiff_to_json(diff);
        done = output_stream_json(&cli->out, tree, err);
        cJSON_Delete(tree);
        return done;
    }
    text_page_init(&page, cli->out.fd);
    write_page(&page, diff);
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct screendiff_args *diff_args = args;
    struct box masks[OPTION_TEXTS_MAX];
    struct screendiff_options options;
    struct picture before = PICTURE_INIT;
    struct picture after = PICTURE_INIT;
    struct screendiff diff;
    bool done;

    (void)status;
    done = parse_args(diff_args, masks, &options, err) &&
           picture_file_load(words->items[0], &before, err) &&
           picture_file_load(words->items[1], &after, err);
    if (done)
        screendiff_find(&diff, &before, &after, &options);
    if (done && diff_args->out) {
        screendiff_mark(&diff, &after);
        done = picture_file_save(diff_args->out, &after, err);
    }
    done = done && print(cli, &diff, err);
    picture_release(&before);
    picture_release(&after);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct screendiff_args, out, "out", 'o', "FILE", COMPLETE_FILE,
                "Save AFTER there as a PNG, with what changed marked"),
    OPTION_TEXTS(
        struct screendiff_args, masks, "mask", 'm', "X,Y,WIDTH,HEIGHT",
        COMPLETE_NOTHING,
        "Ignore this area, such as the clock; may be given several times"),
    OPTION_TEXT(struct screendiff_args, tolerance, "tolerance", 't', "N",
                COMPLETE_NOTHING,
                "Pixels whose brightness (0 to 255) differs by no more than "
                "this are equal"),
};

static const struct operand operands[] = {
    {.name = "BEFORE",
     .help = "A screenshot, PNG or JPEG",
     .completes = COMPLETE_FILE,
     .min = 1,
     .max = 1},
    {.name = "AFTER",
     .help = "Another one",
     .completes = COMPLETE_FILE,
     .min = 1,
     .max = 1},
};

static const struct example examples[] = {
    {"proctor screendiff 0003.png 0004.png", "What this step changed."},
    {"proctor screendiff -m 0,0,1080,80 -o marked.png a.png b.png",
     "The same without the status bar, drawn into a picture."},
};

const struct command cmd_screendiff = {
    .name = "screendiff",
    .section = "Steps and screens",
    .summary = "Compare two screenshots",
    .description =
        "Compares two screenshots and prints the share of pixels that "
        "changed, how alike the screens are (SSIM, PSNR), the rectangles "
        "that changed, and how far content was scrolled, if it was. "
        "\"nothing changed\" is a result like any other.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct screendiff_args),
    .takes = TAKES_JSON,
    .run = run,
};
