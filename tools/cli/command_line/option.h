/*
 * The syntax of command lines, as tables.
 *
 * Each command has one table of options and one of operands. Parsing, help,
 * the manual page and shell completion all read the same tables, so that an
 * option is written down once. The macros below have the compiler check that
 * the field an option fills has the type that the option needs.
 */
#ifndef TOOLS_CLI_COMMAND_LINE_OPTION_H
#define TOOLS_CLI_COMMAND_LINE_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum option_type {
    OPTION_FLAG,    /* bool: given or not */
    OPTION_TEXT,    /* const char *: borrowed from argv */
    OPTION_TEXTS,   /* struct option_texts: one each time it is given */
    OPTION_SECONDS, /* double: more than 0 */
    OPTION_CHOICE,  /* int: the index of one of choices */
};

#define OPTION_TEXTS_MAX 256 /* as many phones as a run may have */

struct option_texts {
    const char *items[OPTION_TEXTS_MAX]; /* borrowed from argv */
    size_t count;
};

/* What a shell offers when Tab is pressed. */
enum option_completes {
    COMPLETE_NOTHING,
    COMPLETE_FILE,
    COMPLETE_DEVICE,
    COMPLETE_RUN_DEVICE, /* the same, and the built-in phone */
    COMPLETE_AGENT,
    COMPLETE_SUITE, /* or a file */
    COMPLETE_TASK,
    COMPLETE_PROFILE, /* or a file */
};

struct option {
    const char *name;           /* long, without the dashes */
    char letter;                /* short; 0: none */
    const char *argument;       /* its name in help; NULL: takes none */
    const char *const *choices; /* of a CHOICE; ends with NULL */
    const char *help;           /* a sentence without its full stop */
    enum option_type type;
    enum option_completes completes;
    size_t offset; /* of the field, in the command's arguments */
};

/* offsetof, compiled only if the field has exactly that type. */
#define OPTION_FIELD(type_, args_, field_)                                     \
    _Generic(((args_ *)0)->field_, type_ : offsetof(args_, field_))

#define OPTION_FLAG(args_, field_, name_, letter_, help_)                      \
    {                                                                          \
        .name = (name_), .letter = (letter_), .help = (help_),                 \
        .type = OPTION_FLAG, .offset = OPTION_FIELD(bool, args_, field_)       \
    }
#define OPTION_TEXT(args_, field_, name_, letter_, argument_, completes_,      \
                    help_)                                                     \
    {                                                                          \
        .name = (name_), .letter = (letter_), .argument = (argument_),         \
        .help = (help_), .type = OPTION_TEXT, .completes = (completes_),       \
        .offset = OPTION_FIELD(const char *, args_, field_)                    \
    }
#define OPTION_TEXTS(args_, field_, name_, letter_, argument_, completes_,     \
                     help_)                                                    \
    {                                                                          \
        .name = (name_), .letter = (letter_), .argument = (argument_),         \
        .help = (help_), .type = OPTION_TEXTS, .completes = (completes_),      \
        .offset = OPTION_FIELD(struct option_texts, args_, field_)             \
    }
#define OPTION_SECONDS(args_, field_, name_, letter_, help_)                   \
    {                                                                          \
        .name = (name_), .letter = (letter_), .argument = "SECONDS",           \
        .help = (help_), .type = OPTION_SECONDS,                               \
        .offset = OPTION_FIELD(double, args_, field_)                          \
    }
#define OPTION_CHOICE(args_, field_, name_, letter_, argument_, choices_,      \
                      help_)                                                   \
    {                                                                          \
        .name = (name_), .letter = (letter_), .argument = (argument_),         \
        .choices = (choices_), .help = (help_), .type = OPTION_CHOICE,         \
        .offset = OPTION_FIELD(int, args_, field_)                             \
    }

/* A table of options and the struct that they fill. */
struct option_group {
    const struct option *options;
    size_t count;
    void *args; /* NULL when nothing is parsed, only described */
};

/* An operand: a word that is not an option. */
struct operand {
    const char *name;
    const char *help;
    const char *const *choices; /* the words allowed, ends with NULL; or NULL */
    enum option_completes completes;
    unsigned min;
    unsigned max;
    /*
     * A command line for the device begins here: from its first word on,
     * nothing is an option of ours.
     */
    bool verbatim;
};

#define OPERAND_MANY 65536

/* The operands that were given; borrowed from argv. */
struct operand_words {
    const char **items; /* owned; the texts are not */
    size_t count;
};

void operand_words_release(struct operand_words *words);

/* What is allowed, and its names in messages. */
struct syntax {
    const char *command; /* NULL: proctor itself */
    const struct option_group *groups;
    size_t group_count;
    const struct operand *operands;
    size_t operand_count;
};

/*
 * Read count arguments: fill the groups' structs and append to words.
 * May be called several times for one command; option_check_words then says
 * whether the words are as many as the operands need.
 * Fails with ERR_INVALID and a message that suggests a correction.
 */
MUST_USE bool option_parse(const struct syntax *syntax, char *const *argv,
                           size_t count, struct operand_words *words,
                           struct err *err);
MUST_USE bool option_check_words(const struct syntax *syntax,
                                 const struct operand_words *words,
                                 struct err *err);

/*
 * How many leading arguments are options (with their values) of groups: the
 * index of the first word, which names the command.
 */
size_t option_skip(const struct option_group *groups, size_t group_count,
                   char *const *argv, size_t count);

#endif
