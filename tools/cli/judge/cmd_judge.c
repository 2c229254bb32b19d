/* proctor judge: verdicts on recorded episodes. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/thread_group.h"
#include "tasks/trajectory/episode_folders.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/judge/judge_progress.h"
#include "tools/cli/judge/judge_setup.h"
#include "tools/cli/run/run_fetch.h"
#include "tools/cli/terminal/text_page.h"

/* Questions to a service, or to a store, wait for it, not for a core. */
#define QUESTIONS_AT_ONCE 8

struct judge_args {
    const char *judge;
    int provider; /* of providers */
    const char *summarizer;
    const char *prompt;
    const char *repeats;
    struct option_texts gold_set;
};

static const char *const providers[] = {"offline", "converter", "plain",
                                        "model", NULL};

/* What became of one episode. */
struct episode_job {
    const char *folder;                 /* borrowed */
    const struct run_recordings *store; /* borrowed; NULL: it is here, */
    size_t index;                       /* and its place there */
    struct verdict verdict;
    struct err err; /* why there is no verdict */
    bool judged;
    bool unfinished; /* it has no end, and is left alone */
    bool done;
};

/* All episodes, and the state of the threads that judge them. */
struct session {
    struct cli_context *cli;
    const struct judge *judge;   /* borrowed */
    struct store_client *client; /* borrowed; NULL: all episodes are here */
    struct episode_job *jobs;    /* owned */
    size_t count;
    pthread_mutex_t lock; /* guards all below, and what is done */
    size_t next;          /* to be judged */
    size_t printed;
    size_t finished;
    size_t described; /* steps */
    bool failed;      /* to print: err says why */
    struct err err;
    struct judge_progress progress;
    unsigned threads; /* for the steps of one episode */
};

/* ---- what people see ---- */

static enum text_style style_of(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_SUCCESS:
        return TEXT_STYLE_GREEN;
    case OUTCOME_FAILURE:
        return TEXT_STYLE_RED;
    case OUTCOME_UNCOMPLETED:
        return TEXT_STYLE_YELLOW;
    case OUTCOME_VOID:
    case OUTCOME_UNSCORED:
    case OUTCOMES:
        break;
    }
    return TEXT_STYLE_DIM;
}

static void write_job(struct text_page *page, const struct episode_job *job)
{
    const struct verdict *verdict = &job->verdict;
    const char *word = job->judged       ? outcome_name(verdict->outcome)
                       : job->unfinished ? "unfinished"
                                         : "error";

    text_page_add(page,
                  job->judged       ? style_of(verdict->outcome)
                  : job->unfinished ? TEXT_STYLE_DIM
                                    : TEXT_STYLE_RED,
                  word);
    text_page_pad(page, strlen(word), 13);
    text_page_untrusted(page, TEXT_STYLE_PLAIN, job->folder);
    text_page_add(page, TEXT_STYLE_PLAIN, "  ");
    if (job->judged && verdict->need_count)
        text_page_printf(page, "%zu/%zu  ", verdict->met, verdict->need_count);
    if (job->judged && verdict->checklist_count)
        text_page_printf(page, "checklist %zu/%zu  ", verdict->checklist_met,
                         verdict->checklist_count);
    text_page_untrusted(page, TEXT_STYLE_DIM,
                        job->judged ? verdict->reason : job->err.text);
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
}

/* In their order, as soon as all before them are done; locked. */
static void print_ready(struct session *session)
{
    while (session->printed < session->count &&
           session->jobs[session->printed].done) {
        const struct episode_job *job = &session->jobs[session->printed++];
        struct text_page page;

        if (session->cli->shared.json || session->failed)
            continue;
        judge_progress_clear(&session->progress);
        text_page_init(&page, session->cli->out.fd);
        write_job(&page, job);
        session->failed =
            !output_stream_buf(&session->cli->out, &page.text, &session->err);
        text_page_release(&page);
    }
}

/* ---- the work ---- */

static void show_progress(struct session *session)
{
    judge_progress_show(&session->progress, session->finished, session->count,
                        session->described);
}

/* A picture_access's described: called on any thread. */
static void count_step(void *context)
{
    struct session *session = context;

    pthread_mutex_lock(&session->lock);
    session->described++;
    show_progress(session);
    pthread_mutex_unlock(&session->lock);
}

/* An episode without an end may still be running. */
static void run_job(struct session *session, struct episode_job *job)
{
    const struct judge *judge = session->judge;
    struct picture_access access = judge_picture_access(judge);
    struct episode_evidence evidence;

    access.threads = session->threads;
    access.described = count_step;
    access.context = session;

    if (job->store && !run_recordings_fetch(job->store, job->index,
                                            session->client, &job->err))
        return;
    job->judged = judge_remembers(judge, job->folder, &job->verdict);
    if (job->judged)
        return;
    if (!episode_evidence_open(job->folder, judge->options.source, &access,
                               &evidence, &job->err))
        return;
    if (evidence.trajectory.ending == ENDING_NONE)
        job->unfinished = true;
    else
        job->judged =
            judge_evidence(judge, &evidence, &job->verdict, &job->err) &&
            verdict_save(&job->verdict, job->folder, &job->err);
    episode_evidence_release(&evidence);
}

