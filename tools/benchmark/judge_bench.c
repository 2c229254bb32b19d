/*
 * Judging recorded episodes without a model: trees parsed, steps described and
 * rules checked, compared with reading and inflating the same files.
 */
#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/picture/canvas.h"
#include "base/picture/png.h"
#include "judge/judge.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/benchmark/loads/dump_maker.h"
#include "tools/benchmark/loads/screen_maker.h"

#define ROUNDS 21
#define EPISODES 8
#define STEPS 10
#define NODES 300 /* on a screen, as most have them */
#define FILE_MAX_BYTES ((size_t)16 << 20)
#define PATH_BYTES 256

enum row_id { READ_TREES, READ_ALL, JUDGE, ROW_COUNT };

struct bench {
    char folder[64];
    char episodes[EPISODES][PATH_BYTES];
    struct judge judge;
    struct buf file;        /* reused */
    struct picture picture; /* the same */
};

/* ---- episodes ---- */

static const char task[] =
    "{\"id\":\"bench.task\",\"app\":\"com.example.shop\",\"kind\":\"process\","
    "\"instruction\":\"Open the mouse\",\"needs\":["
    "{\"id\":\"open\",\"say\":\"a mouse was opened\",\"check\":{\"action\":"
    "\"click\",\"target\":\"wireless mouse\"}},"
    "{\"say\":\"it was not liked\",\"check\":{\"not\":{\"target\":\"like\"}}},"
    "{\"say\":\"its price was seen\",\"check\":{\"shows\":\"[0-9]+\\\\.99\"},"
    "\"after\":[\"open\"]},"
    "{\"say\":\"it is there\",\"check\":{\"end\":{\"text\":\"mouse.*pad\"}}}]}";

/* All screens and all trees differ. */
static bool see(struct bench *bench, struct trajectory_writer *writer,
                unsigned number, struct err *err)
{
    struct buf dump = BUF_INIT(FILE_MAX_BYTES);
    struct trajectory_observation seen = {.package = "com.example.shop"};
    int x = (int)(number * 37 % 900);
    struct canvas canvas;
    bool done;

    dump_make(&dump, NODES + 4 * (number % 40));
    done = screen_make(&bench->picture, number % 2, err);
    if (done) {
        canvas_init(&canvas, &bench->picture);
        canvas_fill(&canvas, (struct box){x, 300, x + 60, 360}, 0xff3366cc);
        buf_clear(&bench->file);
        done = png_encode(&bench->picture, PNG_FAST, &bench->file, err);
    }
    seen.tree = buf_cstr(&dump);
    seen.tree_size = dump.length;
    seen.screen = buf_cstr(&bench->file);
    seen.screen_size = bench->file.length;
    done = done && trajectory_write_observation(writer, &seen, err);
    buf_release(&dump);
    return done;
}

static bool act(struct trajectory_writer *writer, unsigned step,
                struct err *err)
{
    const struct action tap = {
        .kind = ACTION_CLICK,
        .has_from = true,
        .from = {500, 250 + (int)(step * 190)},
    };
    const struct action complete = {.kind = ACTION_COMPLETE};

    return trajectory_write_plain_action(writer, ACTOR_AGENT,
                                         step + 1 < STEPS ? &tap : &complete,
                                         NULL, step, err);
}

static bool make_episode(struct bench *bench, unsigned number, struct err *err)
{
    char name[] = "bench.task";
    struct trajectory_head head = {.task = name, .width = 1080, .height = 2400};
    struct trajectory_writer *writer = NULL;
    char *folder = bench->episodes[number];
    char path[PATH_BYTES + 16];
    bool done;

    snprintf(folder, PATH_BYTES, "%s/%u", bench->folder, number);
    done = trajectory_create(folder, &head, &writer, err);
    for (unsigned i = 0; done && i < STEPS; i++)
        done =
            see(bench, writer, number * STEPS + i, err) && act(writer, i, err);
    done = done && trajectory_end(writer, ENDING_COMPLETE, "said so", 0, err);
    trajectory_close(writer);
    snprintf(path, sizeof(path), "%s/task.json", folder);
    return done && file_save(path, 0666, task, strlen(task), err);
}

