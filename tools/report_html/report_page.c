#include "tools/report_html/report_page.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/macros.h"
#include "tools/report_html/html.h"
#include "tools/report_html/report_files.h"
#include "tools/report_html/report_parts.h"
#include "tools/web_parts/web_parts.h"

/* Flush when the buffer has this size; every part is much smaller. */
#define PIECE ((size_t)1 << 20)
#define PIECE_MAX ((size_t)64 << 20)

/* Small pages can have larger pictures. */
#define SCREENS_FEW 150
#define WIDTH_LARGE 360
#define WIDTH_SMALL 240

struct sink {
    struct buf html;
    struct file file;
};

static bool flush(struct sink *sink, size_t least, struct err *err)
{
    bool done;

    if (sink->html.overflow)
        return err_set(err, ERR_LIMIT, "a part of the page is too large");
    if (sink->html.length < least)
        return true;
    done = file_write(sink->file.fd, buf_cstr(&sink->html), sink->html.length,
                      err);
    buf_clear(&sink->html);
    return done;
}

/* ---- the top ---- */

/* The shared parts come first: the page's own rules override theirs. */
static void write_style(struct buf *style)
{
    static const char *const parts[] = {"theme.css", "film_strip.css"};
    const struct embedded_file *own =
        embedded_get(&report_files, "report/page.css");

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        const struct embedded_file *part =
            embedded_get(&web_part_files, parts[i]);

        buf_append(style, part->text, part->length);
    }
    buf_append(style, own->text, own->length);
}

static void write_script(struct buf *script)
{
    web_parts_inline_script(script, embedded_get(&web_part_files, "dom.js"));
    web_parts_inline_script(script,
                            embedded_get(&web_part_files, "film_strip.js"));
    web_parts_inline_script(script,
                            embedded_get(&report_files, "report/page.js"));
}

static void policy(struct buf *html, const struct buf *style)
{
    struct buf script = BUF_INIT(SIZE_MAX);

    write_script(&script);
    buf_text(html, "<meta http-equiv=\"Content-Security-Policy\" "
                   "content=\"default-src 'none'; img-src data:; style-src ");
    html_source_hash(html, style->data, style->length);
    buf_text(html, "; script-src ");
    html_source_hash(html, script.data, script.length);
    buf_text(html, "; base-uri 'none'; form-action 'none'\">\n");
    buf_release(&script);
}

static void head(struct buf *html, const struct report *report)
{
    struct buf style = BUF_INIT(SIZE_MAX);

    write_style(&style);
    buf_text(html, "<!doctype html>\n<html lang=\"en\">\n<head>\n"
                   "<meta charset=\"utf-8\">\n");
    policy(html, &style);
    buf_text(html, "<meta name=\"viewport\" content=\"width=device-width, "
                   "initial-scale=1\">\n<meta name=\"color-scheme\" "
                   "content=\"light dark\">\n<meta name=\"referrer\" "
                   "content=\"no-referrer\">\n<title>");
    for (size_t i = 0; i < report->row_count && i < 4; i++) {
        if (i)
            buf_text(html, ", ");
        html_text(html, report->rows[i].label);
    }
    buf_text(html, " – proctor report</title>\n<style>");
    buf_append(html, style.data, style.length);
    buf_text(html, "</style>\n</head>\n<body>\n");
    buf_release(&style);
}

static void day(struct buf *html, int64_t milliseconds)
{
    time_t seconds = (time_t)(milliseconds / 1000);
    struct tm parts;

    if (milliseconds <= 0 || !gmtime_r(&seconds, &parts))
        return;
    buf_printf(html, "<span>%04d-%02d-%02d %02d:%02d UTC</span>",
               parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
               parts.tm_hour, parts.tm_min);
}

/* One line for each run: its name, suite, date and judge. */
static void run_line(struct buf *html, const struct judged_run *run)
{
    buf_text(html, "<li><b>");
    html_text(html, run->id ? run->id : run->folder);
    buf_text(html, "</b>");
    if (run->suite) {
        const char *name = strrchr(run->suite, '/');

        buf_text(html, "<span>suite ");
        html_text(html, name ? name + 1 : run->suite);
        buf_text(html, "</span>");
    }
    day(html, run->created_ms);
    if (run->judge_count) {
        buf_text(html, "<span>judged by ");
        html_text(html, run->judges[0].name);
        buf_printf(html, " <code>%s</code></span>", run->judges[0].hash);
    } else {
        buf_text(html, "<span>not judged yet</span>");
    }
    if (run->finished < run->planned)
        buf_printf(html, "<span>%zu of %zu episodes are finished</span>",
                   run->finished, run->planned);
    buf_text(html, "</li>");
}

/* A number and its % stay on one line. */
static void keep_percents(struct buf *headline)
{
    struct buf kept = BUF_INIT(SIZE_MAX);
    const char *text = buf_cstr(headline), *at;

    for (; (at = strstr(text, " %")) != NULL; text = at + 1) {
        buf_append(&kept, text, (size_t)(at - text));
        buf_text(&kept, "\xc2\xa0");
    }
    buf_text(&kept, text);
    buf_release(headline);
    *headline = kept;
}

