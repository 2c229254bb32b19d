/* proctor ls: list a directory of the phone. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "adb/sync/sync.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/terminal/text_page.h"

struct ls_args {
    bool all;
    bool details;
};

struct ls_entry {
    char *name; /* owned */
    struct sync_stat stat;
};

struct ls_listing {
    struct ls_entry *entries; /* owned */
    size_t count;
    size_t capacity;
    bool all; /* names that begin with a full stop, too */
};

static void listing_release(struct ls_listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        free(listing->entries[i].name);
    free(listing->entries);
}

static bool add_entry(void *context, const char *name,
                      const struct sync_stat *stat)
{
    struct ls_listing *listing = context;

    if (name[0] == '.' && !listing->all)
        return true;
    if (listing->count == listing->capacity) {
        listing->capacity = listing->capacity ? 2 * listing->capacity : 64;
        listing->entries = mem_resize(listing->entries, listing->capacity,
                                      sizeof(*listing->entries));
    }
    listing->entries[listing->count++] =
        (struct ls_entry){.name = mem_dup(name), .stat = *stat};
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct ls_entry *left = a;
    const struct ls_entry *right = b;

    return strcmp(left->name, right->name);
}

/* What path holds or, if it is no directory, path itself. */
static bool read_listing(struct sync *sync, const struct cli_context *cli,
                         const char *path, struct ls_listing *listing,
                         struct err *err)
{
    struct sync_stat stat;

    if (!sync_stat(sync, path, true, cli_short_deadline(cli), &stat, err))
        return false;
    if (!stat.mode)
        return err_set(err, ERR_NOT_FOUND, "%s is not on the phone", path);
    if (!S_ISDIR(stat.mode)) {
        listing->all = true;
        return add_entry(listing, path, &stat);
    }
    if (!sync_list(sync, path, add_entry, listing, cli->by, err))
        return false;
    if (listing->count)
        qsort(listing->entries, listing->count, sizeof(*listing->entries),
              by_name);
    return true;
}

static const char *type_name(uint32_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR:
        return "directory";
    case S_IFREG:
        return "file";
    case S_IFLNK:
        return "link";
    default:
        return mode ? "special" : "unknown";
    }
}

/* "drwxr-xr-x" */
static void format_mode(uint32_t mode, char text[11])
{
    static const char letters[] = "rwxrwxrwx";
    const char *type = type_name(mode);

    text[0] = !strcmp(type, "file") ? '-' : type[0];
    for (int i = 0; i < 9; i++)
        text[i + 1] = mode & (0400U >> i) ? letters[i] : '-';
    text[10] = '\0';
}

static void put_details(struct text_page *page, const struct sync_stat *stat,
                        int size_width)
{
    char mode[11];
    char when[32] = "";
    time_t mtime = (time_t)stat->mtime;
    struct tm local;

    format_mode(stat->mode, mode);
    if (localtime_r(&mtime, &local))
        strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &local);
    text_page_printf(page, "%s %*llu %16s ", mode, size_width,
                     (unsigned long long)stat->size, when);
}

static int widest_size(const struct ls_listing *listing)
{
    int widest = 1;

    for (size_t i = 0; i < listing->count; i++) {
        int width = snprintf(NULL, 0, "%llu",
                             (unsigned long long)listing->entries[i].stat.size);

        widest = width > widest ? width : widest;
    }
    return widest;
}

/* For a terminal names are made harmless; a program gets them as they are. */
static bool print_text(struct cli_context *cli,
                       const struct ls_listing *listing, bool details,
                       struct err *err)
{
    bool terminal = isatty(cli->out.fd);
    int size_width = widest_size(listing);
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    for (size_t i = 0; i < listing->count; i++) {
        const struct ls_entry *entry = &listing->entries[i];
        enum text_style style =
            S_ISDIR(entry->stat.mode) ? TEXT_STYLE_BOLD : TEXT_STYLE_PLAIN;

        if (details)
            put_details(&page, &entry->stat, size_width);
        if (terminal)
            text_page_untrusted(&page, style, entry->name);
        else
            text_page_add(&page, TEXT_STYLE_PLAIN, entry->name);
        text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    }
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool print_json(struct cli_context *cli,
                       const struct ls_listing *listing, struct err *err)
{
    struct cJSON *tree = json_new_array();
    bool done;

    for (size_t i = 0; i < listing->count; i++) {
        const struct ls_entry *entry = &listing->entries[i];
        struct cJSON *object = json_add_object(tree, NULL);

        json_add_string(object, "name", entry->name);
        json_add_string(object, "type", type_name(entry->stat.mode));
        json_add_int(object, "mode", entry->stat.mode & 07777);
        json_add_int(object, "size", (int64_t)entry->stat.size);
        json_add_int(object, "mtime", entry->stat.mtime);
    }
    done = output_stream_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct ls_args *ls_args = args;
    struct sync_options options = {.compression = SYNC_NONE};
    struct ls_listing listing = {.all = ls_args->all};
    struct device *device = NULL;
    struct sync *sync = NULL;
    bool done;

    (void)status;
    done = cli_open_device(cli, &device, err) &&
           sync_open(device, &options, cli_short_deadline(cli), &sync, err) &&
           read_listing(sync, cli, words->items[0], &listing, err);
    if (done && cli->shared.json)
        done = print_json(cli, &listing, err);
    else if (done)
        done = print_text(cli, &listing, ls_args->details, err);
    listing_release(&listing);
    sync_close(sync);
    device_close(device);
    return done;
}

static const struct option options_table[] = {
    OPTION_FLAG(struct ls_args, all, "all", 'a',
                "Also names that begin with a full stop"),
    OPTION_FLAG(struct ls_args, details, "long", 'l',
                "Also permissions, size and time"),
};

static const struct operand operands[] = {
    {.name = "PATH", .help = "A directory or file", .min = 1, .max = 1},
};

const struct command cmd_ls = {
    .name = "ls",
    .section = "Use a phone",
    .summary = "List a directory of the phone",
    .description = "Lists what a directory of the phone holds, sorted by name.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    .args_size = sizeof(struct ls_args),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
