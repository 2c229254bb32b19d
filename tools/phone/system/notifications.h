/* The posted notifications: the newest first, in limited number. */
#ifndef TOOLS_PHONE_SYSTEM_NOTIFICATIONS_H
#define TOOLS_PHONE_SYSTEM_NOTIFICATIONS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/phone/core/saved_state.h"

/* When another one is posted, the oldest is removed. */
#define NOTIFICATIONS_MAX 16U

struct phone_notification {
    char package[128];
    char tag[64]; /* one of the same package and tag is replaced */
    char title[96];
    char text[256];
    int64_t posted; /* nanoseconds since 1970 */
};

/* Every call is safe from any thread. */
struct phone_notifications {
    pthread_mutex_t lock; /* guards everything below */
    struct phone_notification list[NOTIFICATIONS_MAX];
    size_t count;
    unsigned long changes; /* number of changes, to detect new ones */
};

void notifications_init(struct phone_notifications *notifications);
void notifications_release(struct phone_notifications *notifications);

void notifications_post(struct phone_notifications *notifications,
                        const struct phone_notification *posted);

/* Remove the one at this index. False if there is none. */
bool notifications_remove(struct phone_notifications *notifications, size_t at);
void notifications_clear(struct phone_notifications *notifications);

/* Copy all into list, and return their number. */
size_t notifications_list(struct phone_notifications *notifications,
                          struct phone_notification list[NOTIFICATIONS_MAX]);

unsigned long notifications_changes(struct phone_notifications *notifications);

void notifications_save(struct phone_notifications *notifications,
                        struct buf *out);
void notifications_load(struct phone_notifications *notifications,
                        struct saved_state *in);

#endif