static void work(void *context)
{
    struct session *session = context;

    pthread_mutex_lock(&session->lock);
    while (session->next < session->count &&
           !cancel_fired(session->cli->cancel)) {
        struct episode_job *job = &session->jobs[session->next++];

        pthread_mutex_unlock(&session->lock);
        run_job(session, job);
        pthread_mutex_lock(&session->lock);
        job->done = true;
        session->finished++;
        print_ready(session);
        show_progress(session);
    }
    pthread_mutex_unlock(&session->lock);
}

static void work_together(struct session *session)
{
    bool waits = session->client || session->judge->options.model ||
                 session->judge->options.summarizer;
    size_t cores = thread_group_cores();

    /* Few episodes leave cores to the steps of each. */
    session->threads =
        session->count < cores ? (unsigned)(cores / session->count) : 1;
    thread_group_share(waits ? QUESTIONS_AT_ONCE : 0, work, session);
}

/* ---- the end ---- */

struct judge_counts {
    size_t of[OUTCOMES];
    size_t early;
    size_t unfinished;
    size_t errors;
};

static struct judge_counts count(const struct session *session)
{
    struct judge_counts counts = {.errors = 0};

    for (size_t i = 0; i < session->count; i++) {
        const struct episode_job *job = &session->jobs[i];

        counts.unfinished += job->unfinished;
        counts.errors += !job->judged && !job->unfinished;
        if (!job->judged)
            continue;
        counts.of[job->verdict.outcome]++;
        counts.early += job->verdict.early_stop;
    }
    return counts;
}

