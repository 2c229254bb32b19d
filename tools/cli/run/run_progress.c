#include "tools/cli/run/run_progress.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/mem.h"
#include "tools/cli/terminal/human_units.h"
#include "tools/cli/terminal/terminal_mode.h"
#include "tools/cli/terminal/text_page.h"
#include "tools/cli/terminal/text_table.h"

#define TICK_MS 500
#define DEFAULT_LINES 24
#define DEFAULT_COLUMNS 80
#define CELL_MAX 64

/* ---- the table ---- */

/* "shop.cart", "shop.cart #2" for the second repeat, "… try 2" for a repeated
 * attempt.
 */
static void name_attempt(char *name, size_t size, const char *task, int repeat,
                         int attempt)
{
    char number[24] = "";
    char tries[24] = "";

    if (repeat)
        snprintf(number, sizeof(number), " #%d", repeat + 1);
    if (attempt)
        snprintf(tries, sizeof(tries), " try %d", attempt + 1);
    snprintf(name, size, "%s%s%s", task, number, tries);
}

static void put_task(struct text_table *table, const struct run_row *row)
{
    char name[RUN_PROGRESS_TEXT + 48] = "";

    if (row->task[0])
        name_attempt(name, sizeof(name), row->task, row->repeat, row->attempt);
    if (row->trouble[0])
        text_table_cell(table, TEXT_STYLE_RED, row->trouble);
    else
        text_table_cell(table, TEXT_STYLE_PLAIN, name);
}

static void put_step(struct text_table *table, const struct run_row *row)
{
    char text[CELL_MAX] = "";

    if (row->task[0] && row->note[0])
        snprintf(text, sizeof(text), "%s", row->note);
    else if (row->task[0] && strcmp(row->state.doing, "step") != 0)
        snprintf(text, sizeof(text), "%s", row->state.doing);
    else if (row->task[0])
        snprintf(text, sizeof(text), "step %d of %d", row->state.step + 1,
                 row->state.steps);
    text_table_cell(table, TEXT_STYLE_PLAIN, text);
}

static void put_left(struct text_table *table, const struct run_row *row,
                     int64_t now_ns)
{
    int64_t left =
        row->state.left_ms - (now_ns - row->at_ns) / INT64_C(1000000);
    char time[HUMAN_UNITS_MAX] = "";
    char text[HUMAN_UNITS_MAX + 8] = "";

    if (row->task[0] && row->state.left_ms >= 0) {
        human_units_time((double)(left > 0 ? left : 0) / 1e3, time);
        snprintf(text, sizeof(text), "%s left", time);
    }
    text_table_cell(table, TEXT_STYLE_DIM, text);
}

static void put_sum(const struct run_progress *progress, int64_t now_ns,
                    struct text_page *page)
{
    char time[HUMAN_UNITS_MAX];

    human_units_time((double)(now_ns - progress->start_ns) / 1e9, time);
    if (progress->work.all)
        text_page_printf(page, "%zu of %zu done, ", progress->work.ended,
                         progress->work.all);
    else if (progress->work_known)
        text_page_printf(page, "%zu done, ", progress->work.ended);
    if (progress->work.given_up)
        text_page_printf(page, "%zu void, ", progress->work.given_up);
    text_page_printf(page, "%s\n", time);
}

void run_progress_format(const struct run_progress *progress, int64_t now_ns,
                         struct text_page *page, unsigned lines)
{
    struct text_table table;
    size_t shown =
        progress->count + 1 > lines && lines > 2 ? lines - 2 : progress->count;

    text_table_init(&table, 4);
    for (size_t i = 0; i < shown; i++) {
        const struct run_row *row = &progress->rows[i];

        text_table_cell(&table, TEXT_STYLE_BOLD, row->phone);
        put_task(&table, row);
        put_step(&table, row);
        put_left(&table, row, now_ns);
    }
    text_table_write(&table, page);
    text_table_release(&table);
    if (shown < progress->count)
        text_page_printf(page, "and %zu more\n", progress->count - shown);
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
    struct text_page page;
    const char *at;

