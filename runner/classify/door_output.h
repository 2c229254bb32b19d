/*
 * Finds the screenshots and trees that are expected in what a command prints,
 * by their content: other text may stand before and behind them, and a terminal
 * may have put a CR before each LF.
 */
#ifndef RUNNER_CLASSIFY_DOOR_OUTPUT_H
#define RUNNER_CLASSIFY_DOOR_OUTPUT_H

#include "runner/classify/door_classifier.h"

#define DOOR_EXPECTED_MAX 16
#define DOOR_CAPTURE_MAX ((size_t)48 << 20)

struct door_expected {
    enum door_item_kind kind;
    enum door_format format;
    unsigned capture;
};

struct door_output {
    struct door_expected expected[DOOR_EXPECTED_MAX];
    size_t count;
    struct buf data; /* what came since the last one */
    size_t scanned;  /* so much of it was searched for its end */
    bool found;      /* data begins with the one that is expected */
};

void door_output_init(struct door_output *output);
void door_output_release(struct door_output *output);

/* One more is to come; beyond the maximum it is forgotten. */
void door_output_expect(struct door_output *output,
                        const struct door_item *item);

/* Bytes of the output. What is complete is added to captures. */
void door_output_add(struct door_output *output, const char *bytes,
                     size_t length, struct door_captures *captures);

/* The output has ended: what is there is all. */
void door_output_end(struct door_output *output,
                     struct door_captures *captures);

/* Add a capture; data becomes its own. */
void door_captures_add(struct door_captures *captures,
                       const struct door_expected *expected, struct buf *data);

#endif
