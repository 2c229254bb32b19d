#include "runner/episode/takeover.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

static void wake(void *context)
{
    const struct takeover *takeover = context;
    const uint64_t one = 1;

    (void)!write(takeover->wake, &one, sizeof(one));
}

/* Wait for the next change. False: cancelled. */
static bool wait_for_change(struct takeover *takeover,
                            const struct cancel *cancel)
{
    struct pollfd fds[] = {
        {.fd = takeover->wake, .events = POLLIN},
        {.fd = cancel_fd(cancel), .events = POLLIN},
    };
    uint64_t changes;

    while (!cancel_fired(cancel)) {
        (void)poll(fds, 2, -1);
        if (read(takeover->wake, &changes, sizeof(changes)) > 0)
            return true;
    }
    return false;
}

bool takeover_init(struct takeover *takeover, struct err *err)
{
    *takeover = (struct takeover){
        .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
    };
    if (takeover->wake < 0)
        return err_errno(err, errno, "making an eventfd");
    control_lease_init(&takeover->lease, wake, takeover);
    pthread_mutex_init(&takeover->lock, NULL);
    return true;
}

static void forget_actions(struct takeover *takeover)
{
    for (; takeover->count; takeover->count--) {
        action_release(&takeover->actions[takeover->first].action);
        takeover->first = (takeover->first + 1) % TAKEOVER_ACTIONS_MAX;
    }
    takeover->missed = 0;
}

void takeover_release(struct takeover *takeover)
{
    forget_actions(takeover);
    pthread_mutex_destroy(&takeover->lock);
    control_lease_release(&takeover->lease);
    close(takeover->wake);
}

/* ---- the person ---- */

/* Text that is typed letter by letter becomes one action. Locked. */
static bool add_to_last(struct takeover *takeover, const struct action *action)
{
    struct action *last;
    struct buf text = BUF_INIT(ACTION_TEXT_MAX);
    bool fits;

    if (!takeover->count || takeover->missed || action->kind != ACTION_TYPE)
        return false;
    last = &takeover
                ->actions[(takeover->first + takeover->count - 1) %
                          TAKEOVER_ACTIONS_MAX]
                .action;
    if (last->kind != ACTION_TYPE || !last->text || !action->text)
        return false;
    buf_text(&text, last->text);
    buf_text(&text, action->text);
    fits = !text.overflow;
    if (fits) {
        free(last->text);
        last->text = mem_dup(buf_cstr(&text));
    }
    buf_release(&text);
    return fits;
}

void takeover_note(struct takeover *takeover, const struct action *action)
{
    struct takeover_action *added;

    pthread_mutex_lock(&takeover->lock);
    if (add_to_last(takeover, action)) {
        pthread_mutex_unlock(&takeover->lock);
        return;
    }
    if (takeover->count == TAKEOVER_ACTIONS_MAX) {
        takeover->missed++;
    } else {
        added = &takeover->actions[(takeover->first + takeover->count++) %
                                   TAKEOVER_ACTIONS_MAX];
        *added = (struct takeover_action){*action, takeover->missed};
        added->action.text = action->text ? mem_dup(action->text) : NULL;
        takeover->missed = 0;
    }
    pthread_mutex_unlock(&takeover->lock);
    wake(takeover);
}

/* ---- the episode ---- */

bool takeover_begin(struct takeover *takeover, const struct cancel *cancel,
                    uint32_t *epoch, struct err *err)
{
    while (
        !control_lease_take_free(&takeover->lease, CONTROL_AGENT, epoch, err)) {
        if (!wait_for_change(takeover, cancel))
            return err_set(err, ERR_CANCELLED, "interrupted");
    }
    pthread_mutex_lock(&takeover->lock);
    forget_actions(takeover);
    pthread_mutex_unlock(&takeover->lock);
    return true;
}

bool takeover_holds(struct takeover *takeover, uint32_t epoch)
{
    struct err ignored;

    return control_lease_check(&takeover->lease, epoch, &ignored);
}

bool takeover_has_actions(struct takeover *takeover)
{
    bool has;

    pthread_mutex_lock(&takeover->lock);
    has = takeover->count > 0;
    pthread_mutex_unlock(&takeover->lock);
    return has;
}

static bool take_action(struct takeover *takeover, struct action *action,
                        size_t *missed)
{
    bool found;

    pthread_mutex_lock(&takeover->lock);
    found = takeover->count > 0;
    if (found) {
        *action = takeover->actions[takeover->first].action;
        *missed = takeover->actions[takeover->first].missed;
        takeover->first = (takeover->first + 1) % TAKEOVER_ACTIONS_MAX;
        takeover->count--;
    }
    pthread_mutex_unlock(&takeover->lock);
    return found;
}

bool takeover_next(struct takeover *takeover, const struct cancel *cancel,
                   struct action *action, size_t *missed)
{
    while (!take_action(takeover, action, missed)) {
        if (control_lease_holder(&takeover->lease, NULL) == CONTROL_FREE ||
            !wait_for_change(takeover, cancel))
            return false;
    }
    return true;
}
