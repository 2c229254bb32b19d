#include "tools/cli/run_progress.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "tools/cli/page.h"
#include "tools/cli/table.h"
#include "tools/cli/terminal.h"
#include "tools/cli/units.h"

#define TICK_MS 500
#define DEFAULT_LINES 24
#define DEFAULT_COLUMNS 80
#define CELL_MAX 64

/* ---- the table ---- */

/* "shop.cart", "shop.cart #2" the second time, "… try 2" of what was void. */
static void name_attempt(char *name, size_t size, const char *task, int repeat,
                         int attempt)
{
    char number[24] = "";
    char trial[24] = "";

    if (repeat)
        snprintf(number, sizeof(number), " #%d", repeat + 1);
    if (attempt)
        snprintf(trial, sizeof(trial), " try %d", attempt + 1);
    snprintf(name, size, "%s%s%s", task, number, trial);
}

static void put_task(struct table *table, const struct run_row *row)
{
    char name[RUN_PROGRESS_TEXT + 48] = "";

    if (row->task[0])
        name_attempt(name, sizeof(name), row->task, row->repeat, row->attempt);
    if (row->trouble[0])
        table_cell(table, PAGE_RED, row->trouble);
    else
        table_cell(table, PAGE_PLAIN, name);
}

static void put_step(struct table *table, const struct run_row *row)
{
    char text[CELL_MAX] = "";

    if (row->task[0] && strcmp(row->state.doing, "step") != 0)
        snprintf(text, sizeof(text), "%s", row->state.doing);
    else if (row->task[0])
        snprintf(text, sizeof(text), "step %d of %d", row->state.step + 1,
                 row->state.steps);
    table_cell(table, PAGE_PLAIN, text);
}

static void put_left(struct table *table, const struct run_row *row,
                     int64_t now_ns)
{
    int64_t left =
        row->state.left_ms - (now_ns - row->at_ns) / INT64_C(1000000);
    char time[UNITS_TEXT_MAX] = "";
    char text[UNITS_TEXT_MAX + 8] = "";

    if (row->task[0] && row->state.left_ms >= 0) {
        units_time((double)(left > 0 ? left : 0) / 1e3, time);
        snprintf(text, sizeof(text), "%s left", time);
    }
    table_cell(table, PAGE_DIM, text);
}

static void put_sum(const struct run_progress *progress, int64_t now_ns,
                    struct page *page)
{
    char time[UNITS_TEXT_MAX];

    units_time((double)(now_ns - progress->start_ns) / 1e9, time);
    if (progress->told)
        page_printf(page, "%zu of %zu done, ", progress->work.ended,
                    progress->work.all);
    if (progress->work.given_up)
        page_printf(page, "%zu void, ", progress->work.given_up);
    page_printf(page, "%s\n", time);
}

void run_progress_format(const struct run_progress *progress, int64_t now_ns,
                         struct page *page, unsigned lines)
{
    struct table table;
    size_t shown =
        progress->count + 1 > lines && lines > 2 ? lines - 2 : progress->count;

    table_init(&table, 4);
    for (size_t i = 0; i < shown; i++) {
        const struct run_row *row = &progress->rows[i];

        table_cell(&table, PAGE_BOLD, row->phone);
        put_task(&table, row);
        put_step(&table, row);
        put_left(&table, row, now_ns);
    }
    table_write(&table, page);
    table_release(&table);
    if (shown < progress->count)
        page_printf(page, "and %zu more\n", progress->count - shown);
    put_sum(progress, now_ns, page);
}

/* ---- drawing ---- */

static void clear(struct run_progress *progress)
{
    for (; progress->drawn; progress->drawn--)
        fputs("\033[A\033[2K", stderr);
    fputs("\r", stderr);
}

/* A line that is too long would become two. */
static void put_line(const char *line, size_t length, unsigned columns)
{
    size_t column = 0;
    bool escape = false;

    for (size_t i = 0; i < length; i++) {
        bool begins = ((unsigned char)line[i] & 0xc0) != 0x80;

        escape = escape || line[i] == '\033';
        if (!escape && begins && ++column >= columns)
            break;
        fputc(line[i], stderr);
        escape = escape && line[i] != 'm';
    }
    fputs("\033[0m\n", stderr);
}

static void draw(struct run_progress *progress)
{
    unsigned lines = DEFAULT_LINES;
    unsigned columns = DEFAULT_COLUMNS;
    struct page page;
    const char *at;

    if (!terminal_size(STDERR_FILENO, &lines, &columns) || lines < 3) {
        lines = DEFAULT_LINES;
        columns = DEFAULT_COLUMNS;
    }
    page_init(&page, STDERR_FILENO);
    run_progress_format(progress, clock_ns(), &page, lines - 1);
    clear(progress);
    for (at = buf_cstr(&page.text); *at;) {
        size_t length = strcspn(at, "\n");

        put_line(at, length, columns);
        progress->drawn++;
        at += length + (at[length] == '\n');
    }
    fflush(stderr);
    page_release(&page);
}

