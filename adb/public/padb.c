/* The installed library: wrappers with their own prefix and plain types. */
#include "adb/public/proctor-adb.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "adb/device/device.h"
#include "adb/discover/discover_config.h"
#include "adb/install/install.h"
#include "adb/services/forward.h"
#include "adb/services/reverse.h"
#include "adb/services/screenshot.h"
#include "adb/services/shell.h"
#include "adb/sync/sync.h"
#include "base/cancel.h"
#include "base/mem.h"
#include "base/picture/png.h"

#define OUTPUT_LIMIT ((size_t)64 * 1024 * 1024)

struct padb {
    struct cancel cancel;
    struct discover_config discover_config;
    padb_notice_fn *notice; /* may be NULL */
    void *notice_context;
};

struct padb_device {
    struct device *device;   /* owned */
    pthread_mutex_t lock;    /* guards reverse */
    struct reverse *reverse; /* owned; NULL until the first is added */
};

#define SAME_CODE(name)                                                        \
    _Static_assert((int)PADB_##name == (int)ERR_##name,                        \
                   "padb_code and err_code are one list")
SAME_CODE(IO);
SAME_CODE(TIMEOUT);
SAME_CODE(CANCELLED);
SAME_CODE(PROTOCOL);
SAME_CODE(CLOSED);
SAME_CODE(LOST);
SAME_CODE(UNREACHABLE);
SAME_CODE(REFUSED);
SAME_CODE(REMOTE);
SAME_CODE(UNAUTHORIZED);
SAME_CODE(BUSY);
SAME_CODE(DENIED);
SAME_CODE(NOT_FOUND);
SAME_CODE(INVALID);
SAME_CODE(LIMIT);
SAME_CODE(NO_SPACE);
SAME_CODE(UNSUPPORTED);

_Static_assert(sizeof(struct padb_error) == sizeof(struct err),
               "padb_error and err hold the same");

/* Copy an error. Always false. */
static bool fail(struct padb_error *error, const struct err *err)
{
    if (error) {
        error->code = (enum padb_code)err->code;
        memcpy(error->text, err->text, sizeof(error->text));
    }
    return false;
}

static struct deadline within(int timeout_ms)
{
    return timeout_ms < 0 ? DEADLINE_NEVER : deadline_in_ms(timeout_ms);
}

const char *padb_version(void)
{
    return PROCTOR_VERSION;
}

static void pass_notice_on(void *context, const char *line)
{
    const struct padb *adb = context;

    if (adb->notice)
        adb->notice(adb->notice_context, line);
}

struct padb *padb_new(struct padb_error *error)
{
    struct padb *adb = mem_new(1, sizeof(*adb));
    struct err err;

    adb->cancel = (struct cancel)CANCEL_INIT;
    if (cancel_init(&adb->cancel, &err) &&
        discover_config_init(&adb->discover_config, pass_notice_on, adb,
                             &adb->cancel, NULL, &err))
        return adb;
    fail(error, &err);
    padb_free(adb);
    return NULL;
}

void padb_on_notice(struct padb *adb, padb_notice_fn *notice, void *context)
{
    adb->notice = notice;
    adb->notice_context = context;
}

void padb_free(struct padb *adb)
{
    if (!adb)
        return;
    discover_config_release(&adb->discover_config);
    cancel_release(&adb->cancel);
    free(adb);
}

void padb_cancel(struct padb *adb)
{
    cancel_fire(&adb->cancel);
}

/* ---- devices ---- */

static void copy_listed(struct padb_list *list,
                        const struct discover_entries *entries)
{
    list->count = entries->count;
    list->items = mem_new(entries->count, sizeof(*list->items));
    for (size_t i = 0; i < entries->count; i++) {
        const struct discover_entry *entry = &entries->items[i];

        list->items[i] = (struct padb_listed){
            .serial = mem_dup(entry->serial),
            .state = mem_dup(entry->state),
            .model = mem_dup(entry->model),
            .through_server = entry->route == DISCOVER_SERVER,
        };
    }
}

bool padb_devices(struct padb *adb, int timeout_ms, struct padb_list *list,
                  struct padb_error *error)
{
    struct discover_entries entries = {0};
    struct err err;

    if (!discover_list(&adb->discover_config.discover, within(timeout_ms),
                       &entries, &err))
        return fail(error, &err);
    copy_listed(list, &entries);
    discover_entries_release(&entries);
    return true;
}

static void free_text(const char *text)
{
    free((char *)(uintptr_t)text);
}

void padb_list_free(struct padb_list *list)
{
    if (!list)
        return;
    for (size_t i = 0; i < list->count; i++) {
        free_text(list->items[i].serial);
        free_text(list->items[i].state);
        free_text(list->items[i].model);
    }
    free(list->items);
    *list = (struct padb_list){0};
}

