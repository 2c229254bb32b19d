#include "tests/support/fake_run.h"

#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/picture/canvas.h"
#include "base/picture/png.h"
#include "judge/verdict/verdict.h"
#include "tasks/trajectory/trajectory.h"

#define WIDTH 1080
#define HEIGHT 2400
#define SCREENS 12 /* number of different screens */

static const char *const categories[] = {"shopping", "travel", "system",
                                         "social"};
static const char *const levels[] = {"L1", "L2", "L3"};
static const char *const apps[] = {"com.example.shop", "com.example.trips",
                                   "com.example.settings"};

struct maker {
    const struct fake_run *plan;
    struct buf screens[SCREENS]; /* PNG */
    size_t made;                 /* number of episodes */
    uint32_t random;
    struct buf results;
};

static uint32_t draw(struct maker *maker)
{
    maker->random = maker->random * 1664525U + 1013904223U;
    return maker->random >> 8;
}

/* ---- screens ---- */

static void paint(struct picture *picture, unsigned look)
{
    static const uint32_t tints[] = {0xff2a6fdb, 0xff0b7a53, 0xffb3541e,
                                     0xff6d4aa8};
    uint32_t tint = tints[look % ARRAY_LEN(tints)];
    struct canvas canvas;

    canvas_init(&canvas, picture);
    canvas_fill(&canvas, (struct box){0, 0, WIDTH, HEIGHT}, 0xfff4f4f1);
    canvas_fill(&canvas, (struct box){0, 0, WIDTH, 260}, tint);
    canvas_round(&canvas, (struct box){48, 130, 1032, 230}, 50, 0xffffffff);
    for (int i = 0; i < 6; i++) {
        int top = 310 + i * 330 + (int)(look % 3) * 20;

        canvas_round(&canvas, (struct box){36, top, 1044, top + 300}, 28,
                     0xffffffff);
        canvas_gradient(&canvas, (struct box){60, top + 24, 312, top + 276},
                        tints[(look + (unsigned)i) % 4], 0xffe8e2d4);
        for (int k = 0; k < 4; k++)
            canvas_round(&canvas,
                         (struct box){350, top + 40 + 56 * k,
                                      960 - 120 * ((k + i) % 3),
                                      top + 66 + 56 * k},
                         13, k ? 0xffc9c9c4 : 0xff3a3d42);
    }
    canvas_fill(&canvas, (struct box){0, 2260, WIDTH, HEIGHT}, 0xffffffff);
    for (int i = 0; i < 4; i++)
        canvas_round(&canvas,
                     (struct box){110 + 250 * i, 2300, 180 + 250 * i, 2370}, 35,
                     i == (int)(look % 4) ? tint : 0xffb8b8b4);
}

static void make_screens(struct maker *maker)
{
    struct picture picture = PICTURE_INIT;
    struct err err;

    assert_true(picture_resize(&picture, WIDTH, HEIGHT, &err));
    for (unsigned i = 0; i < SCREENS; i++) {
        maker->screens[i] = (struct buf)BUF_INIT((size_t)4 << 20);
        paint(&picture, i);
        assert_true(png_encode(&picture, PNG_FAST, &maker->screens[i], &err));
    }
    picture_release(&picture);
}

/* ---- files ---- */

static void save(const char *folder, const char *name, const struct buf *text)
{
    char path[PATH_MAX];
    struct err err;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (!file_save(path, 0666, buf_cstr(text), text->length, &err))
        fail_msg("%s", err.text);
}

static void make_folder(const char *path)
{
    char part[PATH_MAX];

    snprintf(part, sizeof(part), "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(part, 0777);
        *slash = '/';
    }
    assert_int_equal(mkdir(part, 0777), 0);
}

static void add_line(struct buf *text, struct cJSON *tree)
{
    json_format(tree, text);
    buf_byte(text, '\n');
    cJSON_Delete(tree);
}

static const char *hostile(const struct maker *maker, const char *text,
                           char room[256])
{
    snprintf(room, 256, "%s%s", maker->plan->hostile ? FAKE_RUN_HOSTILE : "",
             text);
    return room;
}

/* ---- an episode ---- */

