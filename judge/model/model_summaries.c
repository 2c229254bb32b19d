#include "judge/model/model_summaries.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/picture/picture_file.h"
#include "base/picture/png.h"
#include "process_provider/summarize/summarize_model.h"

#define TRIES 2

/* Two screens, reused from step to step. */
struct summary_screens {
    const struct trajectory *trajectory;
    struct picture before;
    struct picture after;
    struct buf file;
};

static bool load(struct summary_screens *screens,
                 const struct trajectory_file *file, struct picture *picture)
{
    struct err ignored;

    buf_clear(&screens->file);
    return file->file[0] &&
           trajectory_read_file(screens->trajectory, file, &screens->file,
                                &ignored) &&
           png_decode(buf_cstr(&screens->file), screens->file.length, picture,
                      &ignored);
}

/* An invalid answer leaves summary empty, and is not a failure. */
static bool summarize(const struct summary_screens *screens,
                      struct model *model, const struct action *action,
                      struct deadline by, const struct cancel *cancel,
                      struct summary *summary, struct err *err)
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

static bool make_words(struct summary_screens *screens,
                       struct episode_evidence *evidence, size_t i,
                       struct model *model, struct deadline by,
                       const struct cancel *cancel, struct model_usage *usage,
                       struct err *err)
{
    const struct trajectory *trajectory = &evidence->trajectory;
    const struct action *action = &trajectory->steps[i].action;
    struct summary summary = {.usage = MODEL_USAGE_UNKNOWN};
    struct description alone;

    if (trajectory->steps[i].blocked) /* it says so already */
        return true;
    if ((action->has_from || action_is_gesture(action->kind)) &&
        i + 1 < trajectory->count &&
        load(screens, &trajectory->steps[i].screen, &screens->before) &&
        load(screens, &trajectory->steps[i + 1].screen, &screens->after) &&
        !summarize(screens, model, action, by, cancel, &summary, err))
        return false;
    model_usage_add(usage, &summary.usage);
    if (!summary.line[0])
        describe_step(&(struct scene){.tree = NULL}, action, &alone);
    free(evidence->steps[i].description);
    evidence->steps[i].description =
        mem_dup(summary.line[0] ? summary.line : alone.line);
    return true;
}

bool model_summaries_make(struct episode_evidence *evidence,
                          struct model *model, int64_t ask_ms,
                          const struct cancel *cancel,
                          struct model_usage *usage, struct err *err)
{
    struct summary_screens screens = {.trajectory = &evidence->trajectory,
                                      .before = PICTURE_INIT,
                                      .after = PICTURE_INIT,
                                      .file = BUF_INIT(PICTURE_FILE_MAX)};
    bool done = true;

    for (size_t i = 0; done && i < evidence->count; i++)
        done = make_words(&screens, evidence, i, model, deadline_in_ms(ask_ms),
                          cancel, usage, err);
    picture_release(&screens.before);
    picture_release(&screens.after);
    buf_release(&screens.file);
    return done;
}
