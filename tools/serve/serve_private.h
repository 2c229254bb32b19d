/*
 * What the files of tools/serve share.
 *
 * One lock guards phones and pages. While it is held, views may be asked
 * (phone_view_send and the like) and messages sent; views are opened and closed
 * without it only if that blocks (phone_view_close). The callbacks of views
 * never take it.
 */
#ifndef TOOLS_SERVE_SERVE_PRIVATE_H
#define TOOLS_SERVE_SERVE_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/cancel.h"
#include "base/json_write.h"
#include "base/thread_group.h"
#include "runner/device/phone_lock.h"
#include "tools/http_server/http_server.h"
#include "tools/http_server/web_session.h"
#include "tools/live/phone_view.h"
#include "tools/phone/phone.h"
#include "tools/serve/phone_finder.h"
#include "tools/serve/screenshot_downloads.h"
#include "tools/serve/serve.h"
#include "tools/serve/serve_message.h"
#include "tools/serve/serve_record.h"
#include "tools/serve/serve_run_private.h"

#define SERVE_PHONES_MAX                                                       \
    320 /* entries; those of lost phones are used again                        \
         */
#define SERVE_BUILTIN_MAX 16
#define SERVE_PAGES_MAX 64
#define SERVE_WATCHES_MAX 64 /* of one page */
#define SERVE_JOBS_MAX 16

enum served_kind {
    SERVED_USB,
    SERVED_NETWORK,
    SERVED_SERVER,
    SERVED_BUILTIN,
    SERVED_ADB, /* of a run */
};

/* The bit of clients that are not pages, but connected to the socket of the
 * run. */
#define SERVE_LOCAL_CLIENT (UINT64_C(1) << 63)

/* A phone that was seen. Its address stays the same; entries are never freed
 * while the server runs. */
struct served_phone {
    struct serve *serve;
    char serial[TCP_ADDRESS_MAX];
    enum served_kind kind;
    bool listed; /* false: it is gone */
    bool usable;
    char state[320];
    char model[64];
    char android[16];
    char note[64];   /* what else tells it from others; "" */
    int battery;     /* -1: not known */
    char holder[64]; /* the other process that uses it; "": none */

    struct phone *builtin;        /* NULL: reached over ADB */
    bool own;                     /* this server started it, and stops it */
    struct served_run_phone *run; /* owned; NULL: no run uses it */

    struct phone_view *view; /* owned; NULL: no watcher */
    struct phone_lock lock;  /* of the view's threads */
    bool measured;           /* rungs are known, from views before */
    struct live_rung_status rungs[LIVE_RUNGS];
    bool closing;               /* a thread of `closers` closes the view */
    bool stop_when_closed;      /* dropped: that thread also stops `builtin` */
    size_t watches;             /* those of lists (SERVE_WATCH, passive) are not
                                   counted: they do not keep the view open */
    size_t picture_watches;     /* of pages that cannot show video */
    enum live_rung rung_before; /* what was wanted before there was one */
    int64_t idle_since_ns;      /* without watches */
    uint64_t driver;            /* page that drives it; 0: none here */
    uint32_t epoch;             /* of that page */
    struct serve_recording *recording; /* it is being recorded; NULL: not */
    atomic_bool changed;               /* the status of the view */
    atomic_bool control_changed; /* fingers of the last driver may be down */
};

/* One canvas of one page. */
struct serve_watch {
    struct serve_watch *next;
    struct serve *serve;
    uint64_t client;
    int width; /* in pixels that can be seen */
    uint16_t number;
    struct served_phone *phone;
    bool video;                    /* the page can show it */
    bool passive;                  /* ends with the watches of others */
    pthread_mutex_t sending;       /* one packet after the other */
    struct phone_watcher *watcher; /* guarded by it; NULL: not now */
    struct buf status;             /* the last push of the phone's status */
};

/* One browser tab. */
struct serve_page {
    struct serve_page *next;
    uint64_t client;
    uint16_t last_watch;
    size_t watch_count;
    struct serve_watch *watches;       /* owned */
    struct buf phones;                 /* the last push of the list */
    struct serve_recording *recording; /* that it follows; NULL: none */
    uint64_t recording_seen;           /* its revision that was pushed last */
    struct number_owner {
        uint16_t number;
        uint64_t link;            /* id of the link to the run */
        int64_t asked;            /* id of its watch; 0: it was answered */
    } numbers[SERVE_WATCHES_MAX]; /* of watches in other processes */
    size_t number_count;
};

struct serve {
    struct serve_options options;
    char *only; /* owned */
    struct http_server *server;
    struct web_session *session;
    struct phone_finder *finder;
    struct screenshot_downloads shots;
    struct serve_record *record;

    pthread_mutex_t lock; /* guards all below up to jobs */
    struct served_phone *phones[SERVE_PHONES_MAX]; /* owned */
    size_t phone_count;
    size_t builtin_count; /* running or starting */
    struct serve_page *pages;
    struct phone_fonts *fonts; /* of built-in phones; opened when needed */
    pthread_cond_t closed;     /* a view was closed */
    struct serve_link *links;  /* owned; to runs in other processes */

    struct serve_run *run; /* owned; NULL: this process has no run */
    struct run_hub *hub;   /* of run or links; NULL: neither */

    struct thread_group jobs;
    struct thread_group closers; /* of views */
    struct cancel cancel;        /* ends jobs */
    pthread_mutex_t qr_lock;
    unsigned qr_number; /* guarded by it: of the newest search */

