#include "judge/model/prompt_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"
#include "judge/model/prompt_quote.h"

/* All texts of an episode that a prompt may quote, in this order. */
struct quoted {
    const char **texts; /* owned; the texts are not */
    size_t count;       /* goal, answer, and the steps */
    struct prompt_quote_mark mark;
};

static const char *goal_of(const struct episode_evidence *evidence)
{
    const char *given = evidence->trajectory.head.instruction;
    const char *asked = bilingual_text_in(&evidence->task.instruction,
                                          evidence->trajectory.head.locale);

    return given ? given : asked ? asked : "";
}

static void quoted_init(struct quoted *quoted,
                        const struct episode_evidence *evidence)
{
    quoted->count = evidence->count + 2;
    quoted->texts = mem_new(quoted->count, sizeof(*quoted->texts));
    quoted->texts[0] = goal_of(evidence);
    quoted->texts[1] = episode_evidence_answer(evidence);
    for (size_t i = 0; i < evidence->count; i++)
        quoted->texts[i + 2] = evidence->steps[i].description;
    quoted->mark = prompt_quote_mark(quoted->texts, quoted->count);
}

enum prompt_place { PLACE_GOAL, PLACE_ANSWER, PLACE_PROCESS };

static const struct {
    const char *name;
    enum prompt_place place;
} places[] = {
    {"{goal}", PLACE_GOAL},       {"<goal>", PLACE_GOAL},
    {"{process}", PLACE_PROCESS}, {"<process>", PLACE_PROCESS},
    {"{answer}", PLACE_ANSWER},
};

static void fill(enum prompt_place place, const struct quoted *quoted,
                 struct buf *out)
{
    switch (place) {
    case PLACE_GOAL:
        prompt_quote_block(out, &quoted->mark, quoted->texts, 1, false);
        return;
    case PLACE_ANSWER:
        prompt_quote_block(out, &quoted->mark, quoted->texts + 1, 1, false);
        return;
    case PLACE_PROCESS:
        prompt_quote_block(out, &quoted->mark, quoted->texts + 2,
                           quoted->count - 2, true);
        return;
    }
}

/* The length of the placeholder that text begins with; 0: none. */
static size_t place_at(const char *text, enum prompt_place *place)
{
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        if (!strncmp(text, places[i].name, strlen(places[i].name))) {
            *place = places[i].place;
            return strlen(places[i].name);
        }
    }
    return 0;
}

void prompt_text_fill(const char *text, const struct episode_evidence *evidence,
                      struct buf *out)
{
    struct quoted quoted;

    quoted_init(&quoted, evidence);
    while (*text) {
        enum prompt_place place = PLACE_GOAL;
        size_t length = place_at(text, &place);

        if (length)
            fill(place, &quoted, out);
        else
            buf_byte(out, *text);
        text += length ? length : 1;
    }
    free(quoted.texts);
}
