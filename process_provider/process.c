#include "process_provider/process.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/png.h"
#include "process_provider/summarize_offline.h"

#define FILE_MAX_BYTES ((size_t)64 << 20)

static const char *const source_names[PROCESS_SOURCES] = {
    [PROCESS_OFFLINE] = "offline",
    [PROCESS_CONVERTER] = "converter",
    [PROCESS_PLAIN] = "plain",
};

const char *process_source_name(enum process_source source)
{
    return source_names[source];
}

/* What was seen before a step. Members without a file stay empty. */
struct sight {
    struct tree tree;
    bool has_tree;
    struct picture screen;
    bool has_screen;
};

/* Two of them, that change places from step to step. */
struct sights {
    const struct trajectory *trajectory;
    struct sight *before;
    struct sight *after;
    struct buf file;
};

static bool load_tree(struct sights *sights, const struct trajectory_file *file,
                      struct sight *sight, struct err *err)
{
    buf_clear(&sights->file);
    return trajectory_read_file(sights->trajectory, file, &sights->file, err) &&
           tree_read(&sight->tree, buf_cstr(&sights->file), sights->file.length,
                     err);
}

static bool load_screen(struct sights *sights,
                        const struct trajectory_file *file, struct sight *sight,
                        struct err *err)
{
    buf_clear(&sights->file);
    return trajectory_read_file(sights->trajectory, file, &sights->file, err) &&
           png_decode(buf_cstr(&sights->file), sights->file.length,
                      &sight->screen, err);
}

static void load(struct sights *sights, const struct trajectory_step *step,
                 bool pixels, struct sight *sight, struct err *doubt)
{
    sight->has_tree =
        step->tree.file[0] && load_tree(sights, &step->tree, sight, doubt);
    sight->has_screen = pixels && step->screen.file[0] &&
                        load_screen(sights, &step->screen, sight, doubt);
}

/* The same file on both sides is the same screen: nothing to compare. */
static bool find_pixels(const struct sights *sights, struct screendiff *diff)
{
    const struct screendiff_options options = {.tolerance =
                                                   SUMMARIZE_TOLERANCE};

    if (!sights->before->has_screen || !sights->after->has_screen)
        return false;
    screendiff_find(diff, &sights->before->screen, &sights->after->screen,
                    &options);
    return true;
}

static const struct tree *tree_of(const struct sight *sight)
{
    return sight->has_tree ? &sight->tree : NULL;
}

static void say_offline(const struct sights *sights,
                        const struct action *action, char *words)
{
    struct screendiff diff;
    bool pixels = find_pixels(sights, &diff);
    const struct summarize_view view = {
        .action = action,
        .before = tree_of(sights->before),
        .after = tree_of(sights->after),
        .pixels = pixels ? &diff : NULL,
    };

    summarize_offline(&view, words);
}

static void say(const struct sights *sights, const struct action *action,
                enum process_source source, char *words)
{
    const struct tree *tree = tree_of(sights->before);

    if (source == PROCESS_OFFLINE)
        say_offline(sights, action, words);
    else if (source == PROCESS_PLAIN && tree && action->kind == ACTION_CLICK &&
             action->has_from)
        describe_plain(tree, action->from.x, action->from.y, words);
    else
        describe_step(tree, action, words);
}

static void swap(struct sights *sights)
{
    struct sight *before = sights->before;

    sights->before = sights->after;
    sights->after = before;
}

void process_make(const struct trajectory *trajectory,
                  enum process_source source, struct process *process)
{
    struct sight memory[2] = {{.tree = TREE_INIT}, {.tree = TREE_INIT}};
    struct sights sights = {.trajectory = trajectory,
                            .before = &memory[0],
                            .after = &memory[1],
                            .file = BUF_INIT(FILE_MAX_BYTES)};
    bool pixels = source == PROCESS_OFFLINE;
    struct err first = ERR_INIT;

    *process = (struct process){.source = source};
    process->steps = mem_new(trajectory->count + 1, sizeof(*process->steps));
    if (trajectory->count)
        load(&sights, &trajectory->steps[0], pixels, sights.before, &first);
    for (size_t i = 0; i < trajectory->count; i++) {
        struct process_step *step = &process->steps[process->count];

        if (!trajectory->steps[i].acted)
            break;
        step->doubt = first;
        first = (struct err)ERR_INIT;
        sights.after->has_tree = sights.after->has_screen = false;
        if (i + 1 < trajectory->count)
            load(&sights, &trajectory->steps[i + 1], pixels, sights.after,
                 &step->doubt);
        say(&sights, &trajectory->steps[i].action, source, step->words);
        process->count++;
        swap(&sights);
    }
    for (int i = 0; i < 2; i++) {
        tree_release(&memory[i].tree);
        picture_release(&memory[i].screen);
    }
    buf_release(&sights.file);
}

void process_release(struct process *process)
{
    free(process->steps);
    *process = (struct process){.source = PROCESS_OFFLINE};
}

static void add_line(struct buf *text, size_t number,
                     const struct process_step *step, const char *source)
{
    struct cJSON *line = json_new_object();

    json_add_int(line, "step", (int64_t)number);
    json_add_string(line, "words", step->words);
    json_add_string(line, "source", source);
    if (step->doubt.code != ERR_NONE)
        json_add_string(line, "doubt", step->doubt.text);
    json_format(line, text);
    buf_byte(text, '\n');
    cJSON_Delete(line);
}

bool process_save(const struct trajectory *trajectory,
                  const struct process *process, struct err *err)
{
    struct buf text = BUF_INIT(FILE_MAX_BYTES);
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    for (size_t i = 0; i < process->count; i++)
        add_line(&text, i, &process->steps[i],
                 process_source_name(process->source));
    buf_printf(&path, "%s/process.jsonl", trajectory->folder);
    done = file_save(buf_cstr(&path), 0666, buf_cstr(&text), text.length, err);
    buf_release(&text);
    buf_release(&path);
    return done;
}