static void top(struct buf *html, const struct report *report)
{
    struct buf headline = BUF_INIT(SIZE_MAX);

    report_headline(report, &headline);
    keep_percents(&headline);
    buf_text(html, "<a class=\"skip\" href=\"#episodes\">To the episodes</a>"
                   "<header class=\"top\"><p class=\"name\">proctor report</p>"
                   "<h1>");
    html_text(html, buf_cstr(&headline));
    buf_text(html, "</h1><ul class=\"runs\">");
    for (size_t i = 0; i < report->judged->run_count; i++)
        run_line(html, &report->judged->runs[i]);
    buf_text(html, "</ul>");
    if (report_has(report, true))
        buf_text(html, "<p class=\"notice\">Figures of the built-in phone "
                       "measure judges and harnesses. They are no figures of "
                       "real phones, and never counted together with "
                       "them.</p>");
    buf_text(html, "</header>\n");
    buf_release(&headline);
}

/* ---- the scores ---- */

static void legend(struct buf *html, const struct tally *tally)
{
    buf_text(html, "<ul class=\"legend\">");
    for (int i = 0; i < OUTCOMES; i++) {
        const char *name = outcome_name((enum outcome)i);

        if (tally->outcomes[i])
            buf_printf(html, "<li class=\"o-%s\">%zu %s</li>", name,
                       tally->outcomes[i], name);
    }
    buf_text(html, "</ul>");
}

static void score(struct buf *html, const struct report_row *row)
{
    const struct tally *tally = &row->tally;
    double success = 100 * tally_success(tally);

    buf_text(html, "<article class=\"score\"><h2>");
    html_text(html, row->label);
    buf_printf(html, "</h2><p class=\"sort\">%s</p>",
               row->builtin ? "Built-in phone" : "Real phones");
    if (isnan(success))
        buf_text(html, "<p class=\"big\">–</p><p class=\"range\">nothing "
                       "scored</p>");
    else
        buf_printf(html,
                   "<p class=\"big\">%.1f<small> %%</small></p>"
                   "<p class=\"range\">95 %%: %.1f–%.1f</p>",
                   success, 100 * row->success.low, 100 * row->success.high);
    report_chart_outcomes(html, tally);
    legend(html, tally);
    buf_text(html, "</article>\n");
}

static void scores(struct buf *html, const struct report *report)
{
    buf_text(html, "<div class=\"scores\">");
    for (size_t i = 0; i < report->row_count; i++)
        score(html, &report->rows[i]);
    buf_text(html, "</div>\n");
}

/* ---- the list of episodes ---- */

static void filters(struct buf *html, const struct report *report)
{
    size_t outcomes[OUTCOMES] = {0};

    for (size_t i = 0; i < report->judged->count; i++)
        outcomes[report->judged->entries[i].verdict.outcome]++;
    buf_text(html,
             "<div class=\"filters\" role=\"search\"><label class=\"find\">"
             "<span>Find</span><input id=\"find\" type=\"search\" "
             "placeholder=\"task, agent, reason\" autocomplete=\"off\" "
             "spellcheck=\"false\"></label><div class=\"chips\" "
             "role=\"group\" aria-label=\"Outcomes\">");
    for (int i = 0; i < OUTCOMES; i++) {
        const char *name = outcome_name((enum outcome)i);

        if (outcomes[i])
            buf_printf(html,
                       "<button type=\"button\" class=\"chip o-%s\" "
                       "data-o=\"%s\" aria-pressed=\"false\">%s "
                       "<b>%zu</b></button>",
                       name, name, name, outcomes[i]);
    }
    buf_text(html, "</div>");
    if (report->row_count > 1) {
        buf_text(html, "<label class=\"pickrow\"><span>Agent</span>"
                       "<select id=\"agent\"><option value=\"\">all"
                       "</option>");
        for (size_t i = 0; i < report->row_count; i++) {
            buf_printf(html, "<option value=\"%zu\">", i);
            html_text(html, report->rows[i].label);
            buf_text(html, report->rows[i].builtin ? " (built-in)</option>"
                                                   : "</option>");
        }
        buf_text(html, "</select></label>");
    }
    buf_text(html, "<output id=\"count\" aria-live=\"polite\"></output>"
                   "</div>\n");
}

static void pictures_note(struct buf *html,
                          const struct report_episodes *episode_list)
{
    size_t all = episode_list->report->judged->count;

    if (episode_list->shown == all)
        return;
    if (!episode_list->thumbnails.count) {
        buf_text(html, "<p class=\"note\">This page holds no screens.</p>");
        return;
    }
    buf_printf(html,
               "<p class=\"note\">To stay small, this page holds %zu screens "
               "of %zu of the %zu episodes: those that did not succeed come "
               "first. <code>--pictures all</code> holds every one.</p>",
               episode_list->thumbnails.count, episode_list->shown, all);
}