struct fake_run_episode {
    char folder[PATH_MAX];
    char place[128]; /* below the run's folder */
    char task[32];
    size_t number; /* of the task */
    size_t repeat;
    enum outcome outcome;
    bool early;
    const char *locale;
    int64_t duration_ms;
    int64_t input_tokens;
    int64_t output_tokens;
};

#define COST 0.012 /* of an episode */

static void save_task(struct maker *maker,
                      const struct fake_run_episode *episode)
{
    struct cJSON *task = json_new_object();
    struct cJSON *needs, *need;
    struct buf text = BUF_INIT(SIZE_MAX);
    char room[256];

    json_add_string(task, "id", episode->task);
    json_add_string(task, "app", apps[episode->number % ARRAY_LEN(apps)]);
    json_add_string(task, "kind", episode->number % 3 ? "process" : "state");
    json_add_string(task, "instruction",
                    hostile(maker, "Sort the shoes by price", room));
    json_add_string(task, "category",
                    categories[episode->number % ARRAY_LEN(categories)]);
    json_add_string(task, "level", levels[episode->number % 3]);
    json_add_string(task, "difficulty",
                    episode->number % 2 ? "easy" : "medium");
    needs = json_add_array(task, "needs");
    need = json_add_object(needs, NULL);
    json_add_string(need, "say", "sorted by price");
    add_line(&text, task);
    save(episode->folder, "task.json", &text);
    buf_release(&text);
}

static void add_head(struct maker *maker,
                     const struct fake_run_episode *episode, struct buf *events)
{
    struct cJSON *head = json_new_object();
    char room[256];

    json_add_string(head, "format", TRAJECTORY_FORMAT);
    json_add_int(head, "version", TRAJECTORY_VERSION);
    snprintf(room, sizeof(room), "%08zx-89ab-4def-8123-456789abcdef",
             maker->made);
    json_add_string(head, "uuid", room);
    json_add_string(head, "task", episode->task);
    json_add_int(head, "repeat", (int64_t)episode->repeat);
    json_add_int(head, "attempt", 0);
    json_add_string(head, "agent", maker->plan->agent);
    json_add_string(head, "phone", "phone-1");
    json_add_string(
        head, "instruction",
        hostile(maker, "Find running shoes and sort them by price", room));
    json_add_string(head, "locale", episode->locale);
    json_add_int(head, "width", WIDTH);
    json_add_int(head, "height", HEIGHT);
    add_line(events, head);
}

static void add_sight(struct maker *maker,
                      const struct fake_run_episode *episode, size_t step,
                      struct buf *events)
{
    struct cJSON *observation = json_new_object();
    struct buf screen = BUF_INIT((size_t)4 << 20);
    const struct buf *look =
        &maker->screens[(step + episode->number) % SCREENS];
    char name[32], hash[SHA256_HEX_SIZE];
    struct cJSON *file;

    json_add_string(observation, "event", "observation");
    json_add_int(observation, "step", (int64_t)step);
    if (!maker->plan->no_screen) {
        /* Bytes after a PNG's end change its hash, not its pixels. */
        buf_append(&screen, look->data, look->length);
        if (!maker->plan->alike)
            buf_printf(&screen, "%zu %zu", maker->made, step);
        sha256_hex(screen.data, screen.length, hash);
        snprintf(name, sizeof(name), "screens/%04zu.png", step);
        save(episode->folder, name, &screen);
        file = json_add_object(observation, "screen");
        json_add_string(file, "file", name);
        json_add_string(file, "sha256", hash);
    }
    json_add_int(observation, "at_ms", (int64_t)step * 1000);
    add_line(events, observation);
    buf_release(&screen);
}

/* The whole cost of the episode is in its last reply. */
static void add_cost(struct maker *maker, struct fake_run_episode *episode,
                     bool last, struct cJSON *reply)
{
    if (last) {
        episode->duration_ms = 4000 + draw(maker) % 9000;
        episode->input_tokens = 12000 + draw(maker) % 9000;
        episode->output_tokens = 300 + draw(maker) % 400;
        json_add_int(reply, "input_tokens", episode->input_tokens);
        json_add_int(reply, "output_tokens", episode->output_tokens);
    }
    json_add_number(reply, "cost", last ? COST : 0);
}

