/* proctor doctor: what works here, and what to do about the rest. */
#include <string.h>

#include "base/json_write.h"
#include "tools/cli/cmd.h"
#include "tools/cli/doctor.h"
#include "tools/cli/page.h"

#define TEXT_INDENT 4

static const struct {
    const char *name; /* in JSON */
    const char *mark;
    const char *ascii_mark;
    enum page_style style;
} levels[] = {
    [FINDING_GOOD] = {"good", "\xe2\x9c\x93", "+", PAGE_GREEN},
    [FINDING_NOTE] = {"note", "\xc2\xb7", "-", PAGE_DIM},
    [FINDING_HINT] = {"hint", "!", "!", PAGE_YELLOW},
    [FINDING_WRONG] = {"wrong", "\xe2\x9c\x97", "x", PAGE_RED},
};

static size_t count_wrong(const struct findings *findings)
{
    size_t wrong = 0;

    for (size_t i = 0; i < findings->count; i++)
        wrong += findings->items[i].level == FINDING_WRONG;
    return wrong;
}

static void put_finding(struct page *page, const struct finding *finding)
{
    page_text(page, PAGE_PLAIN, "  ");
    page_text(page, levels[finding->level].style,
              page->unicode ? levels[finding->level].mark
                            : levels[finding->level].ascii_mark);
    page_text(page, PAGE_PLAIN, " ");
    page_wrap(page, TEXT_INDENT, TEXT_INDENT, finding->text);
    if (finding->advice[0]) {
        page_pad(page, 0, TEXT_INDENT);
        page_text(page, PAGE_BOLD, "do: ");
        page_wrap(page, TEXT_INDENT + 4, TEXT_INDENT + 4, finding->advice);
    }
}

static bool print_text(struct cli *cli, const struct findings *findings,
                       struct err *err)
{
    const char *topic = "";
    size_t wrong = count_wrong(findings);
    struct page page;
    bool done;

    page_init(&page, cli->out.fd);
    for (size_t i = 0; i < findings->count; i++) {
        if (strcmp(topic, findings->items[i].topic)) {
            topic = findings->items[i].topic;
            page_text(&page, PAGE_BOLD, topic);
            page_text(&page, PAGE_PLAIN, "\n");
        }
        put_finding(&page, &findings->items[i]);
    }
    if (wrong)
        page_printf(&page, "\n%zu thing%s to put right.\n", wrong,
                    wrong == 1 ? "" : "s");
    else
        page_printf(&page, "\nNothing is wrong here.\n");
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static bool print_json(struct cli *cli, const struct findings *findings,
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
    done = output_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
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
    .summary = "Say what works here, and what to do about the rest",
    .description =
        "Looks at everything that proctor needs: an adb server, phones, "
        "remembered addresses, keys, USB, models, pictures and the "
        "environment. "
        "Says in plain words what works and what to do about the rest. Changes "
        "nothing, but makes your key if a phone asks for it and there is none. "
        "The exit code is 0 unless something is wrong; that no phone is there "
        "is not.",
    .takes = TAKES_JSON | TAKES_TIMEOUT,
    .run = run,
};
