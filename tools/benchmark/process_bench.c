/*
 * What each step of an episode costs the process provider: trees against
 * libxml2 alone, whose SAX reader they are built on.
 */
#include <libxml/parser.h>
#include <stdio.h>

#include "base/macros.h"
#include "process_provider/describe/describe.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/benchmark/loads/dump_maker.h"

#define ROUNDS 21

enum size_id { SIZE_SMALL, SIZE_500, SIZE_LARGE, SIZES };

static const unsigned node_counts[SIZES] = {100, 500, 3000};

enum row_id {
    SAX_SMALL,
    TREE_SMALL,
    SAX_500,
    TREE_500,
    SAX_LARGE,
    TREE_LARGE,
    DESCRIBE,
    ROW_COUNT
};

struct bench {
    struct buf dumps[SIZES];
    struct tree trees[SIZES]; /* used again, as the provider does */
    struct tree ready;        /* of SIZE_500 */
    unsigned taps;
};

/* ---- what is measured: one operation each ---- */

static void count_element(void *context, const xmlChar *name,
                          const xmlChar *prefix, const xmlChar *uri,
                          int namespace_count, const xmlChar **namespaces,
                          int count, int defaulted, const xmlChar **attributes)
{
    unsigned *elements = context;

    (void)name;
    (void)prefix;
    (void)uri;
    (void)namespace_count;
    (void)namespaces;
    (void)count;
    (void)defaulted;
    (void)attributes;
    ++*elements;
}

/* Only libxml2: the lower limit. */
static bool read_bare(const struct buf *dump, struct err *err)
{
    xmlSAXHandler handler = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = count_element,
    };
    unsigned elements = 0;

    if (xmlSAXUserParseMemory(&handler, &elements, dump->data,
                              (int)dump->length) != 0 ||
        !elements)
        return err_set(err, ERR_INVALID, "libxml2 does not read the dump");
    return true;
}

static bool read_tree(struct bench *bench, enum size_id size, struct err *err)
{
    return tree_read(&bench->trees[size], bench->dumps[size].data,
                     bench->dumps[size].length, err);
}

static bool sax_small(struct bench *bench, struct err *err)
{
    return read_bare(&bench->dumps[SIZE_SMALL], err);
}

static bool sax_500(struct bench *bench, struct err *err)
{
    return read_bare(&bench->dumps[SIZE_500], err);
}

static bool sax_large(struct bench *bench, struct err *err)
{
    return read_bare(&bench->dumps[SIZE_LARGE], err);
}

static bool tree_small(struct bench *bench, struct err *err)
{
    return read_tree(bench, SIZE_SMALL, err);
}

static bool tree_500(struct bench *bench, struct err *err)
{
    return read_tree(bench, SIZE_500, err);
}

static bool tree_large(struct bench *bench, struct err *err)
{
    return read_tree(bench, SIZE_LARGE, err);
}

static bool describe(struct bench *bench, struct err *err)
{
    struct description description;
    int y = 200 + (int)(bench->taps++ * 37 % 2000);

    describe_tap(&(struct scene){.tree = &bench->ready}, 500, y, &description);
    return description.line[0] ||
           err_set(err, ERR_INVALID, "a tap was not described");
}

#define SAX "libxml2's SAX reader alone"
#define TREE "a tree, repaired and indexed"

static const struct measure measures[ROW_COUNT] = {
    [SAX_SMALL] = {"sax_100", SAX, sax_small, .repeats = 100,
                   .cpu_us = harness_own_cpu_us},
    [TREE_SMALL] = {"tree_100", TREE, tree_small, .repeats = 100,
                    .cpu_us = harness_own_cpu_us},
    [SAX_500] = {"sax_500", SAX, sax_500, .repeats = 20,
                 .cpu_us = harness_own_cpu_us},
    [TREE_500] = {"tree_500", TREE, tree_500, .repeats = 20,
                  .cpu_us = harness_own_cpu_us},
    [SAX_LARGE] = {"sax_3000", SAX, sax_large, .repeats = 5,
                   .cpu_us = harness_own_cpu_us},
    [TREE_LARGE] = {"tree_3000", TREE, tree_large, .repeats = 5,
                    .cpu_us = harness_own_cpu_us},
    [DESCRIBE] = {"describe", "a tap, described", describe, .repeats = 1000,
                  .cpu_us = harness_own_cpu_us},
};

static bool set_up(struct bench *bench, struct err *err)
{
    for (size_t i = 0; i < SIZES; i++) {
        bench->dumps[i] = (struct buf)BUF_INIT(TREE_SIZE_MAX);
        dump_make(&bench->dumps[i], node_counts[i]);
    }
    return tree_read(&bench->ready, bench->dumps[SIZE_500].data,
                     bench->dumps[SIZE_500].length, err);
}

static void tear_down(struct bench *bench)
{
    for (size_t i = 0; i < SIZES; i++) {
        buf_release(&bench->dumps[i]);
        tree_release(&bench->trees[i]);
    }
    tree_release(&bench->ready);
}

/* ---- results ---- */

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_row large[] = {rows[SAX_LARGE], rows[TREE_LARGE]};
    const struct bench_row middle[] = {rows[SAX_500], rows[TREE_500],
                                       rows[DESCRIBE]};
    const struct bench_row small[] = {rows[SAX_SMALL], rows[TREE_SMALL]};
    const struct bench_group groups[] = {
        {"a dump of 100 nodes", small, ARRAY_LEN(small), NULL},
        {"a dump of 500 nodes", middle, ARRAY_LEN(middle), NULL},
        {"a dump of 3000 nodes", large, ARRAY_LEN(large), NULL},
    };
    const struct goal goals[] = {
        {"CPU time of a tree of 100 nodes over SAX", &rows[TREE_SMALL],
         &rows[SAX_SMALL], true, GOAL_AT_MOST, 1.3, 0},
        {"CPU time of a tree of 500 nodes over SAX", &rows[TREE_500],
         &rows[SAX_500], true, GOAL_AT_MOST, 1.3, 0},
        {"CPU time of a tree of 3000 nodes over SAX", &rows[TREE_LARGE],
         &rows[SAX_LARGE], true, GOAL_AT_MOST, 1.3, 0},
        {"us of a tap, described", &rows[DESCRIBE], NULL, true, GOAL_AT_MOST,
         20, 0},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "process",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
