#include "tools/live/live_control.h"

#include "base/keycode.h"
#include "tools/live/live_tree.h"

#define ACT_MS 20000
#define READ_MS 60000

static bool read_tree(struct live_control *control,
                      const struct view_command *command, struct deadline by,
                      struct buf *json, struct err *err)
{
    struct buf xml = BUF_INIT(LIVE_TREE_XML_MAX);
    bool done =
        control->ops->dump(control, by, &xml, err) &&
        (command->kind == VIEW_TREE
             ? live_tree_list(&xml, json, err)
             : live_tree_describe(&xml, command->x, command->y, json, err));

    buf_release(&xml);
    return done;
}

/* ---- fingers ---- */

static bool touch(struct live_control *control,
                  const struct view_command *command, struct deadline by,
                  struct err *err)
{
    struct live_finger *finger = &control->fingers[command->pointer];
    const bool lifts =
        command->touch == VIEW_UP || command->touch == VIEW_CANCEL;
    bool done;

    if (command->touch != VIEW_DOWN && !finger->down)
        return true;
    finger->down = true; /* also when it fails: it may have arrived */
    finger->last = *command;
    done = control->ops->touch(control, command, by, err);
    finger->down = !(lifts && done);
    return done;
}

void live_control_lift(struct live_control *control, struct deadline by)
{
    for (size_t i = 0; i < VIEW_POINTERS; i++) {
        struct live_finger *finger = &control->fingers[i];
        struct err ignored; /* then the phone is out of reach */

        if (!finger->down)
            continue;
        finger->last.touch = VIEW_CANCEL;
        (void)!control->ops->touch(control, &finger->last, by, &ignored);
        finger->down = false;
    }
}

/* ---- commands ---- */

static bool run(struct live_control *control,
                const struct view_command *command, struct view_answer *answer)
{
    const struct live_control_ops *ops = control->ops;
    const struct deadline act = deadline_in_ms(ACT_MS);
    const struct deadline read = deadline_in_ms(READ_MS);
    struct err *err = &answer->err;

    switch (command->kind) {
    case VIEW_TOUCH:
        return touch(control, command, act, err);
    case VIEW_KEY:
        return ops->key(control, command->key, act, err);
    case VIEW_LOCK:
        return ops->key(control, KEY_POWER, act, err);
    case VIEW_TEXT:
    case VIEW_PASTE:
        return ops->text(control, command->text, command->kind == VIEW_PASTE,
                         act, err);
    case VIEW_ROTATE:
        return ops->rotate(control, act, err);
    case VIEW_SHELL:
        answer->bytes.limit = VIEW_SHELL_MAX;
        return ops->shell(control, command->text, read, &answer->bytes,
                          &answer->status, err);
    case VIEW_TREE:
    case VIEW_DESCRIBE:
        return read_tree(control, command, read, &answer->bytes, err);
    case VIEW_SCREENSHOT:
        return ops->screenshot(control, read, &answer->bytes, err);
    case VIEW_DUMP:
        return ops->dump(control, read, &answer->bytes, err);
    }
    return err_set(err, ERR_INVALID, "there is no such command");
}

void live_control_run(struct live_control *control,
                      const struct view_command *command,
                      struct view_answer *answer)
{
    answer->done = run(control, command, answer);
}
