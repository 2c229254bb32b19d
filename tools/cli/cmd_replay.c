/* proctor replay: do again what was recorded. */
#include "runner/replay.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/image.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "runner/begin.h"
#include "runner/lock.h"
#include "tools/cli/cmd.h"
#include "tools/cli/page.h"
#include "tools/cli/run_setup.h"

#define TIMES_MAX 1000
#define ACQUIRE_MS 30000
#define ENDS_OTHERWISE 1

struct replay_args {
    const char *times;
    const char *picture;
    const char *seed;
    const char *skin;
    const char *device;
    int locale; /* of locales */
};

static const char *const locales[] = {"recorded", "en", "zh", NULL};

/* What is replayed, and on what. */
struct show {
    struct cli *cli;
    const struct replay_args *args;
    struct trajectory recorded;
    bool has_task;
    struct task task;
    struct run_plan plan;
    struct run_phones phones;
    struct lock lock;
    struct lease *lease;
    struct session session;
    struct buf journals;
    struct cJSON *passes; /* owned: an array of what came of each */
    int64_t times;
    int passed;
};

/* ---- what it was recorded with ---- */

/* The run's folder is four above the episode's: episodes/task/repeat/attempt.
 */
static bool load_run(const char *episode, struct run_file *file)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct err ignored;
    bool done;

    buf_printf(&path, "%s/../../../..", episode);
    done = run_file_load(buf_cstr(&path), file, &ignored);
    buf_release(&path);
    return done;
}

static bool was_builtin(const struct run_file *file, const char *serial)
{
    for (size_t i = 0; serial && i < file->device_count; i++) {
        if (!strcmp(file->devices[i].serial, serial))
            return file->devices[i].builtin;
    }
    return false;
}

/* The same phone as then, as far as that is known and nobody says otherwise. */
static bool make_plan(struct show *show, const char *episode, struct err *err)
{
    const struct replay_args *args = show->args;
    struct run_plan *plan = &show->plan;
    const char *device = args->device;
    struct run_file file = {.id = NULL};
    int64_t skin;

    if (load_run(episode, &file)) {
        plan->seed = file.plan.seed;
        plan->skin = file.plan.skin;
        if (!device && was_builtin(&file, show->recorded.head.phone))
            device = "phone";
        run_file_release(&file);
    }
    if (!device)
        device = show->cli->shared.device ? show->cli->shared.device : "";
    texts_add(&plan->devices, device);
    if (args->locale)
        plan->locale = mem_dup(locales[args->locale]);
    else if (show->recorded.head.locale)
        plan->locale = mem_dup(show->recorded.head.locale);
    skin = plan->skin;
    show->times = 1;
    if (!run_phones_number("times", args->times, 1, TIMES_MAX, &show->times,
                           err) ||
        !run_phones_number("seed", args->seed, 0, JSON_INT_MAX, &plan->seed,
                           err) ||
        !run_phones_number("skin", args->skin, 0, INT_MAX, &skin, err))
        return false;
    plan->skin = (int)skin;
    return true;
}

/* ---- the phone ---- */

static bool open_phone(struct show *show, struct err *err)
{
    const struct run_phone *phone;
    struct session_options options = {.cancel = show->cli->cancel,
                                      .log = show->cli->log};

    if (!run_phones_open(&show->phones, show->cli, &show->plan, err))
        return false;
    if (show->phones.count != 1)
        return err_set(err, ERR_INVALID, "name one phone");
    phone = &show->phones.items[0];
    options.source = phone->source;
    run_setup_journals(&show->journals);
    if (!phone->ours && show->journals.length)
        options.prepare.folder = buf_cstr(&show->journals);
    return (phone->ours || lock_phone(&show->lock, phone->serial, err)) &&
           phone->source->ops->acquire(phone->source, phone->serial,
                                       deadline_in_ms(ACQUIRE_MS), &show->lease,
                                       err) &&
           session_open(&show->session, &options, show->lease, err);
}

static void close_phone(struct show *show)
{
    if (show->lease) {
        session_close(&show->session);
        show->phones.items[0].source->ops->release(show->phones.items[0].source,
                                                   show->lease);
    }
    lock_release(&show->lock);
    run_phones_release(&show->phones);
}

/* As the recording began: by its task, or at least with its app. */
static bool begin(struct show *show, struct err *err)
{
    const struct trajectory_head *head = &show->recorded.head;
    struct session *session = &show->session;
    struct task bare = {.reset = TASK_RESET_RESTART};
    const struct task *task = show->has_task ? &show->task : &bare;
    struct observation seen;
    bool done;

    if (!show->has_task && head->app)
        texts_add(&bare.apps, head->app);
    observation_init(&seen);
    done = begin_reset(session, task, show->plan.locale, NULL, err) &&
           begin_set_up(session, task, err) &&
           begin_launch(session, head->app, &seen, err);
    observation_release(&seen);
    texts_release(&bare.apps);
    return done;
}

/* ---- one pass ---- */

static bool save_picture(const struct show *show, const struct picture *picture,
                         struct buf *path, struct err *err)
{
    buf_text(path, show->args->picture ? show->args->picture : "replay.png");
    return image_save(buf_cstr(path), picture, err);
}

