/* Declarations shared by the shade and its screen. */
#ifndef TOOLS_PHONE_ACTIVITIES_NOTIFICATION_SHADE_PRIVATE_H
#define TOOLS_PHONE_ACTIVITIES_NOTIFICATION_SHADE_PRIVATE_H

#include <pthread.h>

#include "tools/phone/activities/notification_shade.h"

/* Ids above those of apps, so that they do not collide. */
enum shade_action {
    SHADE_TOGGLE = (1 << 28) + 1, /* plus the tile's index */
    SHADE_OPEN,                   /* plus the notification's index */
    SHADE_OPEN_DEBUGGING,
    SHADE_OPEN_SETTINGS,
    SHADE_CLEAR_ALL,
    SHADE_SET_BRIGHTNESS,
    SHADE_COLLAPSE,
};

#define SHADE_TILES 8U

/* A switch of the settings, and its event in the ground truth. */
struct shade_tile {
    const char *name;
    const char *icon;
    const char *labels[2];
    enum settings_space space;
    const char *setting;
    const char *on;
    const char *off;
};

extern const struct shade_tile shade_tiles[SHADE_TILES];

struct notification_shade {
    struct phone_app app;
    struct phone_app *below; /* the task stack's app; closed with this one */
    struct task_stack *task_stack;
    struct handset *handset;
    struct truth_log *truth;
    unsigned long settings; /* number of changes that the last screen showed */
    unsigned long notifications; /* the same for notifications */

    pthread_mutex_t lock; /* guards everything below */
    enum notification_shade_state state;
    bool changed; /* since the last call of changed() */
};

bool shade_tile_is_on(struct notification_shade *shade,
                      const struct shade_tile *tile);

/* Add the window of an open shade to the tree. */
void notification_shade_build(struct notification_shade *shade,
                              const struct phone_surroundings *around,
                              struct widget_tree *tree);

#endif
