#include "judge/gold/looked_up.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "judge/evidence/screen_words.h"

#define PART_BYTES_MIN 3
#define PARTS_MAX 8
#define WORDS_MAX 64 /* of a text; the rest is not looked at */
#define SCREENS_MAX ((size_t)4 << 20)
#define IDEOGRAPHS_MIN 4 /* fewer are in too many texts */

/* Words of a text, and its characters beyond ASCII, as byte offsets. */
struct text_units {
    size_t begin[WORDS_MAX];
    size_t end[WORDS_MAX];
    size_t count;
};

/* ---- words ---- */

static bool is_space(char c)
{
    return isspace((unsigned char)c) != 0;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    size_t bytes;

    if ((unsigned char)*text >= 0x80) {
        (void)utf8_decode(text, strlen(text), &bytes);
        return bytes;
    }
    while (text[length] && !is_space(text[length]) &&
           (unsigned char)text[length] < 0x80)
        length++;
    return length;
}

static void split(const char *text, struct text_units *words)
{
    size_t at = 0;

    words->count = 0;
    while (text[at] && words->count < WORDS_MAX) {
        size_t length;

        if (is_space(text[at])) {
            at++;
            continue;
        }
        length = word_length(text + at);
        words->begin[words->count] = at;
        words->end[words->count++] = at + length;
        at += length;
    }
}

/* The words from first to last without signs around them. Owned. */
static char *run_of(const char *text, const struct text_units *words,
                    size_t first, size_t last)
{
    size_t begin = words->begin[first];
    size_t end = words->end[last];

    while (begin < end && ispunct((unsigned char)text[begin]))
        begin++;
    while (end > begin && ispunct((unsigned char)text[end - 1]))
        end--;
    return mem_dup_n(text + begin, end - begin);
}

/* ---- parts ---- */

/*
 * A number, a name with a capital letter that begins no sentence, or several
 * ideographs: other words are on many screens.
 */
static bool is_telling(const char *run, bool begins_text)
{
    size_t ideographs = 0;

    if (strlen(run) < PART_BYTES_MIN)
        return false;
    for (const char *at = run; *at; at++) {
        if (isdigit((unsigned char)*at) ||
            (isupper((unsigned char)*at) && !(begins_text && at == run)))
            return true;
        ideographs += (unsigned char)*at >= 0xe3;
    }
    return ideographs >= IDEOGRAPHS_MIN;
}

struct search {
    const char *text;
    const char *instruction;
    struct buf screens; /* all texts of the earlier screens */
    struct text_units words;
};

static bool is_looked_up(const struct search *search, const char *run,
                         bool begins_text)
{
    return is_telling(run, begins_text) &&
           !screen_words_has(search->instruction, run) &&
           screen_words_has(buf_cstr(&search->screens), run);
}

/* Small words are not what a part begins or ends with. */
static bool is_edge(const struct search *search, size_t word)
{
    for (size_t i = search->words.begin[word]; i < search->words.end[word];
         i++) {
        unsigned char c = (unsigned char)search->text[i];

        if (isupper(c) || isdigit(c) || c >= 0x80)
            return true;
    }
    return false;
}

/* The longest part that begins with this word. Returns the word behind it. */
static size_t add_part(const struct search *search, size_t first,
                       struct text_list *parts)
{
    for (size_t last = search->words.count;
         last > first && is_edge(search, first); last--) {
        char *run;
        bool found;

        if (!is_edge(search, last - 1))
            continue;
        run = run_of(search->text, &search->words, first, last - 1);
        found = is_looked_up(search, run, !first);

        if (found && !text_list_have(parts, run))
            text_list_add(parts, run);
        free(run);
        if (found)
            return last;
    }
    return first + 1;
}

static void add_screen(const struct tree *tree, struct buf *screens)
{
    for (uint32_t i = 0; tree && i < tree->count; i++) {
        if (!strcmp(tree->nodes[i].package, "com.android.systemui"))
            continue;
        buf_printf(screens, "%s\n%s\n", tree->nodes[i].text,
                   tree->nodes[i].description);
    }
}

void looked_up_find(const struct episode_evidence *gold, size_t step,
                    struct text_list *parts)
{
    const struct action *action = &gold->steps[step].step->action;
    const char *instruction = gold->trajectory.head.instruction;
    size_t limit = parts->count + PARTS_MAX;
    struct search search = {.text = action->text,
                            .instruction = instruction ? instruction : "",
                            .screens = BUF_INIT(SCREENS_MAX)};

    if (action->kind != ACTION_TYPE || action->secret || !action->text ||
        episode_evidence_submits(gold, step) ||
        screen_words_has(search.instruction, action->text))
        return;
    for (size_t i = 0; i <= step; i++)
        add_screen(gold->steps[i].before, &search.screens);
    split(search.text, &search.words);
    for (size_t i = 0; i < search.words.count && parts->count < limit;)
        i = add_part(&search, i, parts);
    buf_release(&search.screens);
}
