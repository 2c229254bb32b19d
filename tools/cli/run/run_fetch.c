#include "tools/cli/run/run_fetch.h"

#include <pthread.h>

#include "base/thread_group.h"

#define TRIES 8

struct fetch_session {
    const struct run_recordings *recordings;
    struct store_client *client;
    const struct cancel *cancel;
    pthread_mutex_t lock; /* guards all below */
    size_t next;
    struct err err; /* the first failure */
};

static void on_warning(void *context, const char *text)
{
    cli_message(context, "%s", text);
}

bool run_fetch_open(struct cli_context *cli, struct store_client **client,
                    struct err *err)
{
    const struct store_options options = {.cancel = cli->cancel,
                                          .tries = TRIES,
                                          .warn = on_warning,
                                          .context = cli};

    return store_client_open(&options, client, err);
}

static void work(void *context)
{
    struct fetch_session *session = context;

    pthread_mutex_lock(&session->lock);
    while (session->next < session->recordings->count &&
           session->err.code == ERR_NONE && !cancel_fired(session->cancel)) {
        size_t index = session->next++;
        struct err err = ERR_INIT;
        bool done;

        pthread_mutex_unlock(&session->lock);
        done = run_recordings_fetch(session->recordings, index, session->client,
                                    &err);
        pthread_mutex_lock(&session->lock);
        if (!done && session->err.code == ERR_NONE)
            session->err = err;
    }
    pthread_mutex_unlock(&session->lock);
}

static bool fetch(struct cli_context *cli,
                  const struct run_recordings *recordings, struct err *err)
{
    struct fetch_session session = {.recordings = recordings,
                                    .cancel = cli->cancel,
                                    .lock = PTHREAD_MUTEX_INITIALIZER,
                                    .err = ERR_INIT};

    if (!run_fetch_open(cli, &session.client, err))
        return false;
    cli_message(cli, "fetching %zu recordings of %s", recordings->count,
                recordings->run);
    thread_group_share(RUN_FETCH_AT_ONCE, work, &session);
    store_client_close(session.client);
    if (session.err.code != ERR_NONE) {
        *err = session.err;
        return false;
    }
    return !cancel_fired(cli->cancel) ||
           err_set(err, ERR_CANCELLED, "interrupted");
}

bool run_fetch_all(struct cli_context *cli, const char *run, struct err *err)
{
    struct run_recordings recordings;
    bool done;

    if (!run_recordings_find(run, &recordings, err))
        return false;
    done = !recordings.count || fetch(cli, &recordings, err);
    run_recordings_release(&recordings);
    return done;
}