    if (!terminal_mode_size(STDERR_FILENO, &lines, &columns) || lines < 3) {
        lines = DEFAULT_LINES;
        columns = DEFAULT_COLUMNS;
    }
    text_page_init(&page, STDERR_FILENO);
    run_progress_format(progress, clock_ns(), &page, lines - 1);
    clear(progress);
    for (at = buf_cstr(&page.text); *at;) {
        size_t length = strcspn(at, "\n");

        put_line(at, length, columns);
        progress->drawn++;
        at += length + (at[length] == '\n');
    }
    fflush(stderr);
    text_page_release(&page);
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

static void on_progress(void *context, const struct run_phone_state *state)
{
    struct run_progress *progress = context;
    struct run_row *row = &progress->rows[state->phone];

    pthread_mutex_lock(&progress->lock);
    row->task[0] = row->trouble[0] = row->note[0] = '\0';
    row->state = state->step;
    row->state.note = NULL; /* it is valid during the call only */
    if (state->step.note) {
        snprintf(row->note, sizeof(row->note), "%s", state->step.note);
        if (!progress->live)
            cli_message(progress->cli, "%s: %s", row->phone, row->note);
    }
    row->repeat = state->item.repeat;
    row->attempt = state->item.attempt;
    row->at_ns = clock_ns();
    if (state->task)
        snprintf(row->task, sizeof(row->task), "%s", state->task);
    if (state->trouble) {
        snprintf(row->trouble, sizeof(row->trouble), "%s", state->trouble);
        if (!progress->live)
            cli_message(progress->cli, "%s is out: %s", row->phone,
                        state->trouble);
    }
    pthread_mutex_unlock(&progress->lock);
}

static enum text_style style_of(enum trajectory_ending ending)
{
    if (ending == ENDING_VOID)
        return TEXT_STYLE_RED;
    return ending == ENDING_COMPLETE || ending == ENDING_ANSWER
               ? TEXT_STYLE_GREEN
               : TEXT_STYLE_YELLOW;
}

static bool print_text(struct cli_context *cli, const struct run_result *result,
                       struct err *err)
{
    struct text_page page;
    char time[HUMAN_UNITS_MAX];
    char name[RUN_PROGRESS_TEXT];
    bool done;

    text_page_init(&page, cli->out.fd);
    human_units_time((double)result->duration_ms / 1e3, time);
    name_attempt(name, sizeof(name), result->task, result->repeat,
                 result->attempt);
    text_page_printf(&page, "%-28s  ", name);
    text_page_add(&page, style_of(result->ending),
                  trajectory_ending_name(result->ending));
    text_page_pad(&page, strlen(trajectory_ending_name(result->ending)), 10);
    text_page_printf(&page, "%3d steps  %8s  ", result->steps, time);
    text_page_untrusted(&page, TEXT_STYLE_PLAIN,
                        result->phone ? result->phone : "");
    if (result->ending != ENDING_COMPLETE && result->ending != ENDING_ANSWER) {
        text_page_add(&page, TEXT_STYLE_PLAIN, "  ");
        text_page_untrusted(&page, TEXT_STYLE_DIM,
                            result->reason ? result->reason : "");
    }
    text_page_add(&page, TEXT_STYLE_PLAIN, "\n");
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool print_json(struct cli_context *cli, const struct run_result *result,
                       struct err *err)
{
    struct cJSON *line = run_result_to_json(result);
    bool done = output_stream_json(&cli->out, line, err);

    cJSON_Delete(line);
    return done;
}

static void on_result(void *context, const struct run_result *result,
                      const struct work_queue_state *state)
{
    struct run_progress *progress = context;
    struct cli_context *cli = progress->cli;
    struct err err = ERR_INIT;

    pthread_mutex_lock(&progress->lock);
    progress->work = *state;
    progress->work_known = true;
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

void run_progress_note(struct run_progress *progress,
                       const struct work_queue_state *state)
{
    pthread_mutex_lock(&progress->lock);
    progress->work = *state;
    progress->work_known = true;
    pthread_mutex_unlock(&progress->lock);
}

static void on_warning(void *context, size_t phone, const char *text)
{
    struct run_progress *progress = context;

    (void)phone; /* the text names it */
    pthread_mutex_lock(&progress->lock);
    if (progress->live)
        clear(progress);
    cli_message(progress->cli, "%s", text);
    if (progress->live)
        draw(progress);
    pthread_mutex_unlock(&progress->lock);
}

struct run_watcher run_progress_watcher(struct run_progress *progress)
{
    return (struct run_watcher){.on_progress = on_progress,
                                .on_result = on_result,
                                .on_warning = on_warning,
                                .context = progress};
}

/* ---- beginning and ending ---- */

bool run_progress_start(struct run_progress *progress, struct cli_context *cli,
                        const struct run_phone *phones, size_t count,
                        bool table, struct err *err)
{
    *progress = (struct run_progress){
        .cli = cli,
        .live = table && isatty(STDERR_FILENO) && !cli->shared.json,
        .rows = mem_new(count + 1, sizeof(*progress->rows)),
        .count = count,
        .start_ns = clock_ns(),
        .stop = CANCEL_INIT,
    };
    for (size_t i = 0; i < count; i++)
        clean_text_copy(progress->rows[i].phone,
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
