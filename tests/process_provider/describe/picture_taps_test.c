/*
 * Taps on real screens with a picture and without a tree, labelled by hand: how
 * often is the description right? Prints the description of each miss, and the
 * score of each kind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/picture/picture_file.h"
#include "process_provider/describe/describe.h"
#include "tests/process_provider/describe/tap_labels.h"

#define NO_FIXTURES 77
#define FIELDS 8
#define TABLE_MAX ((size_t)1 << 20)

enum kind { KIND_WORDS, KIND_ICON, KIND_EMPTY, KINDS };

static const char *const kinds[KINDS] = {
    [KIND_WORDS] = "words",
    [KIND_ICON] = "icon",
    [KIND_EMPTY] = "empty",
};

/* Minimum number of right descriptions of each kind, to detect regressions. */
static const double goals[KINDS] = {
    [KIND_WORDS] = 0.8,
    [KIND_ICON] = 0.33,
    [KIND_EMPTY] = 1,
};

struct score {
    unsigned taps;
    unsigned right;
};

struct screen {
    struct picture_access access;
    struct picture picture;
    char path[1024]; /* of what picture is */
};

static const struct picture *picture_of(void *screen)
{
    return &((struct screen *)screen)->picture;
}

static bool load(struct screen *screen, const char *file, struct err *err)
{
    char path[1024];

    snprintf(path, sizeof(path), "%s/%s", TEST_FIXTURES, file);
    if (!strcmp(path, screen->path))
        return true;
    memcpy(screen->path, path, sizeof(path));
    return picture_file_load(path, &screen->picture, err);
}

static bool score_line(struct screen *screen, char *line,
                       struct score scores[KINDS], struct err *err)
{
    const struct scene scene = {
        .picture = picture_of, .from = screen, .access = &screen->access};
    struct description description;
    char *fields[FIELDS];
    size_t kind = 0;

    for (size_t i = 0; i < FIELDS; i++) {
        fields[i] = strsep(&line, "\t");
        if (!fields[i])
            return err_set(err, ERR_INVALID, "a row has too few fields");
    }
    while (kind < KINDS && strcmp(kinds[kind], fields[6]) != 0)
        kind++;
    if (kind == KINDS)
        return err_set(err, ERR_INVALID, "no kind is called %s", fields[6]);
    if (!load(screen, fields[1], err))
        return false;
    describe_tap(&scene, (int)strtol(fields[2], NULL, 10),
                 (int)strtol(fields[3], NULL, 10), &description);
    scores[kind].taps++;
    if (label_holds(fields[4], fields[5], description.text))
        scores[kind].right++;
    else
        printf("missed: %s of %s %s,%s in %s\n  must say \"%s\" but not "
               "\"%s\"\n  says \"%s\"\n",
               kinds[kind], fields[0], fields[2], fields[3], fields[1],
               fields[4], fields[5], description.text);
    return true;
}

static bool score_table(char *table, struct score scores[KINDS],
                        struct err *err)
{
    struct picture_reader *reader = picture_reader_open();
    struct screen screen = {
        .picture = PICTURE_INIT,
        .access = {.reader = reader, .by = DEADLINE_NEVER},
    };
    char *line;
    bool done = true;

    while (done && (line = strsep(&table, "\n")))
        done = !*line || *line == '#' || score_line(&screen, line, scores, err);
    picture_release(&screen.picture);
    picture_reader_close(reader);
    return done;
}

static bool print_scores(const struct score scores[KINDS])
{
    bool reached = true;

    for (size_t kind = 0; kind < KINDS; kind++) {
        double share = scores[kind].taps
                           ? (double)scores[kind].right / scores[kind].taps
                           : 0;

        printf("%s: %u taps, %.1f %% right\n", kinds[kind], scores[kind].taps,
               100 * share);
        reached = reached && share >= goals[kind];
    }
    return reached;
}

int main(void)
{
    struct buf table = BUF_INIT(TABLE_MAX);
    struct score scores[KINDS] = {{.taps = 0}};
    struct err err;
    bool done;

    if (access(TEST_FIXTURES "/index.tsv", R_OK)) {
        puts("skipped: there are no fixtures");
        return NO_FIXTURES;
    }
    done = file_load(TEST_TABLES "/picture_taps.tsv", &table, &err) &&
           score_table(table.data, scores, &err);
    buf_release(&table);
    if (!done) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return print_scores(scores) ? 0 : 1;
}