    pthread_t pusher;
    bool pushing; /* the thread runs */
    pthread_mutex_t wake_lock;
    pthread_cond_t wake;
    bool awake; /* guarded by wake_lock: something has changed */
    bool stopping;
};

/* ---- serve_phones.c ---- */

/* Can phones be added? Not where one phone alone is shown. */
bool serve_can_add(const struct serve *serve);

/* The phone of a serial; NULL: none is listed. With the lock. */
struct served_phone *serve_find_phone(struct serve *serve, const char *serial);
/* The entry of a serial, new if need be; NULL: there are too many. */
struct served_phone *serve_enter_phone(struct serve *serve, const char *serial);
/* Who drives the phone; NULL: it is not open. With the lock. */
struct control_lease *serve_lease(const struct served_phone *phone);
/* Let a page drive the phone, which is open. With the lock. */
void serve_take_lease(struct served_phone *phone, uint64_t client,
                      enum control_holder holder);
/* Give back what a page drives. With the lock. */
void serve_give_back(struct served_phone *phone);
void serve_set_state(struct served_phone *phone, const char *state);
/* Open the view of a phone if it is not open. With the lock. */
MUST_USE bool serve_ensure_view(struct served_phone *phone, struct err *err);
/*
 * The way to the picture that is used for all pages. Fails with ERR_REFUSED for
 * video while a page watches that cannot show it, or as phone_view_choose. The
 * view is open. With the lock.
 */
MUST_USE bool serve_choose_rung(struct served_phone *phone, enum live_rung rung,
                                struct err *err);
/* A page that cannot show video begins or ends to watch: pictures are used as
 * long as there is one. The view is open. With the lock. */
void serve_begin_pictures(struct served_phone *phone);
void serve_end_pictures(struct served_phone *phone);
/* Close views that were not used for a while, and try again to stop phones that
 * were dropped. With the lock. */
void serve_close_idle(struct serve *serve);
/* The phone is gone: end its watches and close its view in a thread, which then
 * stops a built-in phone of this server. With the lock. */
void serve_drop_phone(struct served_phone *phone, const char *why);
/* Close what drop and idle left open, at the end. */
void serve_close_phones(struct serve *serve);
/* For the finder. */
void serve_on_found(void *context, const struct found_phone *found,
                    size_t count);
bool serve_is_in_use(void *context, const char *serial);
/* Start a built-in phone. Without the lock; blocks. */
MUST_USE bool serve_start_builtin(struct serve *serve,
                                  const struct serve_message *message,
                                  char serial[TCP_ADDRESS_MAX],
                                  struct err *err);

/* ---- serve_pages.c ---- */

struct serve_page *serve_find_page(struct serve *serve, uint64_t client);
void serve_add_page(struct serve *serve, uint64_t client);
void serve_drop_page(struct serve *serve, uint64_t client);
MUST_USE bool serve_add_watch(struct serve *serve, struct serve_page *page,
                              struct served_phone *phone,
                              const struct serve_message *message,
                              struct err *err);
struct serve_watch *serve_find_watch(struct serve_page *page, uint16_t number);
void serve_drop_watch(struct serve_page *page, struct serve_watch *watch);
/* End all watches of a phone. With the lock. */
void serve_drop_watches(struct served_phone *phone);
/* The view is closed soon, and there is another one later: the watches stay.
 * With the lock. */
void serve_pause_watches(struct served_phone *phone);
void serve_resume_watches(struct served_phone *phone);
/*
 * Numbers of a page's watches in other processes, by the id of the link. With
 * the lock. The owner is 0 for a number that is not one of them. One that is
 * reserved waits for the answer to `asked`, and is forgotten when that is a
 * refusal.
 */
MUST_USE bool serve_reserve_number(struct serve_page *page, uint64_t link,
                                   int64_t asked, uint16_t *number,
                                   struct err *err);
bool serve_awaits_number(const struct serve_page *page, uint64_t link);
void serve_answer_number(struct serve_page *page, uint64_t link, int64_t asked,
                         bool done);
uint64_t serve_number_owner(const struct serve_page *page, uint16_t number);
void serve_forget_number(struct serve_page *page, uint16_t number);
void serve_forget_numbers(struct serve_page *page, uint64_t link);

/* ---- serve_handle.c ---- */

/* A message of a page, in the server's thread. */
void serve_handle(struct serve *serve, uint64_t client, const char *text,
                  size_t length);
/* Send an answer: tree gets id and ok, and is freed. */
void serve_answer(struct serve *serve, uint64_t client, int64_t id,
                  struct cJSON *tree);
void serve_answer_error(struct serve *serve, uint64_t client, int64_t id,
                        const struct err *err);
void serve_send_text(struct serve *serve, uint64_t client,
                     const struct buf *text);
void serve_send_bytes(struct serve *serve, uint64_t client, bool binary,
                      const char *data, size_t length);
/* Send a tree, which is freed. */
void serve_send(struct serve *serve, uint64_t client, struct cJSON *tree);

/* ---- serve_jobs.c ---- */

/* Do what a message asks for in a thread. Fails when too many run. */
MUST_USE bool serve_start_job(struct serve *serve, uint64_t client,
                              const struct serve_message *message,
                              struct err *err);

/* ---- serve_push.c ---- */

MUST_USE bool serve_pusher_start(struct serve *serve, struct err *err);
void serve_pusher_stop(struct serve *serve);
/* Something has changed: tell the pages. From any thread. */
void serve_wake(struct serve *serve);

#endif