static void add_act(struct maker *maker, struct fake_run_episode *episode,
                    size_t step, bool last, struct buf *events)
{
    static const char *const kinds[] = {"click", "type", "click", "swipe"};
    const char *kind = last ? "complete" : kinds[step % ARRAY_LEN(kinds)];
    struct cJSON *line = json_new_object();
    char room[256];

    json_add_string(line, "event", "reply");
    json_add_int(line, "step", (int64_t)step);
    json_add_string(line, "text",
                    hostile(maker, "I tap the search box.", room));
    add_cost(maker, episode, last, line);
    add_line(events, line);
    line = json_new_object();
    json_add_string(line, "event", "action");
    json_add_int(line, "step", (int64_t)step);
    json_add_string(line, "actor", "agent");
    json_add_string(line, "action", kind);
    if (!strcmp(kind, "click") || !strcmp(kind, "swipe")) {
        json_add_int(line, "x", 100 + (int64_t)(draw(maker) % 880));
        json_add_int(line, "y", 300 + (int64_t)(draw(maker) % 1800));
    }
    if (!strcmp(kind, "swipe")) {
        json_add_int(line, "x2", 540);
        json_add_int(line, "y2", 500);
    }
    if (!strcmp(kind, "type"))
        json_add_string(line, "text", hostile(maker, "running shoes", room));
    json_add_int(line, "at_ms", (int64_t)step * 1000 + 500);
    add_line(events, line);
}

static void save_events(struct maker *maker, struct fake_run_episode *episode)
{
    struct buf events = BUF_INIT(SIZE_MAX), words = BUF_INIT(SIZE_MAX);
    size_t steps = maker->plan->steps;
    struct cJSON *line;
    char room[256];

    add_head(maker, episode, &events);
    for (size_t i = 0; i < steps; i++) {
        add_sight(maker, episode, i, &events);
        add_act(maker, episode, i, i + 1 == steps, &events);
        line = json_new_object();
        json_add_int(line, "step", (int64_t)i);
        json_add_string(
            line, "description",
            hostile(maker, "tapped 'Sort', and a list of ways opened", room));
        json_add_string(line, "source", "offline");
        add_line(&words, line);
    }
    line = json_new_object();
    json_add_string(line, "event", "end");
    json_add_string(line, "ending", "complete");
    json_add_int(line, "at_ms", episode->duration_ms);
    add_line(&events, line);
    save(episode->folder, "events.jsonl", &events);
    if (!maker->plan->no_words)
        save(episode->folder, "process.jsonl", &words);
    buf_release(&events);
    buf_release(&words);
}

static void judge(struct maker *maker, const struct fake_run_episode *episode)
{
    struct verdict verdict = VERDICT_INIT;
    struct verdict_need needs[2] = {{.known = true, .met = true, .step = 1},
                                    {.known = true, .step = -1}};
    char reason[256], say[256], why[256];
    struct err err;

    verdict_sign(&verdict, "rules", "{}");
    verdict.outcome = episode->outcome;
    verdict.early_stop = episode->early;
    verdict.reason = mem_dup(hostile(maker,
                                     episode->outcome == OUTCOME_SUCCESS
                                         ? "every key point is met: running "
                                           "shoes were searched for, the list "
                                           "was sorted by price, and the "
                                           "cheapest pair was opened"
                                         : "the list was never sorted",
                                     reason));
    needs[0].say = hostile(maker, "searched for shoes", say) ? say : NULL;
    needs[0].why =
        hostile(maker, "step 1: typed 'running shoes'", why) ? why : NULL;
    needs[1].say = say;
    needs[1].met = episode->outcome == OUTCOME_SUCCESS;
    needs[1].step = needs[1].met ? 2 : -1;
    verdict.needs = needs;
    verdict.need_count = 2;
    verdict.met = 1 + needs[1].met;
    verdict.steps = (int)maker->plan->steps;
    verdict.gold_steps = 4;
    if (episode->outcome != OUTCOME_SUCCESS) {
        verdict.failure.class_ =
            episode->early ? FAILURE_REPEATED : FAILURE_MISSED;
        snprintf(verdict.failure.description,
                 sizeof(verdict.failure.description),
                 "tapped 41 px beside 'Sort'");
        verdict.failure.step = 2;
    }
    if (!verdict_save(&verdict, episode->folder, &err))
        fail_msg("%s", err.text);
    verdict.needs = NULL;
    verdict.need_count = 0;
    verdict_release(&verdict);
}

