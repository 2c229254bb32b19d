/*
 * Steps of recorded runs, labelled by hand: how often is the offline summarizer
 * right? Prints the description of each miss, and the scores.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/picture/picture_file.h"
#include "process_provider/summarize/summarize_offline.h"
#include "tests/process_provider/describe/droidbot.h"
#include "tests/process_provider/describe/tap_labels.h"

#define NO_FIXTURES 77
#define FIELDS 8
#define TABLE_MAX ((size_t)1 << 20)
#define FILE_MAX_BYTES ((size_t)64 << 20)
#define GOAL 0.95

/* The file layout of a recorded run. */
static const struct form {
    const char *name;
    const char *tree; /* NULL: it has none */
    const char *picture;
} forms[] = {
    {"dumps", "%s.xml", "%s.png"},
    {"mobilegpt", "xmls/%s.xml", "screenshots/%s.jpg"},
    {"droidbot", "states/state_%s.json", "states/screen_%s.png"},
    {"pictures", NULL, "%s.png"},
};

struct step {
    const struct form *form;
    const char *folder;
    const char *names[2]; /* before, after */
    struct action action;
    const char *must;
    const char *must_not;
};

struct screen {
    struct tree tree;
    struct picture picture;
};

/* ---- reading the table ---- */

/* "click 12 34", "type hello", "swipe down", "back". */
static bool read_action(char *words, struct action *action)
{
    char *name = strsep(&words, " ");

    *action = (struct action){.has_from = false};
    if (!action_kind_find(name, &action->kind))
        return false;
    if (action->kind == ACTION_CLICK && words) {
        action->has_from = true;
        action->from.x = (int)strtol(words, &words, 10);
        action->from.y = (int)strtol(words, &words, 10);
    } else if (action->kind == ACTION_TYPE && words) {
        action->text = words;
    } else if (words && !action_direction_find(words, &action->direction)) {
        return false;
    }
    return true;
}

static bool read_step(char *line, struct step *step)
{
    char *fields[FIELDS];

    for (size_t i = 0; i < FIELDS; i++) {
        fields[i] = strsep(&line, "\t");
        if (!fields[i])
            return false;
    }
    *step = (struct step){.folder = fields[1],
                          .names = {fields[2], fields[3]},
                          .must = fields[5],
                          .must_not = fields[6]};
    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        if (!strcmp(forms[i].name, fields[0]))
            step->form = &forms[i];
    }
    return step->form && read_action(fields[4], &step->action);
}

/* ---- screens ---- */

/* The file of a screen; pattern has one %s. */
static void path_of(const struct step *step, const char *pattern, size_t which,
                    char path[1024])
{
    const char *at = strstr(pattern, "%s");

    snprintf(path, 1024, "%s/%s/%.*s%s%s", TEST_FIXTURES, step->folder,
             (int)(at - pattern), pattern, step->names[which], at + 2);
}

static bool load_tree(const struct step *step, size_t which, struct tree *tree,
                      struct err *err)
{
    char path[1024];

    path_of(step, step->form->tree, which, path);
    return droidbot_or_dump_load(tree, path, err);
}

static bool load_screen(const struct step *step, size_t which,
                        struct screen *screen, struct err *err)
{
    struct buf bytes = BUF_INIT(FILE_MAX_BYTES);
    char path[1024];
    bool done;

    path_of(step, step->form->picture, which, path);
    done = file_load(path, &bytes, err) &&
           picture_file_decode(bytes.data, bytes.length, &screen->picture, err);
    buf_release(&bytes);
    return done &&
           (!step->form->tree || load_tree(step, which, &screen->tree, err));
}

/* ---- scoring ---- */

struct score {
    unsigned steps;
    unsigned right;
};

static const struct picture *picture_of(void *from)
{
    const struct screen *screen = from;

    return &screen->picture;
}

static const struct screendiff *diff_of(void *diff)
{
    return diff;
}

