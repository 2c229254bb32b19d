/* Computes results from the folders of a run. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tasks/trajectory/episode_folders.h"
#include "tasks/trajectory/run_results.h"

/* "episodes", a task, a repeat, an attempt. */
#define DEPTH 4
#define NUMBER_MAX 1000000

struct scan {
    const char *run;
    struct run_results results;
};

/* A number in our format; -1 for anything else. */
static int number_of(const char *text)
{
    char *end;
    long number;

    if (!text[0] || text[strspn(text, "0123456789")] || strlen(text) > 7 ||
        (text[0] == '0' && text[1]))
        return -1;
    number = strtol(text, &end, 10);
    return number <= NUMBER_MAX ? (int)number : -1;
}

static bool is_task(const char *name)
{
    return name[0] != '.' &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789.-")];
}

static bool has_task_file(const struct trajectory *trajectory)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct stat found;
    bool has;

    buf_printf(&path, "%s/task.json", trajectory->folder);
    has = !lstat(buf_cstr(&path), &found);
    buf_release(&path);
    return has;
}

/*
 * "missing: FILE" or "damaged: FILE", of a file that its events or its steps
 * need; NULL.
 */
static char *bad_file(const struct trajectory *trajectory)
{
    const char *fault;
    char *file = trajectory_bad_file(trajectory, &fault);
    struct buf text = BUF_INIT(PATH_MAX);
    char *bad = NULL;

    if (!file && trajectory->count && trajectory->steps[0].acted &&
        !has_task_file(trajectory)) {
        fault = "missing";
        file = mem_dup("task.json");
    }
    if (file) {
        buf_printf(&text, "%s: %s", fault, file);
        bad = mem_dup(buf_cstr(&text));
    }
    buf_release(&text);
    free(file);
    return bad;
}

/*
 * An unreadable episode counts as unfinished: it is kept, and another attempt
 * is made.
 */
static void add(struct scan *scan, char *const names[DEPTH])
{
    struct buf episode = BUF_INIT(PATH_MAX);
    struct buf folder = BUF_INIT(PATH_MAX);
    struct trajectory trajectory;
    struct run_result result;
    struct err err;

    run_result_folder(names[1], number_of(names[2]), number_of(names[3]),
                      &episode);
    buf_printf(&folder, "%s/%s", scan->run, buf_cstr(&episode));
    if (trajectory_load(buf_cstr(&folder), &trajectory, &err)) {
        run_result_of(&trajectory, buf_cstr(&episode), &result);
        result.bad_file = bad_file(&trajectory);
        trajectory_release(&trajectory);
        free(result.task); /* the folder's numbers are used, not those of the
                              head */
    } else {
        result = (struct run_result){.episode = mem_dup(buf_cstr(&episode))};
        /* Without events it was killed before it began. */
        if (episode_folders_is_one(buf_cstr(&folder)))
            result.damage = mem_dup(err.text);
    }
    result.task = mem_dup(names[1]);
    result.repeat = number_of(names[2]);
    result.attempt = number_of(names[3]);
    scan->results.items =
        mem_resize(scan->results.items, scan->results.count + 1,
                   sizeof(*scan->results.items));
    scan->results.items[scan->results.count++] = result;
    buf_release(&episode);
    buf_release(&folder);
}

static bool fits(const char *name, int depth)
{
    return depth == 1 ? is_task(name) : number_of(name) >= 0;
}

/* Descend into every folder with a valid name. */
static bool descend(struct scan *scan, const char *folder, char *names[DEPTH],
                    int depth, struct err *err)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;
    bool done = true;

    if (!stream)
        return err_errno(err, errno, "open %s", folder);
    while (done && scan->results.count < RUN_RESULTS_MAX &&
           (entry = readdir(stream))) {
        struct buf path = BUF_INIT(PATH_MAX);
        struct stat found;

        buf_printf(&path, "%s/%s", folder, entry->d_name);
        names[depth] = entry->d_name;
        if (fits(entry->d_name, depth) && !path.overflow &&
            !lstat(buf_cstr(&path), &found) && S_ISDIR(found.st_mode)) {
            if (depth == DEPTH - 1)
                add(scan, names);
            else
                done = descend(scan, buf_cstr(&path), names, depth + 1, err);
        }
        buf_release(&path);
    }
    closedir(stream);
    return done;
}

static int compare(const void *a, const void *b)
{
    const struct run_result *x = a;
    const struct run_result *y = b;
    int order = strcmp(x->task, y->task);

    if (order)
        return order;
    if (x->repeat != y->repeat)
        return x->repeat < y->repeat ? -1 : 1;
    return x->attempt - y->attempt;
}

bool run_results_scan(const char *run, struct run_results *results,
                      struct err *err)
{
    struct scan scan = {.run = run};
    struct buf folder = BUF_INIT(PATH_MAX);
    char episodes[] = "episodes";
    char *names[DEPTH] = {episodes};
    struct stat found;
    bool done;

    buf_printf(&folder, "%s/episodes", run);
    done = lstat(buf_cstr(&folder), &found) && errno == ENOENT
               ? true
               : descend(&scan, buf_cstr(&folder), names, 1, err);
    buf_release(&folder);
    if (!done) {
        run_results_release(&scan.results);
        return false;
    }
    if (scan.results.count)
        qsort(scan.results.items, scan.results.count,
              sizeof(*scan.results.items), compare);
    *results = scan.results;
    return true;
}
