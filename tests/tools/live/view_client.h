/* A watcher that paints what it gets, and commands that wait for answers. */
#ifndef TESTS_TOOLS_LIVE_VIEW_CLIENT_H
#define TESTS_TOOLS_LIVE_VIEW_CLIENT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/picture/picture.h"
#include "tools/live/phone_view.h"

struct view_client {
    struct phone_view *view;
    struct phone_watcher *watcher;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ready;
    struct picture canvas; /* all that was painted */
    uint32_t frame;
    size_t packets;
    struct video_decoder *decoder; /* of videos; NULL: none came yet */
    size_t bytes;
    size_t lossy; /* JPEG patches so far */
    unsigned reduction;
};

/* A test's set-up owns its clients: a failed test closes them, too. */
void view_client_open(struct view_client *client, struct phone_view *view,
                      int width);
/* One that is not open is fine. */
void view_client_close(struct view_client *client);

/* Wait for a packet and paint it; the frame is not reported as seen. */
bool view_client_paint_unseen(struct view_client *client, int ms);

/* The same, and report it. False: none came in time. */
bool view_client_paint(struct view_client *client, int ms);

/*
 * Paint what comes until there is a pause; more may come after it. The client
 * has painted at least once then.
 */
void view_client_paint_all(struct view_client *client);

/* Is what was painted much like the PNG, as a video is? */
bool view_client_resembles(const struct view_client *client,
                           const struct buf *png);

/* Is what was painted the PNG? */
bool view_client_shows(const struct view_client *client, const struct buf *png);

struct awaited_answer {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool came;
    struct view_answer answer;
};

/*
 * Send a command, look whether its answer has come, and wait for it. False:
 * refused, or failed.
 */
bool view_command_send(struct phone_view *view,
                       const struct view_command *command,
                       struct awaited_answer *awaited, struct err *err);
bool view_command_is_answered(struct awaited_answer *awaited);
bool view_command_await(struct awaited_answer *awaited, struct buf *bytes,
                        struct err *err);

/* Send a command and wait for its answer. False: refused, or failed. */
bool view_command_run(struct phone_view *view,
                      const struct view_command *command, struct buf *bytes,
                      struct err *err);

/* Touches of one finger, on the frame that the client shows. */
bool view_client_touch(struct view_client *client, uint32_t epoch,
                       enum view_touch touch, int x, int y, struct err *err);

#endif