static void score_step(const struct step *step, struct screen screens[2],
                       const struct picture_access *access, struct score *score)
{
    const struct screendiff_options options = {.tolerance =
                                                   SUMMARIZE_TOLERANCE};
    struct screendiff diff;
    const struct summarize_view view = {
        .action = &step->action,
        .before = {.tree = step->form->tree ? &screens[0].tree : NULL,
                   .picture = picture_of,
                   .from = &screens[0],
                   .access = access},
        .after = step->form->tree ? &screens[1].tree : NULL,
        .pixels = diff_of,
        .from = &diff,
    };
    struct description description;

    screendiff_find(&diff, &screens[0].picture, &screens[1].picture, &options);
    summarize_offline(&view, &description);
    score->steps++;
    if (label_holds(step->must, step->must_not, description.line)) {
        score->right++;
        if (getenv("PROCTOR_FULL"))
            printf("%s: %s\n", step->names[0], description.line);
        return;
    }
    printf("missed: %s, %s to %s\n  must say \"%s\" but not \"%s\"\n"
           "  says \"%s\"\n",
           step->folder, step->names[0], step->names[1], step->must,
           step->must_not, description.line);
}

/* [0]: with trees, [1]: from pictures alone. */
static bool score_table(char *table, struct score scores[2])
{
    struct screen screens[2] = {{TREE_INIT, PICTURE_INIT},
                                {TREE_INIT, PICTURE_INIT}};
    struct picture_reader *reader = picture_reader_open();
    const struct picture_access access = {.reader = reader,
                                          .by = DEADLINE_NEVER};
    struct err err = ERR_INIT;
    bool done = true;
    char *line;

    while (done && (line = strsep(&table, "\n"))) {
        struct step step;

        if (!*line || *line == '#')
            continue;
        done = read_step(line, &step) &&
               load_screen(&step, 0, &screens[0], &err) &&
               load_screen(&step, 1, &screens[1], &err);
        if (done)
            score_step(&step, screens, &access, &scores[!step.form->tree]);
        else
            fprintf(stderr, "%s: %s\n", line, err.text);
    }
    for (size_t i = 0; i < 2; i++) {
        tree_release(&screens[i].tree);
        picture_release(&screens[i].picture);
    }
    picture_reader_close(reader);
    return done;
}

static bool print_score(const char *table, const char *name,
                        const struct score *score)
{
    double steps = score->steps ? score->steps : 1;

    printf("%s, %s: %u steps, %.1f %% right\n", table, name, score->steps,
           100 * score->right / steps);
    return score->right >= GOAL * score->steps;
}

/* Totals: [0] with trees, [1] from pictures alone. */
static bool print_scores(const char *name, const struct score scores[2])
{
    bool reached = print_score(name, "with trees", &scores[0]);

    return print_score(name, "from pictures alone", &scores[1]) && reached;
}

static bool score_file(const char *name, struct score all[2])
{
    struct score scores[2] = {{.steps = 0}};
    struct buf table = BUF_INIT(TABLE_MAX);
    char path[1024];
    struct err err;
    bool done;

    snprintf(path, sizeof(path), "%s/%s", TEST_TABLES, name);
    if (!file_load(path, &table, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    done = score_table(table.data, scores);
    (void)print_scores(name, scores);
    for (size_t i = 0; i < 2; i++) {
        all[i].steps += scores[i].steps;
        all[i].right += scores[i].right;
    }
    buf_release(&table);
    return done;
}

int main(void)
{
    struct score all[2] = {{.steps = 0}};

    if (access(TEST_FIXTURES "/index.tsv", R_OK)) {
        puts("skipped: there are no fixtures");
        return NO_FIXTURES;
    }
    if (!score_file("steps.tsv", all) || !score_file("steps_blind.tsv", all))
        return 1;
    return print_scores("all", all) ? 0 : 1;
}
