/* Finds the judges of a run, and the verdicts of the selected one. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "judge/report/judged_runs_private.h"

/* All verdicts on one episode. */
struct pile {
    struct verdict *items; /* owned */
    size_t count;
    char *damage; /* owned; why one could not be read; NULL: all could */
};

static void pile_release(struct pile *pile)
{
    for (size_t i = 0; i < pile->count; i++)
        verdict_release(&pile->items[i]);
    free(pile->items);
    free(pile->damage);
    *pile = (struct pile){.items = NULL};
}

#define PILE_MAX 256

static bool add_verdict(struct pile *pile, const char *folder, const char *name,
                        struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    if (pile->count == PILE_MAX)
        return err_set(err, ERR_LIMIT, "%s: more than %d verdicts", folder,
                       PILE_MAX);
    buf_printf(&path, "%s/%s", folder, name);
    pile->items =
        mem_resize(pile->items, pile->count + 1, sizeof(*pile->items));
    done = verdict_load(buf_cstr(&path), &pile->items[pile->count], err);
    pile->count += done;
    buf_release(&path);
    return done;
}

static void add_damage(struct pile *pile, const struct err *err)
{
    if (!pile->damage)
        pile->damage = mem_dup(err->text);
}

/* A verdict that cannot be read does not hide the others. */
static void load_pile(struct pile *pile, const struct judged_run *run,
                      const struct judged_attempt *entry)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct err err = ERR_INIT;
    struct dirent *found;
    DIR *dir;

    buf_printf(&folder, "%s/%s", run->folder, entry->folder);
    dir = opendir(buf_cstr(&folder));
    if (!dir) {
        err_errno(&err, errno, "open %s", buf_cstr(&folder));
        add_damage(pile, &err);
    } else {
        while ((found = readdir(dir)) != NULL) {
            if (verdict_is_file_name(found->d_name) &&
                !add_verdict(pile, buf_cstr(&folder), found->d_name, &err))
                add_damage(pile, &err);
        }
        closedir(dir);
    }
    buf_release(&folder);
}

/* ---- who judges ---- */

static bool is_from(const struct verdict *verdict,
                    const struct judged_runs_judge *judge)
{
    return !strcmp(verdict->judge, judge->name) &&
           !strcmp(verdict->hash, judge->hash);
}

static void count_judge(struct judged_run *run, const struct verdict *verdict)
{
    struct judged_runs_judge *judge;

    for (size_t i = 0; i < run->judge_count; i++) {
        if (is_from(verdict, &run->judges[i])) {
            run->judges[i].verdicts++;
            return;
        }
    }
    run->judges =
        mem_resize(run->judges, run->judge_count + 1, sizeof(*run->judges));
    judge = &run->judges[run->judge_count++];
    *judge = (struct judged_runs_judge){.name = mem_dup(verdict->judge),
                                        .verdicts = 1};
    memcpy(judge->hash, verdict->hash, sizeof(judge->hash));
}

static bool is_called(const struct judged_runs_judge *judge, const char *name)
{
    return verdict_judge_is(judge->name, judge->hash, name);
}

static bool is_before(const struct judged_runs_judge *a,
                      const struct judged_runs_judge *b, const char *wanted)
{
    int difference;

    if (wanted && is_called(a, wanted) != is_called(b, wanted))
        return is_called(a, wanted);
    if (a->verdicts != b->verdicts)
        return a->verdicts > b->verdicts;
    difference = strcmp(a->name, b->name);
    return difference ? difference < 0 : strcmp(a->hash, b->hash) < 0;
}

static void sort_judges(struct judged_run *run, const char *wanted)
{
    for (size_t i = 1; i < run->judge_count; i++) {
        for (size_t k = i;
             k > 0 && is_before(&run->judges[k], &run->judges[k - 1], wanted);
             k--) {
            struct judged_runs_judge other = run->judges[k];

            run->judges[k] = run->judges[k - 1];
            run->judges[k - 1] = other;
        }
    }
}

/* Move the verdict into the entry, or derive the outcome without one. */
static void settle(struct judged_attempt *entry, struct pile *pile,
                   const struct judged_run *run)
{
    for (size_t i = 0; !entry->damage && run->judge_count && i < pile->count;
         i++) {
        if (is_from(&pile->items[i], &run->judges[0])) {
            verdict_release(&entry->verdict);
            entry->verdict = pile->items[i];
            pile->items[i] = pile->items[--pile->count];
            entry->judged = true;
            break;
        }
    }
    if (entry->ending == ENDING_VOID)
        entry->verdict.outcome = OUTCOME_VOID;
    if (!entry->judged && !entry->damage) {
        entry->damage = pile->damage;
        pile->damage = NULL;
    }
}

static bool choose(struct judged_run *run, const char *judge, struct err *err)
{
    sort_judges(run, judge);
    if (!judge || (run->judge_count && is_called(&run->judges[0], judge)))
        return true;
    if (!run->judge_count)
        return err_set(err, ERR_NOT_FOUND,
                       "%s: this run is not judged yet; run: proctor judge %s",
                       run->folder, run->folder);
    return err_set(err, ERR_NOT_FOUND,
                   "%s: there is no verdict of \"%s\"; %s judged it",
                   run->folder, judge, run->judges[0].name);
}

bool judged_runs_listen(struct judged_runs *judged, size_t first,
                        const char *judge, struct err *err)
{
    struct judged_run *run = &judged->runs[judged->run_count - 1];
    size_t count = judged->count - first;
    struct pile *piles = mem_new(count + 1, sizeof(*piles));
    bool done;

    for (size_t i = 0; i < count; i++) {
        load_pile(&piles[i], run, &judged->entries[first + i]);
        for (size_t k = 0; k < piles[i].count; k++)
            count_judge(run, &piles[i].items[k]);
    }
    done = choose(run, judge, err);
    for (size_t i = 0; i < count; i++) {
        if (done)
            settle(&judged->entries[first + i], &piles[i], run);
        pile_release(&piles[i]);
    }
    free(piles);
    return done;
}
