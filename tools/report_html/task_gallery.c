#include "tools/report_html/task_gallery.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/report_html/episode_data.h"
#include "tools/report_html/html.h"
#include "tools/report_html/report_files.h"
#include "tools/web_parts/web_parts.h"

#define PART_MAX ((size_t)64 << 20) /* of a task, with its pictures */
#define THUMBNAIL_WIDTH 240

/* A mark on a screen, in parts of its width. */
#define RING 0.052
#define PEN 0.015

/* A task with the episode of gold, if there is one. */
struct gallery_task {
    const struct task *task;
    /* in English and Chinese; NULL: none */
    const struct judged_attempt *gold[2];
    struct episode_data episode; /* of the first of them */
};

static const char *const languages[] = {"en", "zh"};

struct task_gallery_page {
    const struct task_gallery *gallery;
    struct gallery_task *tasks; /* owned */
    struct thumbnails thumbnails;
    struct file file;
};

/* ---- gold ---- */

static const struct judged_attempt *find_gold(const struct judged_runs *judged,
                                              const char *task,
                                              const char *language)
{
    for (size_t i = 0; i < judged->count; i++) {
        const struct judged_attempt *entry = &judged->entries[i];

        if (entry->counts && !entry->damage && entry->agent &&
            !strcmp(entry->agent, "gold") && !strcmp(entry->task, task) &&
            entry->locale && !strncmp(entry->locale, language, 2))
            return entry;
    }
    return NULL;
}

static void load_tasks(struct task_gallery_page *page)
{
    const struct task_gallery *gallery = page->gallery;

    page->tasks = mem_new(gallery->count + 1, sizeof(*page->tasks));
    for (size_t i = 0; i < gallery->count; i++) {
        struct gallery_task *task = &page->tasks[i];
        const struct judged_attempt *gold;

        task->task = gallery->tasks[i];
        for (size_t j = 0; j < ARRAY_LEN(languages); j++)
            task->gold[j] =
                find_gold(gallery->judged, task->task->id, languages[j]);
        gold = task->gold[0] ? task->gold[0] : task->gold[1];
        if (!gold)
            continue;
        episode_data_load(&task->episode, &gallery->judged->runs[gold->run],
                          gold);
        episode_data_show(&task->episode, &page->thumbnails);
    }
}

/* ---- the top ---- */

static void totals(struct buf *html, const struct task_gallery *gallery)
{
    size_t kinds[TASK_KINDS] = {0};
    size_t levels[6] = {0};

    for (size_t i = 0; i < gallery->count; i++) {
        kinds[gallery->tasks[i]->kind]++;
        levels[gallery->tasks[i]->level]++;
    }
    buf_printf(html, "<p class=\"facts\">%zu judged by state, %zu by process",
               kinds[TASK_STATE], kinds[TASK_PROCESS]);
    for (size_t i = 1; i < ARRAY_LEN(levels); i++) {
        if (levels[i])
            buf_printf(html, " · L%zu: %zu", i, levels[i]);
    }
    buf_text(html, "</p>");
}

/* The ids are what the rules of tasks allow: no markup. */
static void index_of_tasks(struct buf *html, const struct task_gallery *gallery)
{
    buf_text(html, "<nav aria-label=\"Tasks\">");
    for (size_t i = 0; i < gallery->count; i++)
        buf_printf(html, "<a href=\"#%s\">%s</a>", gallery->tasks[i]->id,
                   gallery->tasks[i]->id);
    buf_text(html, "</nav>");
}

static void top(struct buf *html, const struct task_gallery *gallery)
{
    static const char *const parts[] = {"theme.css", "film_strip.css"};
    const struct embedded_file *own =
        embedded_get(&report_files, "report/gallery.css");
    struct buf style = BUF_INIT(PART_MAX);

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        const struct embedded_file *part =
            embedded_get(&web_part_files, parts[i]);

        buf_append(&style, part->text, part->length);
    }
    buf_append(&style, own->text, own->length);
    buf_text(html, "<!doctype html>\n<html lang=\"en\">\n<head>\n"
                   "<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\""
                   "default-src 'none'; img-src data:; style-src ");
    html_source_hash(html, style.data, style.length);
    buf_text(html, "; base-uri 'none'; form-action 'none'\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, "
                   "initial-scale=1\">\n<meta name=\"color-scheme\" "
                   "content=\"light dark\">\n<title>");
    html_text(html, gallery->name);
    buf_text(html, " – proctor tasks</title>\n<style>");
    buf_append(html, style.data, style.length);
    buf_text(html, "</style>\n</head>\n<body>\n<header class=\"top\">"
                   "<p class=\"name\">proctor tasks</p><h1>");
    html_text(html, gallery->name);
    buf_printf(html, ": %zu task%s</h1>", gallery->count,
               gallery->count == 1 ? "" : "s");
    totals(html, gallery);
    index_of_tasks(html, gallery);
    buf_text(html, "</header>\n<main>\n");
    buf_release(&style);
}

