#include "tools/cli/command_line/help.h"

#include <string.h>

#include "base/macros.h"
#include "tools/cli/terminal/text_page.h"

/* Where explanations begin, unless a name is longer. */
#define COMMAND_COLUMN 14
#define OPTION_COLUMN 26
#define EXIT_COLUMN 8

const struct example help_exit_codes[] = {
    {"0", "Done"},
    {"1", "Failed: the phone, the network or this computer refused"},
    {"2", "The command line is wrong, or names something that does not exist"},
    {"3", "A rate is below --fail-under"},
    {"5", "The phone was lost"},
    {"130", "Interrupted"},
};
const size_t help_exit_code_count = ARRAY_LEN(help_exit_codes);

const struct example help_environment[] = {
    {"ANDROID_SERIAL", "The phone to use when -s is not given"},
    {"ANDROID_ADB_SERVER_PORT",
     "The port of an adb server that may be running (5037)"},
    {"ANDROID_ADB_SERVER_ADDRESS", "Its host (127.0.0.1)"},
    {"ADB_SERVER_SOCKET", "Both at once, as tcp:HOST:PORT"},
    {"ADB_VENDOR_KEYS",
     "More keys to try with phones: files or folders, separated by colons"},
    {"OPENAI_API_KEY", "Your key for openai:MODEL and responses:MODEL"},
    {"ANTHROPIC_API_KEY", "Your key for anthropic:MODEL"},
    {"GEMINI_API_KEY", "Your key for gemini:MODEL"},
    {"OPENAI_BASE_URL",
     "Another server for openai:MODEL, such as vLLM, llama.cpp or Ollama; "
     "ANTHROPIC_BASE_URL and GEMINI_BASE_URL do "
     "the same"},
    {"NO_COLOR", "Not empty: no colours"},
    {"PROCTOR_TRACE",
     "What to trace on standard error: packet, conn, server, sync, model, all"},
};
const size_t help_environment_count = ARRAY_LEN(help_environment);

void help_operands(const struct command *command, struct buf *text)
{
    for (size_t i = 0; i < command->operand_count; i++) {
        const struct operand *operand = &command->operands[i];
        const char *dots = operand->max > 1 ? "..." : "";

        buf_printf(text, operand->min ? "%s%s%s" : "%s[%s%s]", i ? " " : "",
                   operand->name, dots);
    }
}

void help_option_name(const struct option *option, struct buf *text)
{
    if (option->letter)
        buf_printf(text, "-%c, ", option->letter);
    else
        buf_text(text, "    ");
    buf_printf(text, "--%s", option->name);
    if (option->argument)
        buf_printf(text, " %s", option->argument);
}

static void heading(struct text_page *page, const char *text)
{
    text_page_printf(page, "\n");
    text_page_add(page, TEXT_STYLE_BOLD, text);
    text_page_printf(page, "\n");
}

/* A name in one column, and what it means in the next. */
static void row(struct text_page *page, const char *name, size_t column,
                const char *meaning)
{
    size_t end = 2 + text_page_columns(name);

    text_page_printf(page, "  %s", name);
    if (end + 2 > column) {
        text_page_printf(page, "\n");
        end = 0;
    }
    text_page_pad(page, end, column);
    text_page_wrap(page, column, column, meaning);
}

static void option_row(struct text_page *page, const struct option *option)
{
    struct buf name = BUF_INIT(128);
    struct buf help = BUF_INIT(1024);

    help_option_name(option, &name);
    buf_text(&help, option->help);
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        buf_printf(&help, "%s%s", i ? ", " : ": ", option->choices[i]);
    row(page, buf_cstr(&name), OPTION_COLUMN, buf_cstr(&help));
    buf_release(&name);
    buf_release(&help);
}

static void option_rows(struct text_page *page, const struct command *command)
{
    struct option_group groups[COMMAND_GROUPS_MAX];
    size_t count = command_groups(command, NULL, NULL, groups);

    heading(page, "Options");
    for (size_t g = 0; g < count; g++) {
        for (size_t i = 0; i < groups[g].count; i++)
            option_row(page, &groups[g].options[i]);
    }
}

static void example_rows(struct text_page *page, const char *title,
                         const struct example *examples, size_t count,
                         size_t column)
{
    heading(page, title);
    for (size_t i = 0; i < count; i++)
        row(page, examples[i].line, column, examples[i].meaning);
}

static void command_rows(struct text_page *page)
{
    const char *section = "";

    for (size_t i = 0; commands[i]; i++) {
        if (commands[i]->hidden)
            continue;
        if (strcmp(commands[i]->section, section))
            heading(page, commands[i]->section);
        section = commands[i]->section;
        row(page, commands[i]->name, COMMAND_COLUMN, commands[i]->summary);
    }
}

static void describe_program(struct text_page *page)
{
    text_page_add(page, TEXT_STYLE_BOLD, "proctor");
    text_page_printf(
        page,
        " benchmarks agents that operate an Android phone, and judges how they "
        "did\nit. It talks to phones without adb, and has a built-in "
        "phone.\n\nUsage: proctor [OPTION]... COMMAND [ARGUMENT]...\n");
    command_rows(page);
    option_rows(page, NULL);
    example_rows(page, "Environment", help_environment, help_environment_count,
                 OPTION_COLUMN);
    example_rows(page, "Exit codes", help_exit_codes, help_exit_code_count,
                 EXIT_COLUMN);
    text_page_printf(page, "\nFor details: proctor COMMAND --help\n");
}

static void describe_command(const struct command *command,
                             struct text_page *page)
{
    struct buf operands = BUF_INIT(256);

    help_operands(command, &operands);
    text_page_printf(page, "Usage: proctor %s [OPTION]...%s%s\n\n",
                     command->name, operands.length ? " " : "",
                     buf_cstr(&operands));
    text_page_wrap(page, 0, 0, command->description);
    if (command->operand_count)
        heading(page, "Arguments");
    for (size_t i = 0; i < command->operand_count; i++)
        row(page, command->operands[i].name, COMMAND_COLUMN,
            command->operands[i].help);
    option_rows(page, command);
    for (size_t i = 0; i < command->example_count; i++) {
        if (!i)
            heading(page, "Examples");
        text_page_printf(page, "  %s\n", command->examples[i].line);
        text_page_wrap(page, 0, 6, command->examples[i].meaning);
    }
    buf_release(&operands);
}

bool help_print(const struct command *command, struct output_stream *out,
                struct err *err)
{
    struct text_page page;
    bool done;

    text_page_init(&page, out->fd);
    if (command)
        describe_command(command, &page);
    else
        describe_program(&page);
    done = output_stream_buf(out, &page.text, err);
    text_page_release(&page);
    return done;
}