/* ---- what is measured: all episodes each ---- */

/* Read every file of a folder; pictures are inflated. */
static bool read_folder(struct bench *bench, const char *folder,
                        const char *name, bool inflate, struct err *err)
{
    char path[2 * PATH_BYTES];
    struct dirent *entry;
    bool done = true;
    DIR *stream;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    stream = opendir(path);
    while (done && stream && (entry = readdir(stream))) {
        char file[3 * PATH_BYTES];

        if (entry->d_name[0] == '.')
            continue;
        snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
        buf_clear(&bench->file);
        done = file_load(file, &bench->file, err) &&
               (!inflate || png_decode(bench->file.data, bench->file.length,
                                       &bench->picture, err));
    }
    if (stream)
        closedir(stream);
    return done;
}

static bool read_trees(struct bench *bench, struct err *err)
{
    bool done = true;

    for (size_t i = 0; done && i < EPISODES; i++)
        done = read_folder(bench, bench->episodes[i], "trees", false, err);
    return done;
}

static bool read_all(struct bench *bench, struct err *err)
{
    bool done = read_trees(bench, err);

    for (size_t i = 0; done && i < EPISODES; i++)
        done = read_folder(bench, bench->episodes[i], "screens", true, err);
    return done;
}

static bool judge_all(struct bench *bench, struct err *err)
{
    for (size_t i = 0; i < EPISODES; i++) {
        struct verdict verdict;
        bool fits;

        if (!judge_episode(&bench->judge, bench->episodes[i], &verdict, err))
            return false;
        fits = verdict.outcome == OUTCOME_SUCCESS;
        if (!fits)
            err_set(err, ERR_INVALID, "%s", verdict.reason);
        verdict_release(&verdict);
        if (!fits)
            return false;
    }
    return true;
}

static const struct measure measures[ROW_COUNT] = {
    [READ_TREES] = {"read_trees", "their trees, read", read_trees, .repeats = 1,
                    .cpu_us = harness_own_cpu_us},
    [READ_ALL] = {"read_all", "all files, read and inflated", read_all,
                  .repeats = 1, .cpu_us = harness_own_cpu_us},
    [JUDGE] = {"judge", "proctor, judged by rules", judge_all, .repeats = 1,
               .cpu_us = harness_own_cpu_us},
};

static bool set_up(struct bench *bench, struct err *err)
{
    const struct judge_options options = {.kind = JUDGE_RULES};

    bench->file = (struct buf)BUF_INIT(FILE_MAX_BYTES);
    judge_init(&bench->judge, &options);
    snprintf(bench->folder, sizeof(bench->folder), "/tmp/bench-judge-XXXXXX");
    if (!mkdtemp(bench->folder))
        return err_set(err, ERR_IO, "there is no room in /tmp");
    for (unsigned i = 0; i < EPISODES; i++) {
        if (!make_episode(bench, i, err))
            return false;
    }
    return true;
}

static int remove_one(const char *path, const struct stat *stat, int type,
                      struct FTW *place)
{
    (void)stat;
    (void)type;
    (void)place;
    return remove(path);
}

static void tear_down(struct bench *bench)
{
    if (bench->folder[0])
        (void)nftw(bench->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    judge_release(&bench->judge);
    buf_release(&bench->file);
    picture_release(&bench->picture);
}

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_row reading[] = {rows[READ_ALL], rows[READ_TREES],
                                        rows[JUDGE]};
    const struct bench_group groups[] = {
        {"8 episodes of 10 steps, 300 nodes each", reading, ARRAY_LEN(reading),
         NULL},
    };
    const struct goal goals[] = {
        {"judging over reading and inflating", &rows[JUDGE], &rows[READ_ALL],
         true, GOAL_AT_MOST, 2, 0},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "judge",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