static void add_result(struct maker *maker,
                       const struct fake_run_episode *episode)
{
    struct cJSON *line = json_new_object();

    json_add_string(line, "task", episode->task);
    json_add_int(line, "repeat", (int64_t)episode->repeat);
    json_add_int(line, "attempt", 0);
    json_add_string(line, "episode", episode->place);
    json_add_string(line, "agent", maker->plan->agent);
    json_add_string(line, "phone", "phone-1");
    json_add_string(line, "ending", "complete");
    json_add_int(line, "steps", (int64_t)maker->plan->steps);
    json_add_int(line, "duration_ms", episode->duration_ms);
    json_add_int(line, "input_tokens", episode->input_tokens);
    json_add_int(line, "output_tokens", episode->output_tokens);
    json_add_number(line, "cost", COST);
    add_line(&maker->results, line);
}

static void make_episode(struct maker *maker, size_t task, size_t repeat)
{
    const struct fake_run *plan = maker->plan;
    struct fake_run_episode episode = {.number = task, .repeat = repeat};
    char folder[PATH_MAX + 16];
    uint32_t chance = draw(maker) % 100;

    episode.locale = plan->locale ? plan->locale : task % 2 ? "zh-CN" : "en-US";
    episode.early = chance % 3 == 0;
    episode.outcome = chance < plan->success ? OUTCOME_SUCCESS
                      : chance % 2           ? OUTCOME_FAILURE
                                             : OUTCOME_UNCOMPLETED;
    episode.early = episode.early && episode.outcome == OUTCOME_UNCOMPLETED;
    snprintf(episode.task, sizeof(episode.task), "task-%03zu", task);
    snprintf(episode.place, sizeof(episode.place), "episodes/%s/%zu/0",
             episode.task, repeat);
    snprintf(episode.folder, sizeof(episode.folder), "%s/%s", plan->folder,
             episode.place);
    make_folder(episode.folder);
    snprintf(folder, sizeof(folder), "%s/screens", episode.folder);
    make_folder(folder);
    save_task(maker, &episode);
    save_events(maker, &episode);
    if (!plan->no_judge)
        judge(maker, &episode);
    add_result(maker, &episode);
    maker->made++;
}

static void save_run(const struct fake_run *plan)
{
    struct cJSON *run = json_new_object();
    struct buf text = BUF_INIT(SIZE_MAX);
    struct cJSON *child;

    json_add_string(run, "format", "proctor-run");
    json_add_int(run, "version", 1);
    json_add_string(run, "id", plan->id);
    json_add_int(run, "created_ms", INT64_C(1794830400000));
    child = json_add_object(run, "suite");
    json_add_string(child, "path", "tasks/suites/made-up.json");
    json_add_string(run, "agent", plan->agent);
    json_add_int(run, "repeats", (int64_t)plan->repeats);
    child = json_add_array(run, "tasks");
    for (size_t i = 0; i < plan->tasks * (plan->unfinished ? 2 : 1); i++) {
        char task[32];

        snprintf(task, sizeof(task), "task-%03zu", i);
        json_add_string(child, NULL, task);
    }
    child = json_add_object(json_add_array(run, "devices"), NULL);
    json_add_string(child, "serial", "phone-1");
    json_add_bool(child, "builtin", plan->builtin);
    add_line(&text, run);
    save(plan->folder, "run.json", &text);
    buf_release(&text);
}

void fake_run_write(const struct fake_run *plan)
{
    struct maker maker = {
        .plan = plan, .random = plan->seed, .results = BUF_INIT(SIZE_MAX)};

    make_screens(&maker);
    make_folder(plan->folder);
    for (size_t task = 0; task < plan->tasks; task++) {
        for (size_t repeat = 0; repeat < plan->repeats; repeat++)
            make_episode(&maker, task, repeat);
    }
    save(plan->folder, "results.jsonl", &maker.results);
    save_run(plan);
    for (size_t i = 0; i < SCREENS; i++)
        buf_release(&maker.screens[i]);
    buf_release(&maker.results);
}

static int remove_one(const char *path, const struct stat *status, int type,
                      struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

void fake_run_remove(const char *folder)
{
    assert_int_equal(nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}
