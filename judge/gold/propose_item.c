/* Needs that the items of the instruction were opened. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/regex.h"
#include "judge/evidence/screen_words.h"
#include "judge/gold/act_object.h"
#include "judge/gold/propose_draft.h"

#define WORD_BYTES_MIN 3

static size_t word_length(const char *text)
{
    size_t length = 0;

    while (isalnum((unsigned char)text[length]) ||
           (unsigned char)text[length] >= 0x80)
        length++;
    return length;
}

/* Are all words of a name in the instruction, in whatever order? */
static bool is_named(const char *instruction, const char *name)
{
    size_t words = 0;

    while (*name) {
        size_t length = word_length(name);
        char *word = mem_dup_n(name, length);
        bool found =
            !anchors_has_letters(word) || screen_words_has(instruction, word);

        free(word);
        if (!found)
            return false;
        words += length >= WORD_BYTES_MIN;
        name += length ? length : 1;
    }
    return words > 0;
}

static void add_item(const struct episode_evidence_step *step,
                     struct cJSON *needs)
{
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *need = json_add_object(needs, NULL);
    char *act = mem_dup_n(step->description, strcspn(step->description, ";"));
    struct cJSON *check;

    json_add_string(need, "say", act);
    check = json_add_object(need, "check");
    anchors_literal(step->what.label.name.text, &pattern);
    proposal_draft_add_pattern(check, "target", &pattern);
    buf_release(&pattern);
    free(act);
}

/* Was it searched for, or is it of a key step as well? */
static bool is_asked_already(const struct proposal_draft *draft, size_t step,
                             const char *name)
{
    const struct episode_evidence *gold = draft->gold;

    for (size_t i = 0; i < draft->key_steps.count; i++) {
        const struct episode_evidence_step *key =
            &gold->steps[draft->key_steps.items[i].step];

        if (key->has_control && !strcmp(key->what.label.name.text, name))
            return true;
    }
    for (size_t i = 0; i < step; i++) {
        const struct action *action = &gold->steps[i].step->action;

        if (action->kind == ACTION_TYPE && action->text &&
            screen_words_has(action->text, name))
            return true;
    }
    return false;
}

/* Does gold open another item before its next key step? */
static bool is_on_the_way(const struct proposal_draft *draft, size_t step)
{
    for (size_t i = step + 1; i < draft->gold->count; i++) {
        if (act_object_is_item(&draft->anchors, &draft->gold->steps[i]))
            return true;
        if (anchors_is_key_step(&draft->anchors, &draft->gold->steps[i]))
            break;
    }
    return false;
}

/* What was only a way to find another item can be found in other ways. */
static bool is_implied(const struct proposal_draft *draft, size_t step)
{
    const struct episode_evidence *gold = draft->gold;
    const char *name = gold->steps[step].what.label.name.text;

    return !anchors_is_key_step(&draft->anchors, &gold->steps[step]) &&
           act_object_is_item(&draft->anchors, &gold->steps[step]) &&
           is_named(gold->trajectory.head.instruction, name) &&
           !is_asked_already(draft, step, name) && !is_on_the_way(draft, step);
}

void proposal_draft_add_items(struct proposal_draft *draft)
{
    if (!draft->gold->trajectory.head.instruction)
        return;
    for (size_t i = 0; i < draft->gold->count; i++) {
        if (is_implied(draft, i))
            add_item(&draft->gold->steps[i], draft->needs);
    }
}