static bool episodes(struct sink *sink,
                     const struct report_episodes *episode_list,
                     struct err *err)
{
    size_t count = episode_list->report->judged->count;

    buf_text(&sink->html, "<section id=\"episodes\"><h2>Episodes</h2>");
    filters(&sink->html, episode_list->report);
    pictures_note(&sink->html, episode_list);
    buf_text(&sink->html,
             "<noscript><p class=\"note\">Film strips and filters need "
             "JavaScript; the tables do not.</p></noscript>"
             "<p class=\"keys note\">Keys: <kbd>j</kbd> <kbd>k</kbd> next and "
             "previous, <kbd>Enter</kbd> open, <kbd>/</kbd> find, "
             "<kbd>Esc</kbd> clear.</p>\n<div id=\"list\">\n");
    for (size_t i = 0; i < count; i++) {
        report_episode(&sink->html, episode_list, i);
        if (!flush(sink, PIECE, err))
            return false;
    }
    buf_text(&sink->html, "</div><p id=\"nothing\" class=\"note\" hidden>No "
                          "episode matches.</p></section>\n");
    return true;
}

/*
 * Data that the script shows on demand comes last: the page does not wait for
 * it.
 */
static bool data(struct sink *sink, const struct report_episodes *episode_list,
                 struct err *err)
{
    for (size_t i = 0; i < episode_list->report->judged->count; i++) {
        report_episode_data(&sink->html, episode_list, i);
        if (!flush(sink, PIECE, err))
            return false;
    }
    for (size_t i = 0; i < episode_list->thumbnails.count; i++) {
        const struct buf *jpeg = &episode_list->thumbnails.items[i].jpeg;

        if (!jpeg->length)
            continue;
        buf_printf(&sink->html, "<script type=\"text/plain\" id=\"p%zu\">", i);
        html_base64(&sink->html, jpeg->data, jpeg->length);
        buf_text(&sink->html, "</script>\n");
        if (!flush(sink, PIECE, err))
            return false;
    }
    return true;
}

static void end(struct buf *html)
{
    buf_text(html, "<script type=\"module\">");
    write_script(html);
    buf_text(html, "</script>\n</body>\n</html>\n");
}

/* Links to the sections of the page. */
static void ways(struct buf *html, const struct report_tables *sheets)
{
    buf_text(html, "<nav aria-label=\"On this page\">");
    for (size_t i = 0; i < sheets->count; i++)
        buf_printf(html, "<a href=\"#%s\">%s</a>", sheets->items[i].id,
                   sheets->items[i].title);
    buf_text(html, "<a href=\"#episodes\">Episodes</a></nav>\n");
}

static void sections(struct buf *html, const struct report_tables *sheets)
{
    buf_text(html, "<div class=\"tables\">\n");
    for (size_t i = 0; i < sheets->count; i++)
        report_table(html, &sheets->items[i]);
    buf_text(html, "</div>\n");
}

static bool write(struct sink *sink, const struct report *report,
                  const struct report_tables *sheets,
                  const struct report_episodes *episode_list, struct err *err)
{
    struct buf *html = &sink->html;

    head(html, report);
    top(html, report);
    buf_text(html, "<main>\n");
    scores(html, report);
    ways(html, sheets);
    sections(html, sheets);
    if (!episodes(sink, episode_list, err))
        return false;
    buf_printf(html,
               "</main>\n<footer><p>Written by proctor %s. This page is "
               "one file with its pictures, and loads nothing from the "
               "network.</p></footer>\n",
               PROCTOR_VERSION);
    if (!data(sink, episode_list, err))
        return false;
    end(html);
    return flush(sink, 0, err);
}

bool report_page_save(const struct report *report,
                      const struct report_tables *sheets,
                      enum report_pictures pictures, const char *path,
                      const struct cancel *cancel, struct err *err)
{
    struct sink sink = {.html = BUF_INIT(PIECE_MAX), .file = FILE_INIT};
    struct report_episodes episode_list;
    bool done;

    if (!file_begin(&sink.file, path, 0666, err))
        return false;
    report_episodes_init(&episode_list, report,
                         pictures == REPORT_PICTURES_NONE ? 0
                         : pictures == REPORT_PICTURES_ALL
                             ? SIZE_MAX
                             : REPORT_PICTURES_MAX);
    thumbnails_make(&episode_list.thumbnails,
                    episode_list.thumbnails.count <= SCREENS_FEW ? WIDTH_LARGE
                                                                 : WIDTH_SMALL,
                    cancel);
    done = cancel_fired(cancel)
               ? err_set(err, ERR_CANCELLED, "interrupted")
               : write(&sink, report, sheets, &episode_list, err);
    if (done)
        done = file_commit(&sink.file, err);
    else
        file_abandon(&sink.file);
    report_episodes_release(&episode_list);
    buf_release(&sink.html);
    return done;
}
