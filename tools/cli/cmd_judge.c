/* proctor judge: what a judge says of recorded episodes. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crew.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "tasks/episodes.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/judge_maker.h"
#include "tools/cli/page.h"

/* Questions to a service wait for it, not for a core. */
#define QUESTIONS_AT_ONCE 8

struct judge_args {
    const char *judge;
    int provider; /* of providers */
    const char *summarizer;
    const char *prompt;
    const char *repeats;
    struct option_texts golds;
};

static const char *const providers[] = {"offline", "converter", "plain",
                                        "model", NULL};

/* What became of one episode. */
struct hearing {
    const char *folder; /* borrowed */
    struct verdict verdict;
    struct err err; /* why there is no verdict */
    bool judged;
    bool unfinished; /* it has no end, and is left alone */
    bool done;
};

/* All of them, and who works on them. */
struct session {
    struct cli *cli;
    const struct judge *judge; /* borrowed */
    struct hearing *hearings;  /* owned */
    size_t count;
    pthread_mutex_t lock; /* guards all below, and what is done */
    size_t next;          /* to be judged */
    size_t printed;
    bool failed; /* to print: err says why */
    struct err err;
};

/* ---- what people see ---- */

static enum page_style style_of(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_SUCCESS:
        return PAGE_GREEN;
    case OUTCOME_FAILURE:
        return PAGE_RED;
    case OUTCOME_UNCOMPLETED:
        return PAGE_YELLOW;
    case OUTCOME_VOID:
    case OUTCOME_UNSCORED:
    case OUTCOMES:
        break;
    }
    return PAGE_DIM;
}

static void write_hearing(struct page *page, const struct hearing *hearing)
{
    const struct verdict *verdict = &hearing->verdict;
    const char *word = hearing->judged       ? outcome_name(verdict->outcome)
                       : hearing->unfinished ? "unfinished"
                                             : "error";

    page_text(page,
              hearing->judged       ? style_of(verdict->outcome)
              : hearing->unfinished ? PAGE_DIM
                                    : PAGE_RED,
              word);
    page_pad(page, strlen(word), 13);
    page_foreign(page, PAGE_PLAIN, hearing->folder);
    page_text(page, PAGE_PLAIN, "  ");
    if (hearing->judged && verdict->need_count)
        page_printf(page, "%zu/%zu  ", verdict->met, verdict->need_count);
    page_foreign(page, PAGE_DIM,
                 hearing->judged ? verdict->reason : hearing->err.text);
    page_text(page, PAGE_PLAIN, "\n");
}

/* In their order, as soon as all before them are done; locked. */
static void print_ready(struct session *session)
{
    while (session->printed < session->count &&
           session->hearings[session->printed].done) {
        const struct hearing *hearing = &session->hearings[session->printed++];
        struct page page;

        if (session->cli->shared.json || session->failed)
            continue;
        page_init(&page, session->cli->out.fd);
        write_hearing(&page, hearing);
        session->failed =
            !output_buf(&session->cli->out, &page.text, &session->err);
        page_release(&page);
    }
}

/* ---- the work ---- */

/* An episode without an end may still be under way. */
static void hear(const struct judge *judge, struct hearing *hearing)
{
    struct dossier dossier;

    hearing->judged =
        judge_remembers(judge, hearing->folder, &hearing->verdict);
    if (hearing->judged)
        return;
    if (!dossier_open(hearing->folder, judge->options.source, &dossier,
                      &hearing->err))
        return;
    if (dossier.trajectory.ending == ENDING_NONE)
        hearing->unfinished = true;
    else
        hearing->judged =
            judge_dossier(judge, &dossier, &hearing->verdict, &hearing->err) &&
            verdict_save(&hearing->verdict, hearing->folder, &hearing->err);
    dossier_release(&dossier);
}

static void work(void *context)
{
    struct session *session = context;

    pthread_mutex_lock(&session->lock);
    while (session->next < session->count &&
           !cancel_fired(session->cli->cancel)) {
        struct hearing *hearing = &session->hearings[session->next++];

        pthread_mutex_unlock(&session->lock);
        hear(session->judge, hearing);
        pthread_mutex_lock(&session->lock);
        hearing->done = true;
        print_ready(session);
    }
    pthread_mutex_unlock(&session->lock);
}

static void work_together(struct session *session)
{
    bool asks =
        session->judge->options.model || session->judge->options.summarizer;

    crew_share(asks ? QUESTIONS_AT_ONCE : 0, work, session);
}

/* ---- the end ---- */

struct counts {
    size_t of[OUTCOMES];
    size_t early;
    size_t unfinished;
    size_t errors;
};

static struct counts count(const struct session *session)
{
    struct counts counts = {.errors = 0};

    for (size_t i = 0; i < session->count; i++) {
        const struct hearing *hearing = &session->hearings[i];

        counts.unfinished += hearing->unfinished;
        counts.errors += !hearing->judged && !hearing->unfinished;
        if (!hearing->judged)
            continue;
        counts.of[hearing->verdict.outcome]++;
        counts.early += hearing->verdict.early_stop;
    }
    return counts;
}

static bool print_sum(struct session *session, const struct counts *counts,
                      struct err *err)
{
    struct page page;
    bool done;

