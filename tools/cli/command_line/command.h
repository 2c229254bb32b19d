/* What proctor can do: one table row, and one file, for each command. */
#ifndef TOOLS_CLI_COMMAND_LINE_COMMAND_H
#define TOOLS_CLI_COMMAND_LINE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tools/cli/command_line/option.h"

struct cli_context;

/* Options that several commands share; they fill this. */
struct shared_args {
    const char *device;
    double timeout_s; /* 0: not given */
    bool json;
    bool help;
    bool version;
};

/* Which of the shared options a command takes; --help is always there. */
enum command_takes {
    TAKES_DEVICE = 1,
    TAKES_JSON = 2,
    TAKES_TIMEOUT = 4,
};

/* A line to type, and what it does. */
struct example {
    const char *line;
    const char *meaning;
};

struct command {
    const char *name;
    const char *section;     /* its heading */
    const char *summary;     /* a few words */
    const char *description; /* paragraphs, with an empty line in between */
    const struct option *options;
    size_t option_count;
    size_t args_size; /* of the struct that its options fill */
    const struct operand *operands;
    size_t operand_count;
    const struct example *examples;
    size_t example_count;
    unsigned takes; /* of enum command_takes */
    bool hidden;    /* works, but is not for people */

    /*
     * Do it. args has what the options said, words what was left. *status is
     * the exit code of a success: 0 unless run changes it.
     */
    bool (*run)(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status,
                struct err *err);
};

/* Fill a table's pointer and its length. */
#define COMMAND_OPTIONS(table_)                                                \
    .options = (table_), .option_count = ARRAY_LEN(table_)
#define COMMAND_OPERANDS(table_)                                               \
    .operands = (table_), .operand_count = ARRAY_LEN(table_)
#define COMMAND_EXAMPLES(table_)                                               \
    .examples = (table_), .example_count = ARRAY_LEN(table_)

/*
 * The commands of this program in the order of the help; ends with NULL. Each
 * program defines its own: commands.c has all, quick.c those of the front.
 */
extern const struct command *const commands[];

/* ERR_INVALID: there is none of that name; the message suggests one. */
MUST_USE bool command_find(const char *name, const struct command **command,
                           struct err *err);

/*
 * The tables that hold for a command, its own first; for NULL, those that may
 * stand before the command's name. Returns how many there are.
 */
#define COMMAND_GROUPS_MAX 5
size_t command_groups(const struct command *command, void *args,
                      struct shared_args *shared,
                      struct option_group groups[COMMAND_GROUPS_MAX]);

#endif
