#include "judge/summaries.h"

#include <stdlib.h>

#include "base/image.h"
#include "base/mem.h"
#include "base/png.h"
#include "process_provider/summarize_model.h"

#define TRIES 2

/* Two screens, that are used again from step to step. */
struct screens {
    const struct trajectory *trajectory;
    struct picture before;
    struct picture after;
    struct buf file;
};

static bool load(struct screens *screens, const struct trajectory_file *file,
                 struct picture *picture)
{
    struct err ignored;

    buf_clear(&screens->file);
    return file->file[0] &&
           trajectory_read_file(screens->trajectory, file, &screens->file,
                                &ignored) &&
           png_decode(buf_cstr(&screens->file), screens->file.length, picture,
                      &ignored);
}

static bool is_touch(const struct action *action)
{
    return action->has_from || action->kind == ACTION_SCROLL ||
           action->kind == ACTION_SWIPE;
}

/* An answer that is none leaves summary empty, and is no failure. */
static bool summarize(const struct screens *screens, struct model *model,
                      const struct action *action, struct deadline by,
                      const struct cancel *cancel, struct summary *summary,
                      struct err *err)
{
    for (int i = 0; i < TRIES; i++) {
        if (summarize_by_model(model, &screens->before, &screens->after, action,
                               by, cancel, summary, err))
            return true;
        if (err->code != ERR_PROTOCOL)
            return false;
    }
    return true;
}

static bool make_words(struct screens *screens, struct dossier *dossier,
                       size_t i, struct model *model, struct deadline by,
                       const struct cancel *cancel, struct model_usage *usage,
                       struct err *err)
{
    const struct trajectory *trajectory = &dossier->trajectory;
    const struct action *action = &trajectory->steps[i].action;
    struct summary summary = {.usage = MODEL_USAGE_UNKNOWN};
    char words[DESCRIPTION_MAX];

    if (is_touch(action) && i + 1 < trajectory->count &&
        load(screens, &trajectory->steps[i].screen, &screens->before) &&
        load(screens, &trajectory->steps[i + 1].screen, &screens->after) &&
        !summarize(screens, model, action, by, cancel, &summary, err))
        return false;
    model_usage_add(usage, &summary.usage);
    if (!summary.line[0])
        describe_step(&(struct scene){.tree = NULL}, action, words);
    free(dossier->steps[i].words);
    dossier->steps[i].words = mem_dup(summary.line[0] ? summary.line : words);
    return true;
}

bool summaries_make(struct dossier *dossier, struct model *model,
                    int64_t ask_ms, const struct cancel *cancel,
                    struct model_usage *usage, struct err *err)
{
    struct screens screens = {.trajectory = &dossier->trajectory,
                              .before = PICTURE_INIT,
                              .after = PICTURE_INIT,
                              .file = BUF_INIT(IMAGE_FILE_MAX)};
    bool done = true;

    for (size_t i = 0; done && i < dossier->count; i++)
        done = make_words(&screens, dossier, i, model, deadline_in_ms(ask_ms),
                          cancel, usage, err);
    picture_release(&screens.before);
    picture_release(&screens.after);
    buf_release(&screens.file);
    return done;
}
