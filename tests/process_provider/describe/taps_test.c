/*
 * Taps on real screens, labelled by hand: how often is the converter's
 * description right? Prints the description of each miss, and the score of the
 * default beside that of the tree alone and of the paper's algorithm.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "process_provider/describe/describe.h"
#include "tests/process_provider/describe/droidbot.h"
#include "tests/process_provider/describe/screen_files.h"
#include "tests/process_provider/describe/tap_labels.h"

#define NO_FIXTURES 77
#define FIELDS 8
#define TABLE_MAX ((size_t)1 << 20)
#define GOAL 0.95

/* The source of a label, as in the table. */
enum source {
    SOURCE_PICTURE,
    SOURCE_ABSENT,   /* the same, but the dump does not contain the element */
    SOURCE_TREE,     /* of the dump, where there is no picture */
    SOURCE_UNSYNCED, /* the picture is from another moment */
    SOURCES,
};

static const char *const sources[SOURCES] = {
    [SOURCE_PICTURE] = "picture",
    [SOURCE_ABSENT] = "absent",
    [SOURCE_TREE] = "tree",
    [SOURCE_UNSYNCED] = "unsynced",
};

struct tap {
    const char *app;
    const char *file;
    int x;
    int y;
    char *must;
    char *must_not;
    enum source source;
};

struct score {
    unsigned taps;
    unsigned right;
    unsigned tree_right; /* without the picture */
    unsigned plain_right;
};

static bool read_tap(char *line, struct tap *tap)
{
    char *fields[FIELDS];

    for (size_t i = 0; i < FIELDS; i++) {
        fields[i] = strsep(&line, "\t");
        if (!fields[i])
            return false;
    }
    *tap = (struct tap){
        .app = fields[0],
        .file = fields[1],
        .x = (int)strtol(fields[2], NULL, 10),
        .y = (int)strtol(fields[3], NULL, 10),
        .must = fields[4],
        .must_not = fields[5],
    };
    while (tap->source < SOURCES && strcmp(sources[tap->source], fields[6]))
        tap->source++;
    return tap->source < SOURCES;
}

/* One screen, in memory that all use. */
struct screen {
    struct picture_access access;
    struct tree tree;
    struct picture picture;
    const char *path;
};

static const struct picture *load_picture(void *from)
{
    struct screen *screen = from;

    return screen_load_beside(screen->path, &screen->picture) ? &screen->picture
                                                              : NULL;
}

static bool score_tap(struct screen *screen, const struct tap *tap,
                      struct score *score)
{
    struct scene scene = {.tree = &screen->tree, .access = &screen->access};
    struct description description;
    char plain[DESCRIPTION_MAX];
    char path[1024];
    struct err err;

    snprintf(path, sizeof(path), "%s/%s", TEST_FIXTURES, tap->file);
    if (!droidbot_or_dump_load(&screen->tree, path, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    score->taps++;
    describe_plain(&screen->tree, tap->x, tap->y, plain);
    score->plain_right += label_holds(tap->must, tap->must_not, plain);
    describe_tap(&scene, tap->x, tap->y, &description);
    score->tree_right +=
        label_holds(tap->must, tap->must_not, description.text);
    screen->path = path;
    scene.picture = load_picture;
    scene.from = screen;
    describe_tap(&scene, tap->x, tap->y, &description);
    score->right += label_holds(tap->must, tap->must_not, description.text);
    if (!label_holds(tap->must, tap->must_not, description.text) &&
        tap->source != SOURCE_UNSYNCED)
        printf("missed: %s %d,%d in %s\n  must say \"%s\" but not \"%s\"\n"
               "  says \"%s\"\n",
               tap->app, tap->x, tap->y, tap->file, tap->must, tap->must_not,
               description.text);
    return true;
}

static bool print_score(const char *name, const struct score *score)
{
    double taps = score->taps ? score->taps : 1;

    printf("%s: %u taps, default %.1f %% right, tree alone %.1f %%, "
           "plain %.1f %%\n",
           name, score->taps, 100 * score->right / taps,
           100 * score->tree_right / taps, 100 * score->plain_right / taps);
    return score->right >= GOAL * score->taps;
}

static void add_score(struct score *sum, const struct score *score)
{
    sum->taps += score->taps;
    sum->right += score->right;
    sum->tree_right += score->tree_right;
    sum->plain_right += score->plain_right;
}

static bool print_scores(const char *name, const struct score scores[SOURCES])
{
    struct score all = {.taps = 0};
    bool reached;

    printf("%s\n", name);
    add_score(&all, &scores[SOURCE_PICTURE]);
    add_score(&all, &scores[SOURCE_ABSENT]);
    reached = print_score("  labelled from pictures", &all);
    (void)print_score("  of these, where the dump holds the target",
                      &scores[SOURCE_PICTURE]);
    if (!scores[SOURCE_TREE].taps)
        return reached;
    return print_score("  labelled from dumps", &scores[SOURCE_TREE]) &&
           reached;
}

static bool score_table(char *table, struct score scores[SOURCES])
{
    struct picture_reader *reader = picture_reader_open();
    struct screen screen = {
        .tree = TREE_INIT,
        .picture = PICTURE_INIT,
        .access = {.reader = reader, .by = DEADLINE_NEVER},
    };
    char *line;
    bool done = true;

    while (done && (line = strsep(&table, "\n"))) {
        struct tap tap;

        if (*line && *line != '#')
            done = read_tap(line, &tap) &&
                   score_tap(&screen, &tap, &scores[tap.source]);
    }
    tree_release(&screen.tree);
    picture_release(&screen.picture);
    picture_reader_close(reader);
    return done;
}

static bool score_file(const char *name, struct score scores[SOURCES])
{
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
    buf_release(&table);
    return done;
}

int main(void)
{
    static const char *const tables[] = {"taps.tsv", "taps_blind.tsv"};
    struct score all[SOURCES] = {{.taps = 0}};

    if (access(TEST_FIXTURES "/index.tsv", R_OK)) {
        puts("skipped: there are no fixtures");
        return NO_FIXTURES;
    }
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        struct score scores[SOURCES] = {{.taps = 0}};

        if (!score_file(tables[i], scores))
            return 1;
        (void)print_scores(tables[i], scores);
        for (size_t source = 0; source < SOURCES; source++)
            add_score(&all[source], &scores[source]);
    }
    return print_scores("all", all) ? 0 : 1;
}