static void note(struct show *show, const struct replay_end *end,
                 const char *picture)
{
    struct cJSON *pass = json_add_object(show->passes, NULL);

    json_add_bool(pass, "done", end->done);
    json_add_int(pass, "steps", end->steps);
    json_add_int(pass, "of", end->all);
    json_add_number(pass, "like", end->like);
    if (!end->done) {
        json_add_int(pass, "stopped_at", end->step);
        json_add_string(pass, "why", end->why);
    }
    if (end->has_picture)
        json_add_string(pass, "picture", picture);
    show->passed += end->done;
}

static bool print_pass(struct show *show, int64_t number,
                       const struct replay_end *end, const char *picture,
                       struct err *err)
{
    struct page page;
    bool done;

    if (show->cli->shared.json)
        return true;
    page_init(&page, show->cli->out.fd);
    page_printf(&page, "%3lld  ", (long long)number);
    page_text(&page, end->done ? PAGE_GREEN : PAGE_RED,
              end->done ? "done   " : "stopped");
    page_printf(&page, "  %d of %d steps", end->steps, end->all);
    if (!end->done) {
        page_printf(&page, "; step %d: ", end->step);
        page_foreign(&page, PAGE_PLAIN, end->why);
    }
    if (end->has_picture) {
        page_text(&page, PAGE_DIM, "; expected and seen: ");
        page_foreign(&page, PAGE_DIM, picture);
    }
    page_text(&page, PAGE_PLAIN, "\n");
    done = output_buf(&show->cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static bool pass(struct show *show, int64_t number, struct err *err)
{
    struct picture picture = PICTURE_INIT;
    struct buf path = BUF_INIT(PATH_MAX);
    struct replay_end end;
    bool done;

    done = begin(show, err) &&
           replay_play(&show->session, &show->recorded, &picture, &end, err);
    if (done && end.has_picture)
        done = save_picture(show, &picture, &path, err);
    if (done) {
        note(show, &end, buf_cstr(&path));
        done = print_pass(show, number, &end, buf_cstr(&path), err);
    }
    picture_release(&picture);
    buf_release(&path);
    return done;
}

/* ---- all ---- */

static bool print_sum(struct show *show, struct err *err)
{
    double stability = (double)show->passed / (double)show->times;
    struct cJSON *sum;
    struct page page;
    bool done;

    if (show->cli->shared.json) {
        sum = json_new_object();
        json_add_int(sum, "times", show->times);
        json_add_int(sum, "passed", show->passed);
        json_add_number(sum, "stability", stability);
        cJSON_AddItemReferenceToObject(sum, "passes", show->passes);
        done = output_json(&show->cli->out, sum, err);
        cJSON_Delete(sum);
        return done;
    }
    if (show->times == 1)
        return true;
    page_init(&page, show->cli->out.fd);
    page_printf(&page, "stability %.2f: %d of %lld\n", stability, show->passed,
                (long long)show->times);
    done = output_buf(&show->cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static void release(struct show *show)
{
    close_phone(show);
    if (show->has_task)
        task_release(&show->task);
    run_plan_release(&show->plan);
    trajectory_release(&show->recorded);
    buf_release(&show->journals);
    cJSON_Delete(show->passes);
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    struct show show = {.cli = cli,
                        .args = args,
                        .lock = LOCK_INIT,
                        .journals = BUF_INIT(PATH_MAX)};
    struct err ignored; /* people's recordings have no task */
    bool done;

    if (!trajectory_load(words->items[0], &show.recorded, err))
        return false;
    show.passes = json_new_array();
    show.has_task = task_load(words->items[0], &show.task, &ignored);
    done = make_plan(&show, words->items[0], err) && open_phone(&show, err);
    for (int64_t i = 1; done && i <= show.times; i++)
        done = pass(&show, i, err);
    done = done && print_sum(&show, err);
    if (done && show.passed < show.times)
        *status = ENDS_OTHERWISE;
    release(&show);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct replay_args, device, "device", 's', "DEVICE",
                COMPLETE_DEVICE,
                "On what: phone (a built-in one), or a serial (as it was "
                "recorded)"),
    OPTION_TEXT(struct replay_args, times, "times", 'n', "N", COMPLETE_NOTHING,
                "How often (1); several give a score"),
    OPTION_TEXT(struct replay_args, picture, "picture", 'o', "FILE",
                COMPLETE_FILE,
                "Where the expected and the seen screen are drawn when they "
                "differ (replay.png)"),
    OPTION_TEXT(struct replay_args, seed, "seed", 0, "NUMBER", COMPLETE_NOTHING,
                "What a built-in phone holds (as it was recorded)"),
    OPTION_TEXT(struct replay_args, skin, "skin", 0, "NUMBER", COMPLETE_NOTHING,
                "How it words it (as it was recorded)"),
    OPTION_CHOICE(struct replay_args, locale, "locale", 0, "LANGUAGE", locales,
                  "What it speaks"),
};

static const struct operand operands[] = {
    {.name = "EPISODE",
     .help = "The folder of a recorded episode",
     .min = 1,
     .max = 1,
     .completes = COMPLETE_FILE},
};

static const struct example examples[] = {
    {"proctor replay runs/gold/episodes/shop.cart/0/0 --times 10",
     "Does the way to the cart work ten times of ten?"},
};

const struct command cmd_replay = {
    .name = "replay",
    .section = "Recordings",
    .summary = "Do again what was recorded",
    .description =
        "Does the steps of an episode again, whoever did them. Each target is "
        "found anew by what is known of it, and after each step the screen is "
        "held against the recorded one. Where they differ it stops, and draws "
        "both. Exit code 1 when it stopped.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct replay_args),
    .takes = TAKES_JSON,
    .run = run,
};