/* ---- what is asked ---- */

static void facts(struct buf *html, const struct task *task)
{
    buf_printf(html, "<p class=\"facts\">%s", task_kind_name(task->kind));
    if (task->level)
        buf_printf(html, " · L%d", task->level);
    buf_printf(html, " · %s", task_difficulty_name(task->difficulty));
    if (task->category) {
        buf_text(html, " · ");
        html_text(html, task->category);
    }
    for (size_t i = 0; i < task->apps.count; i++) {
        buf_text(html, i ? ", " : " · ");
        html_text(html, task->apps.items[i]);
    }
    buf_printf(html, " · at most %d steps", task->steps);
    if (task->gold.count)
        buf_printf(html, ", gold in %zu", task->gold.count);
    buf_text(html, "</p>");
}

/* As the agent of gold got it, where it has that language. */
static void instruction(struct buf *html, const struct gallery_task *task,
                        size_t language, const char *text)
{
    const struct judged_attempt *gold = task->gold[language];

    if (!text)
        return;
    if (gold && gold->instruction)
        text = gold->instruction;
    buf_printf(html, "<p class=\"ask\" lang=\"%s\">", languages[language]);
    html_text(html, text);
    buf_text(html, "</p>");
}

static void wording_row(struct buf *html, const struct task_wording *wording)
{
    buf_printf(html, "<tr><th>%s</th>", wording_style_names[wording->style]);
    for (size_t i = 0; i < ARRAY_LEN(languages); i++) {
        buf_printf(html, "<td lang=\"%s\">", languages[i]);
        html_text(html, bilingual_text_in(&wording->say, languages[i]));
        buf_text(html, "</td>");
    }
    buf_text(html, "</tr>");
}

static void wordings(struct buf *html, const struct task_gallery *gallery,
                     const struct task *task)
{
    struct buf rows = BUF_INIT(PART_MAX);
    size_t count = 0;

    for (size_t i = 0; i < gallery->wordings->count; i++) {
        if (gallery->wordings->items[i].task != task)
            continue;
        wording_row(&rows, &gallery->wordings->items[i]);
        count++;
    }
    if (count)
        buf_printf(html,
                   "<details><summary>%zu other wording%s</summary>"
                   "<table class=\"wordings\"><tbody>%s</tbody></table>"
                   "</details>",
                   count, count == 1 ? "" : "s", buf_cstr(&rows));
    buf_release(&rows);
}

static void needs(struct buf *html, const struct task *task)
{
    if (!task->need_count)
        return;
    buf_text(html, "<ul class=\"needs\">");
    for (size_t i = 0; i < task->need_count; i++) {
        buf_text(html, "<li>");
        html_text(html, bilingual_text_in(&task->needs[i].say, "en"));
        buf_text(html, "</li>");
    }
    buf_text(html, "</ul>");
}

/* ---- gold as a strip ---- */

static void mark(struct buf *html, const struct trajectory *trajectory,
                 const struct trajectory_step *step)
{
    const struct trajectory_head *screen = &trajectory->head;

    if (!step->acted || !step->action.has_from || !screen->width)
        return;
    buf_printf(html,
               "<svg viewBox=\"0 0 %d %d\" aria-hidden=\"true\"><circle "
               "class=\"mark halo\" cx=\"%d\" cy=\"%d\" r=\"%.0f\" "
               "stroke-width=\"%.0f\"/><circle class=\"mark\" cx=\"%d\" "
               "cy=\"%d\" r=\"%.0f\" stroke-width=\"%.0f\"/></svg>",
               screen->width, screen->height, step->action.from.x,
               step->action.from.y, RING * screen->width,
               PEN * 2 * screen->width, step->action.from.x,
               step->action.from.y, RING * screen->width, PEN * screen->width);
}

