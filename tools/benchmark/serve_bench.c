/*
 * bench serve: phones in pages of headless Chromium, which
 * tools/benchmark/serve/bench_serve.mjs drives and measures.
 */
#include "base/macros.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/benchmark/peers/npm_client.h"

#define ROUNDS 9

/* By groups; a row with a dot in its id was measured with another one. */
#define ROWS(ROW)                                                              \
    ROW(TAP, "tap", "frame buffer: from a tap to a changed pixel")             \
    ROW(SCRCPY_TAP, "scrcpy.tap", "scrcpy: from a tap to a changed pixel")     \
    ROW(FIRST, "first", "frame buffer: from opening a page to a picture")      \
    ROW(SCRCPY_FIRST, "scrcpy.first",                                          \
        "scrcpy: from opening a page to a picture")                            \
    ROW(STOP, "stop", "frame buffer: behind after a stop of 10 s")             \
    ROW(SCRCPY_STOP, "scrcpy.stop", "scrcpy: behind after a stop of 10 s")     \
    ROW(RATE, "scroll", "frame buffer, one page")                              \
    ROW(SCRCPY_RATE, "scrcpy.scroll", "scrcpy, one page")                      \
    ROW(TEN_RATE, "ten", "frame buffer, each of ten pages")                    \
    ROW(WALL_RATE, "wall", "each of eight phones on a wall")                   \
    ROW(CPU, "scroll.cpu", "frame buffer, one page")                           \
    ROW(SCRCPY_CPU, "scrcpy.scroll.cpu", "scrcpy, one page")                   \
    ROW(TEN_CPU, "ten.cpu", "frame buffer, ten pages")                         \
    ROW(WALL_CPU, "wall.cpu", "eight phones on a wall")                        \
    ROW(BROWSER, "scroll.browser", "frame buffer, one page")                   \
    ROW(SCRCPY_BROWSER, "scrcpy.scroll.browser", "scrcpy, one page")           \
    ROW(TEN_BROWSER, "ten.browser", "frame buffer, ten pages")                 \
    ROW(WALL_BROWSER, "wall.browser", "eight phones on a wall")                \
    ROW(IDLE, "idle", "in a second")

#define NUMBER_OF(row, id, name) row,
enum row_index { ROWS(NUMBER_OF) ROW_COUNT };

struct bench {
    struct npm_client page;
    double value; /* of the row that was measured last */
};

/* A function for each row: a row is known by its functions alone. */
#define FUNCTION_OF(row, id, name)                                             \
    static bool measure_##row(struct bench *bench, struct err *err)            \
    {                                                                          \
        return npm_client_ask(&bench->page, id, &bench->value, err);           \
    }
ROWS(FUNCTION_OF)

static double value_of(const struct bench *bench)
{
    return bench->value;
}

#define MEASURE_OF(row, id, name)                                              \
    [row] = {id, name, measure_##row, 1, .value = value_of},
static const struct measure measures[ROW_COUNT] = {ROWS(MEASURE_OF)};

static bool set_up(struct bench *bench, struct err *err)
{
    return npm_client_start(&bench->page, "bench_serve.mjs", PROCTOR, NULL,
                            err);
}

static void tear_down(struct bench *bench)
{
    npm_client_stop(&bench->page);
}

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_group groups[] = {
        {"delays in a page", &rows[TAP], 6, "ms"},
        {"pictures painted while the screen scrolls", &rows[RATE], 4, "1/s"},
        {"CPU time of proctor meanwhile", &rows[CPU], 4, "% core"},
        {"CPU time of the browser meanwhile", &rows[BROWSER], 4, "% core"},
        {"received while nothing changes", &rows[IDLE], 1, "bytes"},
    };
    const struct goal goals[] = {
        {"ms from tap to pixel", &rows[TAP], .kind = GOAL_AT_MOST,
         .wanted = 60},
        {"pictures a second", &rows[RATE], .kind = GOAL_AT_LEAST, .wanted = 30},
        {"percent of a core", &rows[CPU], .kind = GOAL_AT_MOST, .wanted = 100},
        {"ms until the first picture", &rows[FIRST], .kind = GOAL_AT_MOST,
         .wanted = 300},
        {"bytes while nothing changes", &rows[IDLE], .kind = GOAL_AT_MOST,
         .wanted = 0},
        {"percent of a core, eight phones", &rows[WALL_CPU],
         .kind = GOAL_AT_MOST, .wanted = 100},
        {"CPU time of ten pages over one", &rows[TEN_CPU], &rows[CPU],
         .kind = GOAL_AT_MOST, .wanted = 2},
        {"ms behind after a stop", &rows[STOP], .kind = GOAL_AT_MOST,
         .wanted = 250},
        {"scrcpy: ms from tap to pixel", &rows[SCRCPY_TAP],
         .kind = GOAL_AT_MOST, .wanted = 90},
        {"scrcpy: pictures a second", &rows[SCRCPY_RATE], .kind = GOAL_AT_LEAST,
         .wanted = 20},
        {"scrcpy: percent of a core", &rows[SCRCPY_CPU], .kind = GOAL_AT_MOST,
         .wanted = 150},
        {"scrcpy: ms until the first picture", &rows[SCRCPY_FIRST],
         .kind = GOAL_AT_MOST, .wanted = 450},
        {"scrcpy: ms behind after a stop", &rows[SCRCPY_STOP],
         .kind = GOAL_AT_MOST, .wanted = 375},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "serve",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