struct padb_device *padb_open(struct padb *adb, const char *serial,
                              int timeout_ms, struct padb_error *error)
{
    struct auth_credentials credentials = adb->discover_config.credentials;
    struct discover discover = adb->discover_config.discover;
    struct padb_device *opened;
    struct device *device;
    struct err err;

    credentials.limit = within(timeout_ms);
    discover.credentials = &credentials;
    if (!discover_open(&discover, serial, credentials.limit, &device, &err)) {
        fail(error, &err);
        return NULL;
    }
    opened = mem_new(1, sizeof(*opened));
    opened->device = device;
    pthread_mutex_init(&opened->lock, NULL);
    return opened;
}

void padb_close(struct padb_device *device)
{
    if (!device)
        return;
    reverse_stop(device->reverse);
    device_close(device->device);
    pthread_mutex_destroy(&device->lock);
    free(device);
}

const char *padb_serial(const struct padb_device *device)
{
    return device_serial(device->device);
}

/* ---- commands ---- */

/* The bytes of a buffer, which is then empty; never NULL. */
static char *take_text(struct buf *buf, size_t *length)
{
    char *text = buf->data ? buf->data : mem_dup("");

    *length = buf->length;
    *buf = (struct buf)BUF_INIT(0);
    return text;
}

bool padb_shell(struct padb_device *device, const char *command, int timeout_ms,
                struct padb_output *output, struct padb_error *error)
{
    struct shell_result result;
    struct err err;

    if (!shell_run(device->device, command, OUTPUT_LIMIT, within(timeout_ms),
                   &result, &err))
        return fail(error, &err);
    output->text = take_text(&result.out, &output->length);
    output->errors = take_text(&result.errors, &output->errors_length);
    output->status = result.status;
    shell_result_release(&result);
    return true;
}

void padb_output_free(struct padb_output *output)
{
    if (!output)
        return;
    free(output->text);
    free(output->errors);
    *output = (struct padb_output){0};
}

char *padb_quote(const char *text)
{
    struct buf quoted = BUF_INIT(SIZE_MAX / 2);
    size_t length;

    shell_quote(&quoted, text);
    return take_text(&quoted, &length);
}

void padb_quoted_free(char *quoted)
{
    free(quoted);
}

/* ---- files ---- */

static bool open_sync(struct padb_device *device, struct deadline by,
                      struct sync **sync, struct padb_error *error)
{
    const struct sync_options options = {.compression = SYNC_ANY};
    struct err err;

    return sync_open(device->device, &options, by, sync, &err) ||
           fail(error, &err);
}

static struct padb_stat public_stat(const struct sync_stat *stat)
{
    return (struct padb_stat){
        .mode = stat->mode, .size = stat->size, .mtime = stat->mtime};
}

bool padb_stat(struct padb_device *device, const char *path, int timeout_ms,
               struct padb_stat *stat, struct padb_error *error)
{
    struct deadline by = within(timeout_ms);
    struct sync_stat found;
    struct sync *sync;
    struct err err;
    bool done;

    if (!open_sync(device, by, &sync, error))
        return false;
    done = sync_stat(sync, path, true, by, &found, &err) || fail(error, &err);
    if (done)
        *stat = public_stat(&found);
    sync_close(sync);
    return done;
}

struct entry_call {
    padb_entry_fn *entry;
    void *context;
};

static bool call_entry(void *context, const char *name,
                       const struct sync_stat *stat)
{
    const struct entry_call *call = context;
    struct padb_stat public = public_stat(stat);

    return call->entry(call->context, name, &public);
}

bool padb_list_directory(struct padb_device *device, const char *path,
                         padb_entry_fn *entry, void *context, int timeout_ms,
                         struct padb_error *error)
{
    struct deadline by = within(timeout_ms);
    struct entry_call call = {entry, context};
    struct sync *sync;
    struct err err;
    bool done;

    if (!open_sync(device, by, &sync, error))
        return false;
    done =
        sync_list(sync, path, call_entry, &call, by, &err) || fail(error, &err);
    sync_close(sync);
    return done;
}

typedef bool sync_copy_fn(struct sync *sync, const char *from, const char *to,
                          struct deadline by, struct sync_totals *totals,
                          struct err *err);

static bool copy(struct padb_device *device, sync_copy_fn *way,
                 const char *from, const char *to, struct deadline by,
                 struct padb_error *error)
{
    struct sync_totals totals;
    struct sync *sync;
    struct err err;
    bool done;