static void strip_step(struct buf *html, const struct task_gallery_page *page,
                       const struct episode_data *episode, size_t i)
{
    const struct trajectory_step *step = &episode->trajectory.steps[i];
    size_t found = thumbnails_find(&page->thumbnails, step->screen.sha256);
    const struct buf *jpeg =
        found == THUMBNAILS_NONE ? NULL : &page->thumbnails.items[found].jpeg;

    buf_text(html, "<li>");
    if (jpeg && jpeg->length) {
        buf_text(html, "<div class=\"shot\"><img alt=\"\" src=\""
                       "data:image/jpeg;base64,");
        html_base64(html, jpeg->data, jpeg->length);
        buf_text(html, "\">");
        mark(html, &episode->trajectory, step);
        buf_text(html, "</div>");
    }
    buf_printf(html, "<p class=\"act\"><b>%zu</b></p><p class=\"words\">",
               i + 1);
    html_text(html, episode->descriptions[i] ? episode->descriptions[i] : "");
    buf_text(html, "</p></li>");
}

/* What a step of gold is done to, as the suite has it. */
static void target(struct buf *html, const struct node_selector *selector)
{
    const char *words = selector->call;

    if (!words && selector->text.count)
        words = selector->text.items[0];
    if (!words && selector->description.count)
        words = selector->description.items[0];
    if (!words && selector->id.count)
        words = selector->id.items[0];
    if (!words)
        words = selector->role ? selector->role : "a point";
    buf_text(html, " <code>");
    html_text(html, words);
    buf_text(html, "</code>");
}

static void written_steps(struct buf *html, const struct task_gold *gold)
{
    buf_text(html, "<ol class=\"steps\">");
    for (size_t i = 0; i < gold->count; i++) {
        const struct task_gold_step *step = &gold->steps[i];
        const char *text = bilingual_text_in(&step->text, "en");

        buf_printf(html, "<li%s>%s", step->key_step ? " class=\"key\"" : "",
                   action_kind_name(step->action.kind));
        if (step->target)
            target(html, step->target);
        if (text || step->action.text) {
            buf_text(html, " “");
            html_text(html, text ? text : step->action.text);
            buf_text(html, "”");
        }
        buf_text(html, "</li>");
    }
    buf_text(html, "</ol>");
}

static void gold(struct buf *html, const struct task_gallery_page *page,
                 const struct gallery_task *task)
{
    const struct episode_data *episode = &task->episode;

    if (!episode->loaded) {
        if (task->task->gold.count)
            written_steps(html, &task->task->gold);
        return;
    }
    buf_text(html, "<ol class=\"strip\" tabindex=\"0\">");
    for (size_t i = 0; i < episode->trajectory.count; i++) {
        if (episode->trajectory.steps[i].acted)
            strip_step(html, page, episode, i);
    }
    buf_text(html, "</ol>");
}

/* ---- ways and statistics ---- */

static void ways(struct buf *html, const struct task_gallery *gallery,
                 const struct task *task)
{
    struct buf rows = BUF_INIT(PART_MAX);
    size_t right = 0, wrong = 0;

    for (size_t i = 0; i < gallery->ways->count; i++) {
        const struct task_way *way = &gallery->ways->items[i];

        if (way->task != task)
            continue;
        right += task_way_meant_right(way->class_);
        wrong += !task_way_meant_right(way->class_);
        buf_printf(&rows, "<tr><td>%s</td><td>", way->name);
        buf_printf(&rows, "%s</td><td>%s</td></tr>",
                   task_way_class_name(way->class_),
                   way->breaks ? way->breaks : "");
    }
    if (right + wrong)
        buf_printf(html,
                   "<details><summary>%zu other right way%s, %zu wrong "
                   "way%s</summary><table><thead><tr><th>way</th><th>class"
                   "</th><th>breaks</th></tr></thead><tbody>%s</tbody>"
                   "</table></details>",
                   right, right == 1 ? "" : "s", wrong, wrong == 1 ? "" : "s",
                   buf_cstr(&rows));
    buf_release(&rows);
}