static bool print_sum(struct session *session,
                      const struct judge_counts *counts, struct err *err)
{
    struct text_page page;
    bool done;

    text_page_init(&page, session->cli->out.fd);
    text_page_printf(&page, "%zu episode%s:", session->count,
                     session->count == 1 ? "" : "s");
    for (int i = 0; i < OUTCOMES; i++)
        text_page_printf(&page, " %zu %s,", counts->of[i],
                         outcome_name((enum outcome)i));
    text_page_printf(&page,
                     " %zu unfinished, %zu could not be judged (judge %s)\n",
                     counts->unfinished, counts->errors, session->judge->name);
    done = output_stream_buf(&session->cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static void add_job(struct cJSON *into, const struct episode_job *job)
{
    struct cJSON *object =
        job->judged ? verdict_to_json(&job->verdict) : json_new_object();

    json_add_string(object, "episode", job->folder);
    if (job->unfinished)
        json_add_bool(object, "unfinished", true);
    else if (!job->judged)
        json_add_string(object, "error", job->err.text);
    cJSON_AddItemToArray(into, object);
}

static bool print_json(struct session *session,
                       const struct judge_counts *counts, struct err *err)
{
    struct cJSON *tree = json_new_object();
    struct cJSON *episodes = json_add_array(tree, "episodes");
    bool done;

    for (size_t i = 0; i < session->count; i++)
        add_job(episodes, &session->jobs[i]);
    json_add_string(tree, "judge", session->judge->name);
    for (int i = 0; i < OUTCOMES; i++)
        json_add_int(tree, outcome_name((enum outcome)i),
                     (int64_t)counts->of[i]);
    json_add_int(tree, "early_stop", (int64_t)counts->early);
    json_add_int(tree, "unfinished", (int64_t)counts->unfinished);
    json_add_int(tree, "errors", (int64_t)counts->errors);
    done = output_stream_json(&session->cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool conclude(struct session *session, int *status, struct err *err)
{
    struct judge_counts counts = count(session);

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

/* The episodes of what the command line names. */
struct episode_list {
    struct text_list here;          /* folders */
    struct run_recordings *missing; /* owned; of each operand */
    size_t operands;
    size_t missing_count; /* of all of them */
};

static bool find_episodes(const struct operand_words *words,
                          struct episode_list *list, struct err *err)
{
    struct err why = ERR_INIT;

    list->missing = mem_new(words->count, sizeof(*list->missing));
    for (size_t i = 0; i < words->count; i++) {
        struct run_recordings *missing = &list->missing[list->operands++];

        if (!run_recordings_find(words->items[i], missing, err))
            return false;
        list->missing_count += missing->count;
        /* A run may have all of its episodes in a store. */
        if (!episode_folders_find(words->items[i], &list->here, &why) &&
            !(missing->count && why.code == ERR_INVALID)) {
            *err = why;
            return false;
        }
    }
    return true;
}

static void release_episodes(struct episode_list *list)
{
    for (size_t i = 0; i < list->operands; i++)
        run_recordings_release(&list->missing[i]);
    free(list->missing);
    text_list_release(&list->here);
}

static void add_job_of(struct session *session, const char *folder,
                       const struct run_recordings *store, size_t index)
{
    session->jobs[session->count++] = (struct episode_job){
        .folder = folder,
        .store = store,
        .index = index,
        .verdict = VERDICT_INIT,
        .err = ERR_INIT,
    };
}

static void make_jobs(struct session *session, const struct episode_list *list)
{
    session->jobs =
        mem_new(list->here.count + list->missing_count, sizeof(*session->jobs));
    for (size_t i = 0; i < list->here.count; i++)
        add_job_of(session, list->here.items[i], NULL, 0);
    for (size_t i = 0; i < list->operands; i++) {
        const struct run_recordings *missing = &list->missing[i];

        for (size_t j = 0; j < missing->count; j++)
            add_job_of(session, missing->items[j].folder, missing, j);
    }
}

static bool judge_all(struct cli_context *cli, const struct judge *judge,
                      const struct episode_list *list, int *status,
                      struct err *err)
{
    struct session session = {.cli = cli,
                              .judge = judge,
                              .lock = PTHREAD_MUTEX_INITIALIZER,
                              .err = ERR_INIT};
    bool done;

    if (list->missing_count && !run_fetch_open(cli, &session.client, err))
        return false;
    make_jobs(&session, list);
    judge_progress_init(&session.progress, !cli->shared.json);
    work_together(&session);
    judge_progress_clear(&session.progress);
    done = conclude(&session, status, err);
    for (size_t i = 0; i < session.count; i++)
        verdict_release(&session.jobs[i].verdict);
    free(session.jobs);
    store_client_close(session.client);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct judge_args *judge_args = args;
    struct picture_reader *reader = picture_reader_open();
    const struct judge_setup_options said = {
        .judge = judge_args->judge,
        .provider = providers[judge_args->provider],
        .summarizer = judge_args->summarizer,
        .prompt = judge_args->prompt,
        .repeats = judge_args->repeats,
        .gold_set = &judge_args->gold_set,
        .reader = reader,
    };
    struct episode_list list = {.operands = 0};
    struct judge_setup maker;
    bool done;

    picture_reader_use_cache(reader);
    if (!judge_setup_init(&maker, &said, cli->log, cli->cancel, err)) {
        picture_reader_close(reader);
        return false;
    }
    done = find_episodes(words, &list, err) &&
           judge_all(cli, &maker.judge, &list, status, err);
    release_episodes(&list);
    judge_setup_release(&maker);
    picture_reader_close(reader);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct judge_args, judge, "judge", 'j', "NAME",
                COMPLETE_NOTHING,
                "The judge: rules, which applies the task's own checks; "
                "checklist, which looks for the key steps of gold; or a model "
                "such as openai:gpt-4o"),
    OPTION_TEXTS(struct judge_args, gold_set, "gold", 0, "RUN", COMPLETE_FILE,
                 "For checklist: gold episodes of the same tasks; may be given "
                 "several times"),
    OPTION_CHOICE(struct judge_args, provider, "provider", 'p', "NAME",
                  providers,
                  "How steps are described: as in proctor process, or by a "
                  "model that sees the screens"),
    OPTION_TEXT(struct judge_args, summarizer, "summarizer", 0, "MODEL",
                COMPLETE_NOTHING,
                "The model that describes steps, if it is not the judge"),
    OPTION_TEXT(struct judge_args, prompt, "prompt", 0, "FILE", COMPLETE_FILE,
                "The prompt of a model judge, with {goal}, {process} and "
                "{answer} filled in"),
    OPTION_TEXT(struct judge_args, repeats, "repeats", 0, "N", COMPLETE_NOTHING,
                "Ask a model this many times; the majority counts"),
};

static const struct operand operands[] = {
    {.name = "RUN|EPISODE",
     .help = "The folder of a run, or of one episode",
     .min = 1,
     .max = OPERAND_MANY,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor judge runs/phone-1", "Judge every episode of a run."},
    {"proctor judge runs/phone-1 --judge openai:gpt-4o --repeats 3",
     "Ask a model three times for each."},
};

const struct command cmd_judge = {
    .name = "judge",
    .section = "Benchmarks",
    .summary = "Judge recorded episodes",
    .description =
        "Reads every episode of the runs, decides whether the task was done as "
        "asked, and writes the verdict with its reasons next to the episode's "
        "events. The same judge overwrites its file; another judge writes its "
        "own. Earlier replies of a model are used again. Recordings that a run "
        "of a "
        "farm has in a store are fetched into its folder. The exit code is 1 "
        "when an episode could not be judged.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct judge_args),
    .takes = TAKES_JSON,
    .run = run,
};