static void *tick(void *context)
{
    struct run_progress *progress = context;
    struct pollfd stop = {.fd = cancel_fd(&progress->stop), .events = POLLIN};

    while (poll(&stop, 1, TICK_MS) == 0) {
        pthread_mutex_lock(&progress->lock);
        draw(progress);
        pthread_mutex_unlock(&progress->lock);
    }
    return NULL;
}

/* ---- what the run tells ---- */

static void sees(void *context, const struct run_sight *sight)
{
    struct run_progress *progress = context;
    struct run_row *row = &progress->rows[sight->phone];

    pthread_mutex_lock(&progress->lock);
    row->task[0] = row->trouble[0] = '\0';
    row->state = sight->step;
    row->repeat = sight->item.repeat;
    row->attempt = sight->item.attempt;
    row->at_ns = clock_ns();
    if (sight->task)
        snprintf(row->task, sizeof(row->task), "%s", sight->task);
    if (sight->trouble) {
        snprintf(row->trouble, sizeof(row->trouble), "%s", sight->trouble);
        if (!progress->live)
            cli_say(progress->cli, "%s is out: %s", row->phone, sight->trouble);
    }
    pthread_mutex_unlock(&progress->lock);
}

static enum page_style style_of(enum trajectory_ending ending)
{
    if (ending == ENDING_VOID)
        return PAGE_RED;
    return ending == ENDING_COMPLETE || ending == ENDING_ANSWER ? PAGE_GREEN
                                                                : PAGE_YELLOW;
}

static bool print_text(struct cli *cli, const struct result *result,
                       struct err *err)
{
    struct page page;
    char time[UNITS_TEXT_MAX];
    char name[RUN_PROGRESS_TEXT];
    bool done;

    page_init(&page, cli->out.fd);
    units_time((double)result->duration_ms / 1e3, time);
    name_attempt(name, sizeof(name), result->task, result->repeat,
                 result->attempt);
    page_printf(&page, "%-28s  ", name);
    page_text(&page, style_of(result->ending),
              trajectory_ending_name(result->ending));
    page_pad(&page, strlen(trajectory_ending_name(result->ending)), 10);
    page_printf(&page, "%3d steps  %8s  ", result->steps, time);
    page_foreign(&page, PAGE_PLAIN, result->phone ? result->phone : "");
    if (result->ending == ENDING_VOID || result->ending == ENDING_FAIL) {
        page_text(&page, PAGE_PLAIN, "  ");
        page_foreign(&page, PAGE_DIM, result->reason ? result->reason : "");
    }
    page_text(&page, PAGE_PLAIN, "\n");
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static bool print_json(struct cli *cli, const struct result *result,
                       struct err *err)
{
    struct cJSON *line = result_to_json(result);
    bool done = output_json(&cli->out, line, err);

    cJSON_Delete(line);
    return done;
}

static void hears(void *context, const struct result *result,
                  const struct work_state *state)
{
    struct run_progress *progress = context;
    struct cli *cli = progress->cli;
    struct err err = ERR_INIT;

    pthread_mutex_lock(&progress->lock);
    progress->work = *state;
    progress->told = true;
    if (progress->live)
        clear(progress);
    fflush(stderr);
    if (!(cli->shared.json ? print_json(cli, result, &err)
                           : print_text(cli, result, &err)) &&
        progress->error.code == ERR_NONE)
        progress->error = err;
    if (progress->live)
        draw(progress);
    pthread_mutex_unlock(&progress->lock);
}

struct run_watcher run_progress_watcher(struct run_progress *progress)
{
    return (struct run_watcher){
        .sees = sees, .hears = hears, .context = progress};
}

/* ---- beginning and ending ---- */

bool run_progress_start(struct run_progress *progress, struct cli *cli,
                        const struct run_phone *phones, size_t count,
                        struct err *err)
{
    *progress = (struct run_progress){
        .cli = cli,
        .live = isatty(STDERR_FILENO) && !cli->shared.json,
        .rows = mem_new(count + 1, sizeof(*progress->rows)),
        .count = count,
        .start_ns = clock_ns(),
        .stop = CANCEL_INIT,
    };
    for (size_t i = 0; i < count; i++)
        text_copy_clean(progress->rows[i].phone,
                        sizeof(progress->rows[i].phone), phones[i].serial,
                        strlen(phones[i].serial));
    pthread_mutex_init(&progress->lock, NULL);
    if (!cancel_init(&progress->stop, err)) {
        run_progress_stop(progress);
        return false;
    }
    progress->ticking = progress->live && !pthread_create(&progress->ticker,
                                                          NULL, tick, progress);
    return true;
}

void run_progress_stop(struct run_progress *progress)
{
    if (progress->ticking) {
        cancel_fire(&progress->stop);
        pthread_join(progress->ticker, NULL);
    }
    if (progress->live)
        clear(progress);
    cancel_release(&progress->stop);
    pthread_mutex_destroy(&progress->lock);
    free(progress->rows);
    progress->rows = NULL;
}