/* Of all agents but gold. */
static void agents(struct buf *html, const struct task_gallery *gallery,
                   const struct task *task)
{
    size_t counts[OUTCOMES] = {0};
    size_t episodes = 0;
    size_t steps = 0;

    for (size_t i = 0; i < gallery->judged->count; i++) {
        const struct judged_attempt *entry = &gallery->judged->entries[i];

        if (!entry->counts || strcmp(entry->task, task->id) != 0 ||
            !strcmp(entry->agent, "gold") ||
            entry->verdict.outcome == OUTCOME_VOID)
            continue;
        counts[entry->verdict.outcome]++;
        episodes++;
        steps += (size_t)entry->steps;
    }
    if (!episodes)
        return;
    buf_printf(html, "<p class=\"facts\">Agents: %zu episode%s, ", episodes,
               episodes == 1 ? "" : "s");
    for (int i = 0, shown = 0; i < OUTCOMES; i++) {
        if (counts[i])
            buf_printf(html, "%s%zu %s", shown++ ? ", " : "", counts[i],
                       outcome_name((enum outcome)i));
    }
    buf_printf(html, "; %.1f steps on average.</p>",
               (double)steps / (double)episodes);
}

static void zoo(struct buf *html, const struct zoo_figures *figures,
                const struct task *task)
{
    const struct zoo_figure *figure = zoo_figures_find(figures, task->id);

    if (!figure)
        return;
    buf_printf(html, "<p class=\"facts\">Scripted policies: %.1f %% success",
               100 * figure->success);
    if (!isnan(figure->discrimination))
        buf_printf(html, ", discrimination %.2f", figure->discrimination);
    buf_printf(html, "%s.</p>",
               figure->poor ? ", <b>tells nothing apart</b>" : "");
}

/* ---- the page ---- */

static void task_part(struct buf *html, const struct task_gallery_page *page,
                      const struct gallery_task *shown)
{
    const struct task *task = shown->task;

    buf_printf(html, "<article class=\"card\" id=\"%s\"><h2>%s</h2>", task->id,
               task->id);
    facts(html, task);
    if (task->instruction.any) {
        instruction(html, shown, 0, task->instruction.any);
    } else {
        instruction(html, shown, 0, task->instruction.en);
        instruction(html, shown, 1, task->instruction.zh);
    }
    wordings(html, page->gallery, task);
    needs(html, task);
    gold(html, page, shown);
    ways(html, page->gallery, task);
    agents(html, page->gallery, task);
    zoo(html, page->gallery->zoo, task);
    buf_text(html, "</article>\n");
}

/* Write what was made so far, and empty it. */
static bool flush(const struct task_gallery_page *page, struct buf *html,
                  struct err *err)
{
    bool done = !html->overflow ||
                err_set(err, ERR_LIMIT, "a task of the page is too large");

    done = done && file_write(page->file.fd, buf_cstr(html), html->length, err);
    buf_clear(html);
    return done;
}

static bool write_page(const struct task_gallery_page *page,
                       const struct cancel *cancel, struct err *err)
{
    struct buf html = BUF_INIT(PART_MAX);
    bool done = true;

    top(&html, page->gallery);
    for (size_t i = 0; done && i < page->gallery->count; i++) {
        task_part(&html, page, &page->tasks[i]);
        done = flush(page, &html, err);
        if (done && cancel_fired(cancel))
            done = err_set(err, ERR_CANCELLED, "interrupted");
    }
    buf_printf(&html,
               "</main>\n<footer><p>Written by proctor %s. This page is one "
               "file with its pictures, and loads nothing from the network.</p>"
               "</footer>\n</body>\n</html>\n",
               PROCTOR_VERSION);
    done = done && flush(page, &html, err);
    buf_release(&html);
    return done;
}

bool task_gallery_save(const struct task_gallery *gallery, const char *path,
                       const struct cancel *cancel, struct err *err)
{
    struct task_gallery_page page = {.gallery = gallery, .file = FILE_INIT};
    bool done;

    if (!file_begin(&page.file, path, 0666, err))
        return false;
    thumbnails_init(&page.thumbnails);
    load_tasks(&page);
    thumbnails_make(&page.thumbnails, THUMBNAIL_WIDTH, cancel);
    done = write_page(&page, cancel, err);
    if (done)
        done = file_commit(&page.file, err);
    else
        file_abandon(&page.file);
    for (size_t i = 0; i < gallery->count; i++)
        episode_data_release(&page.tasks[i].episode);
    thumbnails_release(&page.thumbnails);
    free(page.tasks);
    return done;
}
