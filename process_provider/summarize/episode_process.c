#include "process_provider/summarize/episode_process.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"

#define FILE_MAX_BYTES ((size_t)64 << 20)

/* The screen at one moment. */
struct moment {
    struct tree tree;
    bool has_tree;
    struct recorded_screen screen;
};

/* The moments before and after a step, which change places from step to step.
 */
struct step_moments {
    const struct trajectory *trajectory;
    struct moment *before;
    struct moment *after;
    struct buf file;
};

static bool load_tree(struct step_moments *moments,
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
static void load(struct step_moments *moments,
                 const struct trajectory_step *step, struct moment *moment,
                 struct err *doubt)
{
    moment->has_tree = step && step->tree.file[0] &&
                       load_tree(moments, &step->tree, moment, doubt);
    recorded_screen_set(&moment->screen, moments->trajectory,
                        step ? &step->screen : NULL);
}

static const struct tree *tree_of(const struct moment *moment)
{
    return moment->has_tree ? &moment->tree : NULL;
}

static void describe(const struct step_moments *moments,
                     const struct trajectory_step *step,
                     enum process_source source,
                     const struct picture_access *access,
                     struct episode_process_step *to)
{
    const struct step_view view = {
        .action = &step->action,
        .before = tree_of(moments->before),
        .after = tree_of(moments->after),
        .before_screen = &moments->before->screen,
        .after_screen = &moments->after->screen,
        .access = *access,
        .block = step->block,
        .blocked = step->blocked,
    };
    struct description description;

    step_describe(&view, source, &description);
    memcpy(to->description, description.line, sizeof(to->description));
    if (description.doubt.code != ERR_NONE)
        to->doubt = description.doubt;
}

static void swap(struct step_moments *moments)
{
    struct moment *before = moments->before;

    moments->before = moments->after;
    moments->after = before;
}

void episode_process_make(const struct trajectory *trajectory,
                          enum process_source source,
                          const struct picture_access *access,
                          struct episode_process *process)
{
    struct moment memory[2] = {
        {.tree = TREE_INIT, .screen = RECORDED_SCREEN_INIT},
        {.tree = TREE_INIT, .screen = RECORDED_SCREEN_INIT}};
    struct step_moments moments = {.trajectory = trajectory,
                                   .before = &memory[0],
                                   .after = &memory[1],
                                   .file = BUF_INIT(FILE_MAX_BYTES)};
    struct err first = ERR_INIT;

    *process = (struct episode_process){.source = source};
    process->steps = mem_new(trajectory->count + 1, sizeof(*process->steps));
    load(&moments, trajectory->count ? &trajectory->steps[0] : NULL,
         moments.before, &first);
    for (size_t i = 0; i < trajectory->count; i++) {
        struct episode_process_step *step = &process->steps[process->count];

        if (!trajectory->steps[i].acted)
            break;
        step->doubt = first;
        first = (struct err)ERR_INIT;
        load(&moments,
             i + 1 < trajectory->count ? &trajectory->steps[i + 1] : NULL,
             moments.after, &step->doubt);
        describe(&moments, &trajectory->steps[i], source, access, step);
        process->count++;
        swap(&moments);
    }
    for (int i = 0; i < 2; i++) {
        tree_release(&memory[i].tree);
        recorded_screen_release(&memory[i].screen);
    }
    buf_release(&moments.file);
}

void episode_process_release(struct episode_process *process)
{
    free(process->steps);
    *process = (struct episode_process){.source = PROCESS_OFFLINE};
}

static void add_line(struct buf *text, size_t number,
                     const struct episode_process_step *step,
                     const char *source)
{
    struct cJSON *line = json_new_object();

    json_add_int(line, "step", (int64_t)number);
    json_add_string(line, "description", step->description);
    json_add_string(line, "source", source);
    if (step->doubt.code != ERR_NONE)
        json_add_string(line, "doubt", step->doubt.text);
    json_format(line, text);
    buf_byte(text, '\n');
    cJSON_Delete(line);
}

bool episode_process_save(const struct trajectory *trajectory,
                          const struct episode_process *process,
                          struct err *err)
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

bool episode_process_read_line(const struct json *line, int64_t *step,
                               const char **description, struct err *err)
{
    return json_get_int(line, "step", 0, INT_MAX, step, err) &&
           json_get_string(line, json_name_in_use(line, "description", "words"),
                           description, err);
}
