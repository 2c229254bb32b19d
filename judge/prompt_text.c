#include "judge/prompt_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"
#include "judge/quote.h"

/* All texts of an episode that a question may quote, in this order. */
struct quoted {
    const char **texts; /* owned; the texts are not */
    size_t count;       /* goal, answer, and the steps */
    struct quote_mark mark;
};

static const char *goal_of(const struct dossier *dossier)
{
    const char *told = dossier->trajectory.head.instruction;
    const char *asked = phrasing_in(&dossier->task.instruction,
                                    dossier->trajectory.head.locale);

    return told ? told : asked ? asked : "";
}

static void quoted_init(struct quoted *quoted, const struct dossier *dossier)
{
    quoted->count = dossier->count + 2;
    quoted->texts = mem_new(quoted->count, sizeof(*quoted->texts));
    quoted->texts[0] = goal_of(dossier);
    quoted->texts[1] = dossier_answer(dossier);
    for (size_t i = 0; i < dossier->count; i++)
        quoted->texts[i + 2] = dossier->steps[i].words;
    quoted->mark = quote_mark(quoted->texts, quoted->count);
}

enum place { PLACE_GOAL, PLACE_ANSWER, PLACE_PROCESS };

static const struct {
    const char *name;
    enum place place;
} places[] = {
    {"{goal}", PLACE_GOAL},       {"<goal>", PLACE_GOAL},
    {"{process}", PLACE_PROCESS}, {"<process>", PLACE_PROCESS},
    {"{answer}", PLACE_ANSWER},
};

static void fill(enum place place, const struct quoted *quoted, struct buf *out)
{
    switch (place) {
    case PLACE_GOAL:
        quote_block(out, &quoted->mark, quoted->texts, 1, false);
        return;
    case PLACE_ANSWER:
        quote_block(out, &quoted->mark, quoted->texts + 1, 1, false);
        return;
    case PLACE_PROCESS:
        quote_block(out, &quoted->mark, quoted->texts + 2, quoted->count - 2,
                    true);
        return;
    }
}

/* The name of the place that text begins with; its length, or 0. */
static size_t place_at(const char *text, enum place *place)
{
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        if (!strncmp(text, places[i].name, strlen(places[i].name))) {
            *place = places[i].place;
            return strlen(places[i].name);
        }
    }
    return 0;
}

void prompt_text_fill(const char *text, const struct dossier *dossier,
                      struct buf *out)
{
    struct quoted quoted;

    quoted_init(&quoted, dossier);
    while (*text) {
        enum place place = PLACE_GOAL;
        size_t length = place_at(text, &place);

        if (length)
            fill(place, &quoted, out);
        else
            buf_byte(out, *text);
        text += length ? length : 1;
    }
    free(quoted.texts);
}
