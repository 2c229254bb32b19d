/* proctor doctor: what works here, and what to do about the rest. */
#include <string.h>

#include "base/json_write.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/doctor/doctor_checks.h"
#include "tools/cli/terminal/text_page.h"

#define TEXT_INDENT 4

static const struct {
    const char *name; /* in JSON */
    const char *mark;
    const char *ascii_mark;
    enum text_style style;
} levels[] = {
    [FINDING_GOOD] = {"good", "\xe2\x9c\x93", "+", TEXT_STYLE_GREEN},
    [FINDING_NOTE] = {"note", "\xc2\xb7", "-", TEXT_STYLE_DIM},
    [FINDING_HINT] = {"hint", "!", "!", TEXT_STYLE_YELLOW},
    [FINDING_WRONG] = {"wrong", "\xe2\x9c\x97", "x", TEXT_STYLE_RED},
};

static size_t count_wrong(const struct findings *findings)
{
    size_t wrong = 0;

    for (size_t i = 0; i < findings->count; i++)
        wrong += findings->items[i].level == FINDING_WRONG;
    return wrong;
}

static void put_finding(struct text_page *page, const struct finding *finding)
{
    text_page_add(page, TEXT_STYLE_PLAIN, "  ");
    text_page_add(page, levels[finding->level].style,
                  page->unicode ? levels[finding->level].mark
                                : levels[finding->level].ascii_mark);
    text_page_add(page, TEXT_STYLE_PLAIN, " ");
    text_page_wrap(page, TEXT_INDENT, TEXT_INDENT, finding->text);
    if (finding->advice[0]) {
        text_page_pad(page, 0, TEXT_INDENT);
        text_page_add(page, TEXT_STYLE_BOLD, "do: ");
        text_page_wrap(page, TEXT_INDENT + 4, TEXT_INDENT + 4, finding->advice);
    }
}

static bool print_text(struct cli_context *cli, const struct findings *findings,
                       struct err *err)
{
    const char *topic = "";
    size_t wrong = count_wrong(findings);
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    for (size_t i = 0; i < findings->count; i++) {
        if (strcmp(topic, findings->items[i].topic)) {
            topic = findings->items[i].topic;
            text_page_add(&page, TEXT_STYLE_BOLD, topic);
            text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
        }
        put_finding(&page, &findings->items[i]);
    }
    if (wrong)
        text_page_printf(&page, "\n%zu problem%s found.\n", wrong,
                         wrong == 1 ? "" : "s");
    else
        text_page_printf(&page, "\nNo problems found.\n");
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool print_json(struct cli_context *cli, const struct findings *findings,
                       struct err *err)
{
    struct cJSON *tree = json_new_object();
    struct cJSON *list;
    bool done;

    json_add_string(tree, "version", PROCTOR_VERSION);
    json_add_bool(tree, "healthy", !count_wrong(findings));
    list = json_add_array(tree, "findings");
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        struct cJSON *object = json_add_object(list, NULL);

        json_add_string(object, "topic", finding->topic);
        json_add_string(object, "level", levels[finding->level].name);
        json_add_string(object, "text", finding->text);
        if (finding->advice[0])
            json_add_string(object, "advice", finding->advice);
    }
    done = output_stream_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct findings findings = {0};
    bool done;

    (void)args;
    (void)words;
    doctor_check_server(cli, &findings);
    done = doctor_check_phones(cli, &findings, err);
    if (done) {
        doctor_check_known(&findings);
        doctor_check_keys(&findings);
        doctor_check_usb(&findings);
        doctor_check_journals(&findings);
        doctor_check_models(&findings);
        doctor_check_pictures(&findings);
        doctor_check_environment(&findings);
        done = cli->shared.json ? print_json(cli, &findings, err)
                                : print_text(cli, &findings, err);
    }
    if (done && count_wrong(&findings))
        *status = 1;
    findings_release(&findings);
    return done;
}

const struct command cmd_doctor = {
    .name = "doctor",
    .section = "Look around",
    .summary = "Check the setup, and say how to fix it",
    .description =
        "Checks everything that proctor needs: an adb server, phones, "
        "remembered addresses, keys, USB, models, pictures and the "
        "environment. Reports what works, and what to do about the rest. "
        "Changes nothing, except that it creates your key if a phone asks for "
        "it and there is none.  The exit code is 0 unless something is wrong; "
        "that no phone is connected is not an error.",
    .takes = TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