    page_init(&page, session->cli->out.fd);
    page_printf(&page, "%zu episode%s:", session->count,
                session->count == 1 ? "" : "s");
    for (int i = 0; i < OUTCOMES; i++)
        page_printf(&page, " %zu %s,", counts->of[i],
                    outcome_name((enum outcome)i));
    page_printf(&page, " %zu unfinished, %zu not to be judged (judge %s)\n",
                counts->unfinished, counts->errors, session->judge->name);
    done = output_buf(&session->cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static void add_hearing(struct cJSON *into, const struct hearing *hearing)
{
    struct cJSON *object = hearing->judged ? verdict_to_json(&hearing->verdict)
                                           : json_new_object();

    json_add_string(object, "episode", hearing->folder);
    if (hearing->unfinished)
        json_add_bool(object, "unfinished", true);
    else if (!hearing->judged)
        json_add_string(object, "error", hearing->err.text);
    cJSON_AddItemToArray(into, object);
}

static bool print_json(struct session *session, const struct counts *counts,
                       struct err *err)
{
    struct cJSON *tree = json_new_object();
    struct cJSON *episodes = json_add_array(tree, "episodes");
    bool done;

    for (size_t i = 0; i < session->count; i++)
        add_hearing(episodes, &session->hearings[i]);
    json_add_string(tree, "judge", session->judge->name);
    for (int i = 0; i < OUTCOMES; i++)
        json_add_int(tree, outcome_name((enum outcome)i),
                     (int64_t)counts->of[i]);
    json_add_int(tree, "early_stop", (int64_t)counts->early);
    json_add_int(tree, "unfinished", (int64_t)counts->unfinished);
    json_add_int(tree, "errors", (int64_t)counts->errors);
    done = output_json(&session->cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool conclude(struct session *session, int *status, struct err *err)
{
    struct counts counts = count(session);

    if (session->failed) {
        *err = session->err;
        return false;
    }
    if (cancel_fired(session->cli->cancel))
        return err_set(err, ERR_CANCELLED, "interrupted after %zu of %zu",
                       session->printed, session->count);
    *status = counts.errors ? 1 : 0;
    return session->cli->shared.json ? print_json(session, &counts, err)
                                     : print_sum(session, &counts, err);
}

static bool judge_all(struct cli *cli, const struct judge *judge,
                      const struct texts *folders, int *status, struct err *err)
{
    struct session session = {.cli = cli,
                              .judge = judge,
                              .count = folders->count,
                              .lock = PTHREAD_MUTEX_INITIALIZER,
                              .err = ERR_INIT};
    bool done;

    session.hearings = mem_new(folders->count, sizeof(*session.hearings));
    for (size_t i = 0; i < folders->count; i++)
        session.hearings[i] = (struct hearing){.folder = folders->items[i],
                                               .verdict = VERDICT_INIT,
                                               .err = ERR_INIT};
    work_together(&session);
    done = conclude(&session, status, err);
    for (size_t i = 0; i < session.count; i++)
        verdict_release(&session.hearings[i].verdict);
    free(session.hearings);
    return done;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct judge_args *judge_args = args;
    const struct judge_words said = {
        .judge = judge_args->judge,
        .provider = providers[judge_args->provider],
        .summarizer = judge_args->summarizer,
        .prompt = judge_args->prompt,
        .repeats = judge_args->repeats,
        .golds = &judge_args->golds,
    };
    struct texts folders = {.count = 0};
    struct judge_maker maker;
    bool done = true;

    if (!judge_maker_init(&maker, &said, cli->log, cli->cancel, err))
        return false;
    for (size_t i = 0; done && i < words->count; i++)
        done = episodes_find(words->items[i], &folders, err);
    if (done)
        done = judge_all(cli, &maker.judge, &folders, status, err);
    texts_release(&folders);
    judge_maker_release(&maker);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct judge_args, judge, "judge", 'j', "NAME",
                COMPLETE_NOTHING,
                "Who judges: rules, which holds the task's own checks against "
                "what was done, checklist, which does so with the starred "
                "steps of gold, or a model such as openai:gpt-4o"),
    OPTION_TEXTS(struct judge_args, golds, "gold", 0, "RUN",
                 "Of the checklist: episodes of gold that did the same tasks; "
                 "may be given several times"),
    OPTION_CHOICE(struct judge_args, provider, "provider", 'p', "NAME",
                  providers,
                  "Whose words tell what each step did: as in proctor "
                  "process, or model, which looks at the screens"),
    OPTION_TEXT(struct judge_args, summarizer, "summarizer", 0, "MODEL",
                COMPLETE_NOTHING,
                "The model that says these words, if it is not the judge"),
    OPTION_TEXT(struct judge_args, prompt, "prompt", 0, "FILE", COMPLETE_FILE,
                "What a model is asked, word for word, with {goal}, {process} "
                "and {answer} filled in"),
    OPTION_TEXT(struct judge_args, repeats, "repeats", 0, "N", COMPLETE_NOTHING,
                "Ask a model so many times; the majority counts"),
};

static const struct operand operands[] = {
    {.name = "RUN|EPISODE",
     .help = "The folder of a run, or of one episode",
     .min = 1,
     .max = OPERAND_MANY,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor judge runs/phone-1", "Judge every episode of a run"},
    {"proctor judge runs/phone-1 --judge openai:gpt-4o --repeats 3",
     "Ask a model three times for each"},
};

const struct command cmd_judge = {
    .name = "judge",
    .section = "Benchmarks",
    .summary = "Judge recorded episodes",
    .description =
        "Reads every episode of the runs, says for each whether the task was "
        "done as it was asked for, and writes the verdict with its reasons "
        "next to the episode's events. The same judge writes the same file "
        "again; others write their own. What a model has said already is not "
        "asked again. Exit code 1 when an episode could not be judged.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct judge_args),
    .takes = TAKES_JSON,
    .run = run,
};