    if (!open_sync(device, by, &sync, error))
        return false;
    done = way(sync, from, to, by, &totals, &err) || fail(error, &err);
    sync_close(sync);
    return done;
}

bool padb_push(struct padb_device *device, const char *local,
               const char *remote, int timeout_ms, struct padb_error *error)
{
    return copy(device, sync_push, local, remote, within(timeout_ms), error);
}

bool padb_pull(struct padb_device *device, const char *remote,
               const char *local, int timeout_ms, struct padb_error *error)
{
    return copy(device, sync_pull, remote, local, within(timeout_ms), error);
}

bool padb_install(struct padb_device *device, const char *apk, int timeout_ms,
                  struct padb_error *error)
{
    const struct install_options options = {.reinstall = true};
    struct err err;

    return install_apk(device->device, apk, &options, within(timeout_ms),
                       &err) ||
           fail(error, &err);
}

/* ---- the screen ---- */

bool padb_screenshot(struct padb_device *device, int timeout_ms,
                     struct padb_picture *picture, struct padb_error *error)
{
    struct screenshot taken = SCREENSHOT_INIT;
    struct err err;
    bool done = screenshot_take(device->device, SCREENSHOT_ANY,
                                within(timeout_ms), &taken, &err);

    if (done && taken.way == SCREENSHOT_PNG)
        done = png_decode(taken.bytes.data, taken.bytes.length, &taken.picture,
                          &err);
    if (done) {
        *picture = (struct padb_picture){.width = taken.picture.width,
                                         .height = taken.picture.height,
                                         .stride = taken.picture.stride,
                                         .pixels = taken.picture.pixels};
        taken.picture = (struct picture)PICTURE_INIT;
    }
    screenshot_release(&taken);
    return done || fail(error, &err);
}

void padb_picture_free(struct padb_picture *picture)
{
    if (!picture)
        return;
    free(picture->pixels);
    *picture = (struct padb_picture){0};
}

/* ---- ports ---- */

struct padb_forward *padb_forward_start(struct padb_device *device,
                                        const char *local, const char *remote,
                                        struct padb_error *error)
{
    struct forward *forward;
    struct err err;

    if (!forward_start(device->device, local, remote, NULL, &forward, &err)) {
        fail(error, &err);
        return NULL;
    }
    return (struct padb_forward *)forward;
}

const char *padb_forward_local(const struct padb_forward *forward)
{
    return forward_local((const struct forward *)forward);
}

void padb_forward_stop(struct padb_forward *forward)
{
    forward_stop((struct forward *)forward);
}

/* For reverse connections; created when first needed. */
static struct reverse *reverse_of(struct padb_device *device, struct err *err)
{
    struct reverse *reverse;

    pthread_mutex_lock(&device->lock);
    if (!device->reverse && reverse_start(device->device, NULL, &reverse, err))
        device->reverse = reverse;
    reverse = device->reverse;
    pthread_mutex_unlock(&device->lock);
    return reverse;
}

bool padb_reverse_add(struct padb_device *device, const char *remote,
                      const char *local, int timeout_ms, uint16_t *port,
                      struct padb_error *error)
{
    struct err err;
    struct reverse *reverse = reverse_of(device, &err);

    return (reverse && reverse_add(reverse, remote, local, true,
                                   within(timeout_ms), port, &err)) ||
           fail(error, &err);
}

bool padb_reverse_remove(struct padb_device *device, const char *remote,
                         int timeout_ms, struct padb_error *error)
{
    struct err err;
    struct reverse *reverse = reverse_of(device, &err);

    return (reverse &&
            reverse_remove(reverse, remote, within(timeout_ms), &err)) ||
           fail(error, &err);
}

/* ---- any service ---- */

struct padb_stream *padb_stream_open(struct padb_device *device,
                                     const char *service, int timeout_ms,
                                     struct padb_error *error)
{
    struct stream *stream;
    struct err err;

    if (!device_open_service(device->device, service, within(timeout_ms),
                             &stream, &err)) {
        fail(error, &err);
        return NULL;
    }
    return (struct padb_stream *)stream;
}

bool padb_stream_read(struct padb_stream *stream, void *data, size_t size,
                      int timeout_ms, size_t *got, struct padb_error *error)
{
    struct err err;

    return stream_read((struct stream *)stream, data, size, within(timeout_ms),
                       got, &err) ||
           fail(error, &err);
}

bool padb_stream_write(struct padb_stream *stream, const void *data,
                       size_t size, int timeout_ms, struct padb_error *error)
{
    struct err err;

    return stream_write((struct stream *)stream, data, size, within(timeout_ms),
                        &err) ||
           fail(error, &err);
}

void padb_stream_close(struct padb_stream *stream)
{
    stream_close((struct stream *)stream);
}
