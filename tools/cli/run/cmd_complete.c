/* proctor complete: words that a shell offers. Called by its scripts. */
#include <string.h>

#include "base/macros.h"
#include "runner/agents/agent_factory.h"
#include "runner/prompt/profile.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"

#define OUTPUT_MAX ((size_t)4 << 20)
#define DEVICES_MS 2000 /* longer than anyone waits after Tab */

static void add_devices(const struct cli_context *cli, struct text_list *found)
{
    struct discover_config config;
    struct discover_entries entries;
    struct err ignored; /* then nothing is offered */

    if (cli_discover_config(cli, &config, &ignored) &&
        discover_list(&config.discover, deadline_in_ms(DEVICES_MS), &entries,
                      &ignored)) {
        for (size_t i = 0; i < entries.count; i++) {
            if (!text_list_have(found, entries.items[i].serial))
                text_list_add(found, entries.items[i].serial);
        }
        discover_entries_release(&entries);
    }
    discover_config_release(&config);
}

static void add_profiles(struct text_list *found)
{
    for (size_t i = 0; profile_name(i); i++)
        text_list_add(found, profile_name(i));
}

/* Of the suite that the line names, or of the built-in phone's. */
static void add_tasks(const struct operand_words *words,
                      struct text_list *found)
{
    struct suite suite;
    struct err ignored;
    bool open = false;

    /* The first word is the kind, and the next one is "proctor". */
    for (size_t i = 2; !open && i < words->count; i++)
        open = suite_open(words->items[i], &suite, &ignored);
    if (!open && !suite_open("phone", &suite, &ignored))
        return;
    for (size_t i = 0; i < suite.count; i++)
        text_list_add(found, suite.tasks[i].id);
    suite_release(&suite);
}

static void collect(const struct cli_context *cli,
                    const struct operand_words *words, struct text_list *found)
{
    const char *kind = words->items[0];

    if (!strcmp(kind, "run-devices"))
        text_list_add(found, "phone");
    if (!strcmp(kind, "devices") || !strcmp(kind, "run-devices"))
        add_devices(cli, found);
    else if (!strcmp(kind, "agents"))
        agent_factory_list(found);
    else if (!strcmp(kind, "suites"))
        suite_list_names(found);
    else if (!strcmp(kind, "tasks"))
        add_tasks(words, found);
    else
        add_profiles(found);
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct text_list found = {.items = NULL};
    struct buf text = BUF_INIT(OUTPUT_MAX);
    bool done;

    (void)args, (void)status;
    collect(cli, words, &found);
    for (size_t i = 0; i < found.count; i++)
        buf_printf(&text, "%s\n", found.items[i]);
    done = output_stream_buf(&cli->out, &text, err);
    buf_release(&text);
    text_list_release(&found);
    return done;
}

static const char *const kinds[] = {
    "devices", "run-devices", "agents", "suites", "tasks", "profiles", NULL};

static const struct operand operands[] = {
    {.name = "KIND",
     .help = "What is to be listed",
     .choices = kinds,
     .min = 1,
     .max = 1},
    {.name = "WORD",
     .help = "The words of the line so far",
     .max = OPERAND_MANY,
     .verbatim = true},
};

const struct command cmd_complete = {
    .name = "complete",
    .section = "This program",
    .summary = "List words that a shell offers",
    .description = "Prints what may stand at a place of a command line, a word "
                   "per line. The scripts of proctor completion call it.",
    COMMAND_OPERANDS(operands),
    .hidden = true,
    .run = run,
};
