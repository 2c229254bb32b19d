#include "tools/phone/system/notifications.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void notifications_init(struct phone_notifications *notifications)
{
    *notifications = (struct phone_notifications){.count = 0};
    pthread_mutex_init(&notifications->lock, NULL);
}

void notifications_release(struct phone_notifications *notifications)
{
    pthread_mutex_destroy(&notifications->lock);
}

/* With the lock held. */
static void take_out(struct phone_notifications *notifications, size_t at)
{
    notifications->count--;
    memmove(&notifications->list[at], &notifications->list[at + 1],
            (notifications->count - at) * sizeof(notifications->list[0]));
    notifications->changes++;
}

void notifications_post(struct phone_notifications *notifications,
                        const struct phone_notification *posted)
{
    struct phone_notification *list = notifications->list;

    pthread_mutex_lock(&notifications->lock);
    for (size_t i = notifications->count; i-- > 0;) {
        if (!strcmp(list[i].package, posted->package) &&
            !strcmp(list[i].tag, posted->tag))
            take_out(notifications, i);
    }
    if (notifications->count == NOTIFICATIONS_MAX)
        notifications->count--;
    memmove(list + 1, list, notifications->count * sizeof(*list));
    list[0] = *posted;
    notifications->count++;
    notifications->changes++;
    pthread_mutex_unlock(&notifications->lock);
}

bool notifications_remove(struct phone_notifications *notifications, size_t at)
{
    bool found;

    pthread_mutex_lock(&notifications->lock);
    found = at < notifications->count;
    if (found)
        take_out(notifications, at);
    pthread_mutex_unlock(&notifications->lock);
    return found;
}

void notifications_clear(struct phone_notifications *notifications)
{
    pthread_mutex_lock(&notifications->lock);
    notifications->count = 0;
    notifications->changes++;
    pthread_mutex_unlock(&notifications->lock);
}

size_t notifications_list(struct phone_notifications *notifications,
                          struct phone_notification list[NOTIFICATIONS_MAX])
{
    size_t count;

    pthread_mutex_lock(&notifications->lock);
    count = notifications->count;
    memcpy(list, notifications->list, count * sizeof(*list));
    pthread_mutex_unlock(&notifications->lock);
    return count;
}

unsigned long notifications_changes(struct phone_notifications *notifications)
{
    unsigned long changes;

    pthread_mutex_lock(&notifications->lock);
    changes = notifications->changes;
    pthread_mutex_unlock(&notifications->lock);
    return changes;
}

void notifications_save(struct phone_notifications *notifications,
                        struct buf *out)
{
    pthread_mutex_lock(&notifications->lock);
    saved_state_put_u64(out, notifications->count);
    for (size_t i = 0; i < notifications->count; i++) {
        const struct phone_notification *posted = &notifications->list[i];

        saved_state_put_text(out, posted->package);
        saved_state_put_text(out, posted->tag);
        saved_state_put_text(out, posted->title);
        saved_state_put_text(out, posted->text);
        saved_state_put_i64(out, posted->posted);
    }
    pthread_mutex_unlock(&notifications->lock);
}

static void load_one(struct phone_notification *posted, struct saved_state *in)
{
    saved_state_text(in, posted->package, sizeof(posted->package));
    saved_state_text(in, posted->tag, sizeof(posted->tag));
    saved_state_text(in, posted->title, sizeof(posted->title));
    saved_state_text(in, posted->text, sizeof(posted->text));
    posted->posted = saved_state_i64(in, 0, INT64_MAX);
}

void notifications_load(struct phone_notifications *notifications,
                        struct saved_state *in)
{
    struct phone_notification *list = mem_new(NOTIFICATIONS_MAX, sizeof(*list));
    size_t count = saved_state_count(in, NOTIFICATIONS_MAX);

    for (size_t i = 0; i < count; i++)
        load_one(&list[i], in);
    if (!in->trial && !in->broken) {
        pthread_mutex_lock(&notifications->lock);
        memcpy(notifications->list, list, count * sizeof(*list));
        notifications->count = count;
        notifications->changes++;
        pthread_mutex_unlock(&notifications->lock);
    }
    free(list);
}
