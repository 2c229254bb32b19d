#include "process_provider/process.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "process_provider/recorded_screen.h"
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

void process_say_act(enum process_source source, const struct scene *scene,
                     const struct action *action, char words[DESCRIPTION_MAX])
{
    const struct scene tree_alone = {.tree = scene->tree};

    if (source != PROCESS_PLAIN)
        describe_step(scene, action, words);
    else if (scene->tree && action->kind == ACTION_CLICK && action->has_from)
        describe_plain(scene->tree, action->from.x, action->from.y, words);
    else
        describe_step(&tree_alone, action, words);
}

/* What was to be seen at one moment. */
struct moment {
    struct tree tree;
    bool has_tree;
    struct recorded_screen screen;
};

/* The moments before and after a step, which change places from step to step.
 */
struct moments {
    const struct trajectory *trajectory;
    struct moment *before;
    struct moment *after;
    struct buf file;
};

static bool load_tree(struct moments *moments,
                      const struct trajectory_file *file, struct moment *moment,
                      struct err *err)
{
    buf_clear(&moments->file);
    return trajectory_read_file(moments->trajectory, file, &moments->file,
                                err) &&
           tree_read(&moment->tree, buf_cstr(&moments->file),
                     moments->file.length, err);
}

/* step is NULL after the last. */
static void load(struct moments *moments, const struct trajectory_step *step,
                 struct moment *moment, struct err *doubt)
{
    moment->has_tree = step && step->tree.file[0] &&
                       load_tree(moments, &step->tree, moment, doubt);
    recorded_screen_set(&moment->screen, moments->trajectory,
                        step ? &step->screen : NULL);
}

static bool find_pixels(const struct moments *moments, struct screendiff *diff)
{
    const struct screendiff_options options = {.tolerance =
                                                   SUMMARIZE_TOLERANCE};
    const struct picture *before =
        recorded_screen_picture(&moments->before->screen);
    const struct picture *after =
        recorded_screen_picture(&moments->after->screen);

    if (!before || !after)
        return false;
    screendiff_find(diff, before, after, &options);
    return true;
}

static struct scene scene_of(struct moment *moment)
{
    return (struct scene){.tree = moment->has_tree ? &moment->tree : NULL,
                          .picture = recorded_screen_picture,
                          .from = &moment->screen};
}

static void say_offline(const struct moments *moments,
                        const struct action *action, char *words)
{
    struct screendiff diff;
    bool pixels = find_pixels(moments, &diff);
    const struct summarize_view view = {
        .action = action,
        .before = scene_of(moments->before),
        .after = scene_of(moments->after).tree,
        .pixels = pixels ? &diff : NULL,
    };

    summarize_offline(&view, words);
}

static void say(const struct moments *moments, const struct action *action,
                enum process_source source, char *words)
{
    struct scene before = scene_of(moments->before);

    if (source == PROCESS_OFFLINE)
        say_offline(moments, action, words);
    else
        process_say_act(source, &before, action, words);
}

/* What came of looking at the pictures, where that went wrong. */
static void add_doubt(const struct moments *moments, struct err *doubt)
{
    if (moments->before->screen.err.code != ERR_NONE)
        *doubt = moments->before->screen.err;
    else if (moments->after->screen.err.code != ERR_NONE)
        *doubt = moments->after->screen.err;
}

static void swap(struct moments *moments)
{
    struct moment *before = moments->before;

    moments->before = moments->after;
    moments->after = before;
}

void process_make(const struct trajectory *trajectory,
                  enum process_source source, struct process *process)
{
    struct moment memory[2] = {
        {.tree = TREE_INIT, .screen = RECORDED_SCREEN_INIT},
        {.tree = TREE_INIT, .screen = RECORDED_SCREEN_INIT}};
    struct moments moments = {.trajectory = trajectory,
                              .before = &memory[0],
                              .after = &memory[1],
                              .file = BUF_INIT(FILE_MAX_BYTES)};
    struct err first = ERR_INIT;

    *process = (struct process){.source = source};
    process->steps = mem_new(trajectory->count + 1, sizeof(*process->steps));
    load(&moments, trajectory->count ? &trajectory->steps[0] : NULL,
         moments.before, &first);
    for (size_t i = 0; i < trajectory->count; i++) {
        struct process_step *step = &process->steps[process->count];

        if (!trajectory->steps[i].acted)
            break;
        step->doubt = first;
        first = (struct err)ERR_INIT;
        load(&moments,
             i + 1 < trajectory->count ? &trajectory->steps[i + 1] : NULL,
             moments.after, &step->doubt);
        say(&moments, &trajectory->steps[i].action, source, step->words);
        add_doubt(&moments, &step->doubt);
        process->count++;
        swap(&moments);
    }
    for (int i = 0; i < 2; i++) {
        tree_release(&memory[i].tree);
        recorded_screen_release(&memory[i].screen);
    }
    buf_release(&moments.file);
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
