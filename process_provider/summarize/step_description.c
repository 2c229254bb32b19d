#include "process_provider/summarize/step_description.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "process_provider/summarize/summarize_offline.h"
#include "process_provider/text/phrase.h"

static const char *const source_names[PROCESS_SOURCES] = {
    [PROCESS_OFFLINE] = "offline",
    [PROCESS_CONVERTER] = "converter",
    [PROCESS_PLAIN] = "plain",
};

const char *process_source_name(enum process_source source)
{
    return source_names[source];
}

/* The difference between two pictures, found when it is first needed. */
struct lazy_diff {
    const struct step_view *view;
    bool asked;
    bool known;
    struct screendiff diff;
};

/* Equal pictures of an episode are one file. */
static bool is_same_file(const struct step_view *view)
{
    const struct trajectory_file *before = view->before_screen->file;
    const struct trajectory_file *after = view->after_screen->file;

    return before && after && before->file[0] &&
           !strcmp(before->file, after->file);
}

static bool compare(const struct step_view *view, struct screendiff *diff)
{
    const struct screendiff_options options = {.tolerance =
                                                   SUMMARIZE_TOLERANCE};
    const struct picture *before;
    const struct picture *after;

    if (is_same_file(view)) {
        *diff = (struct screendiff){.same_size = true};
        return true;
    }
    before = recorded_screen_picture(view->before_screen);
    after = recorded_screen_picture(view->after_screen);
    if (!before || !after)
        return false;
    screendiff_find(diff, before, after, &options);
    return true;
}

static const struct screendiff *find_pixels(void *from)
{
    struct lazy_diff *lazy = from;

    if (!lazy->asked)
        lazy->known = compare(lazy->view, &lazy->diff);
    lazy->asked = true;
    return lazy->known ? &lazy->diff : NULL;
}

static void describe_from_tree(const struct step_view *view,
                               struct description *description)
{
    const struct action *action = view->action;
    const struct scene scene = {.tree = view->before, .next = view->after};

    describe_step(&scene, action, description);
    if (view->before && action->kind == ACTION_CLICK && action->has_from)
        describe_plain(view->before, action->from.x, action->from.y,
                       description->line);
}

/* A picture that could not be loaded is the more important doubt. */
static void add_doubt(const struct recorded_screen *screen, struct err *doubt)
{
    if (screen->err.code != ERR_NONE)
        *doubt = screen->err;
}

/* Put in front of a line that it was not carried out, and why. */
static void describe_block(const struct step_view *view,
                           struct description *description)
{
    static const char *const by[BLOCK_KINDS] = {
        [BLOCK_NONE] = "blocked",
        [BLOCK_REPLY] = "the reply had no action",
        [BLOCK_SPACE] = "not allowed in this task",
        [BLOCK_GUARD] = "blocked by the guard",
        [BLOCK_PHONE] = "the phone could not do it",
        [BLOCK_PERSON] = "a person took over",
    };
    struct buf line = BUF_INIT(DESCRIPTION_MAX - 1);
    struct phrase why = {.text = ""};

    if (view->blocked)
        (void)phrase_clean(view->blocked, &why);
    buf_printf(&line, "not carried out (%s%s%s)", by[view->block],
               why.text[0] ? ": " : "", why.text);
    if (view->block != BLOCK_REPLY)
        buf_printf(&line, ": %s", description->line);
    snprintf(description->line, sizeof(description->line), "%s",
             buf_cstr(&line));
    buf_release(&line);
}

void step_describe(const struct step_view *view, enum process_source source,
                   struct description *description)
{
    bool blocked = view->blocked || view->block != BLOCK_NONE;
    struct lazy_diff lazy = {.view = view};
    const struct summarize_view summary = {
        .action = view->action,
        .before = {.tree = view->before,
                   .next = view->after,
                   .picture = recorded_screen_picture,
                   .from = view->before_screen,
                   .access = &view->access},
        .after = view->after,
        .pixels = find_pixels,
        .from = &lazy,
    };

    if (source == PROCESS_OFFLINE && !blocked)
        summarize_offline(&summary, description);
    else if (source != PROCESS_PLAIN)
        summarize_action(&summary, description);
    else
        describe_from_tree(view, description);
    add_doubt(view->after_screen, &description->doubt);
    add_doubt(view->before_screen, &description->doubt);
    if (blocked)
        describe_block(view, description);
}
