/* The phones of a run as they come and go: a source around another one. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone_source/phone_device.h"
#include "tools/phone_source/phone_source.h"
#include "tools/serve/serve_private.h"

struct run_source {
    struct device_source source; /* first */
    struct run_source *next;
    struct serve *serve;
    struct device_source *inner; /* borrowed */
    bool builtin;
};

static struct served_phone *phone_of(const struct run_source *self,
                                     const struct device_lease *lease)
{
    const struct serve_run *run = self->serve->run;

    for (size_t i = 0; i < run->count; i++) {
        if (!strcmp(run->phones[i]->run->serial, lease->serial))
            return run->phones[i];
    }
    return NULL;
}

/* ---- built-in phones ---- */

/* The phone is there, and no one changes it now. */
static void show_builtin(struct served_phone *phone, struct phone *builtin)
{
    struct device *device = phone_device_open(builtin, phone->serial);
    struct phone_facts facts = {.battery = -1};
    struct serve *serve = phone->serve;

    phone_facts_read(&facts, device);
    device_close(device);
    pthread_mutex_lock(&serve->lock);
    phone->builtin = builtin;
    phone->run->away = false;
    phone->battery = facts.battery;
    memcpy(phone->model, facts.model, sizeof(phone->model));
    memcpy(phone->android, facts.android, sizeof(phone->android));
    serve_set_state(phone, "ready");
    serve_resume_watches(phone);
    pthread_mutex_unlock(&serve->lock);
    serve_wake(serve);
}

/* No thread of a view uses the phone afterwards. */
static void hide_builtin(struct served_phone *phone)
{
    struct serve *serve = phone->serve;
    struct phone_view *view;

    pthread_mutex_lock(&serve->lock);
    phone->run->away = true;
    serve_set_state(phone, "being prepared");
    serve_pause_watches(phone);
    while (phone->closing)
        pthread_cond_wait(&serve->closed, &serve->lock);
    view = phone->view;
    phone->view = NULL;
    phone->builtin = NULL;
    pthread_mutex_unlock(&serve->lock);
    phone_view_close(view);
    serve_wake(serve);
}

/* ---- both kinds ---- */

static void show(const struct run_source *self, struct device_lease *lease)
{
    struct served_phone *phone = phone_of(self, lease);
    struct phone *builtin = self->builtin ? phone_source_phone(lease) : NULL;

    if (!phone)
        return;
    if (builtin)
        show_builtin(phone, builtin);
    else if (!self->builtin && lease->device)
        lent_device_give(&phone->run->lent, lease->device);
}

static void hide(const struct run_source *self, struct device_lease *lease)
{
    struct served_phone *phone = phone_of(self, lease);

    if (!phone)
        return;
    if (self->builtin)
        hide_builtin(phone);
    else
        lent_device_withdraw(&phone->run->lent);
}

/* ---- the source's interface ---- */

static struct run_source *self_of(struct device_source *source)
{
    return (struct run_source *)source;
}

static bool run_source_list(struct device_source *source, struct deadline by,
                            char ***serials, size_t *count, struct err *err)
{
    struct device_source *inner = self_of(source)->inner;

    return inner->ops->list(inner, by, serials, count, err);
}

static bool run_source_acquire(struct device_source *source, const char *serial,
                               struct deadline by, struct device_lease **lease,
                               struct err *err)
{
    struct device_source *inner = self_of(source)->inner;

    if (!inner->ops->acquire(inner, serial, by, lease, err))
        return false;
    show(self_of(source), *lease);
    return true;
}

/* A built-in phone stays the same: views do not use the connection. */
static bool run_source_renew(struct device_source *source,
                             struct device_lease *lease, struct deadline by,
                             struct err *err)
{
    const struct run_source *self = self_of(source);
    bool done;

    if (!self->builtin)
        hide(self, lease);
    done = self->inner->ops->renew(self->inner, lease, by, err);
    if (!self->builtin)
        show(self, lease);
    return done;
}

static bool run_source_refresh(struct device_source *source,
                               struct device_lease *lease, const char *snapshot,
                               const char *locale, struct deadline by,
                               struct err *err)
{
    const struct run_source *self = self_of(source);
    bool done;

    hide(self, lease);
    done = self->inner->ops->refresh(self->inner, lease, snapshot, locale, by,
                                     err);
    show(self, lease);
    return done;
}

static void run_source_release(struct device_source *source,
                               struct device_lease *lease)
{
    const struct run_source *self = self_of(source);

    hide(self, lease);
    self->inner->ops->release(self->inner, lease);
}

/* Its owner closes the inner one. */
static void run_source_close(struct device_source *source)
{
    (void)source;
}

struct device_source *serve_run_source(struct serve *serve,
                                       struct device_source *inner,
                                       bool builtin)
{
    static const struct device_source_ops ops = {
        .list = run_source_list,
        .acquire = run_source_acquire,
        .renew = run_source_renew,
        .refresh = run_source_refresh,
        .release = run_source_release,
        .close = run_source_close,
    };
    struct run_source *made = mem_new(1, sizeof(*made));

    *made = (struct run_source){.source.ops = &ops,
                                .next = serve->run->sources,
                                .serve = serve,
                                .inner = inner,
                                .builtin = builtin};
    serve->run->sources = made;
    return &made->source;
}

void serve_run_sources_free(struct serve_run *run)
{
    while (run->sources) {
        struct run_source *source = run->sources;

        run->sources = source->next;
        free(source);
    }
}
