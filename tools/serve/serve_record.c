#include "tools/serve/serve_record.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "tools/serve/serve_record_private.h"

/* ---- the list of recordings ---- */

static struct serve_recording *find(struct serve_record *record,
                                    const char *name)
{
    struct serve_recording *found = record->recordings;

    while (found && strcmp(found->name, name) != 0)
        found = found->next;
    return found;
}

/* The entry of a name, new if need be. With the lock. */
static struct serve_recording *enter(struct serve_record *record,
                                     const char *name)
{
    struct serve_recording *entry = find(record, name);

    if (entry)
        return entry;
    entry = mem_new(1, sizeof(*entry));
    entry->record = record;
    snprintf(entry->name, sizeof(entry->name), "%s", name);
    recording_view_init(&entry->view);
    pthread_mutex_init(&entry->use, NULL);
    entry->next = record->recordings;
    record->recordings = entry;
    return entry;
}

static void release(struct serve_recording *entry)
{
    recording_view_release(&entry->view);
    pthread_mutex_destroy(&entry->use);
    free(entry);
}

static bool is_followed(const struct serve *serve,
                        const struct serve_recording *entry)
{
    for (const struct serve_page *page = serve->pages; page;
         page = page->next) {
        if (page->recording == entry)
            return true;
    }
    return false;
}

/* Forget entries that are not used; by the thread, with the lock. */
static void drop_unused(struct serve_record *record)
{
    struct serve_recording **at = &record->recordings;

    while (*at) {
        struct serve_recording *entry = *at;

        if (entry->phone || entry->uses || is_followed(record->serve, entry)) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        release(entry);
    }
}

void serve_record_folder(const struct serve_record *record, const char *name,
                         struct buf *path)
{
    buf_printf(path, "%s/%s", record->folder, name);
}

/* ---- pushes ---- */

/* Of a live recorder. */
struct live_state {
    bool ready;
    bool in_hand;
    struct err failure;
};

/* What has changed since the page got it last, or all of it. */
static void push_to(struct serve_recording *entry, struct serve_page *page,
                    const struct live_state *live)
{
    const struct recording_view *view = &entry->view;
    const uint64_t since = recording_view_since(view, page->recording_seen);
    struct cJSON *head = json_new_object();
    struct buf text = BUF_INIT(SIZE_MAX);

    json_add_string(head, "push", "recording");
    json_add_string(head, "recording", entry->name);
    json_add_string(head, "phone", entry->phone ? entry->phone->serial : "");
    json_add_bool(head, "ready", live->ready);
    json_add_bool(head, "in_hand", live->in_hand);
    json_add_string(head, "failure", live->failure.text);
    json_add_bool(head, "finished", view->finished);
    json_add_bool(head, "all", !since);
    json_format(head, &text);
    cJSON_Delete(head);
    text.length--; /* the brace at the end */
    buf_text(&text, ",\"steps\":[");
    recording_view_write(view, since, &text);
    buf_text(&text, "]}");
    serve_send_text(entry->record->serve, page->client, &text);
    page->recording_seen = view->revision;
    buf_release(&text);
}

static void push(struct serve_recording *entry, const struct live_state *live)
{
    struct serve *serve = entry->record->serve;

    pthread_mutex_lock(&serve->lock);
    for (struct serve_page *page = serve->pages; page; page = page->next) {
        if (page->recording == entry)
            push_to(entry, page, live);
    }
    pthread_mutex_unlock(&serve->lock);
}

/* Read it again, and tell its pages. By the thread. */
static void refresh(struct serve_recording *entry)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct live_state live = {.failure = ERR_INIT};
    bool changed, failed;

    pthread_mutex_lock(&entry->use);
    if (entry->live) {
        live.ready = live_recorder_is_ready(entry->live, &live.failure);
        live.in_hand = live_recorder_is_in_hand(entry->live);
    }
    pthread_mutex_unlock(&entry->use);
    failed = live.failure.code != ERR_NONE;
    serve_record_folder(entry->record, entry->name, &folder);
    if (recording_is_one(buf_cstr(&folder)) &&
        !recording_view_read(&entry->view, buf_cstr(&folder), entry->name,
                             &changed, &live.failure))
        live.ready = false;
    buf_release(&folder);
    push(entry, &live);
    if (failed)
        serve_record_end_failed(entry);
}

void serve_record_changed(struct serve_recording *entry)
{
    struct serve_record *record = entry->record;

    entry->changed = true;
    pthread_mutex_lock(&record->lock);
    record->awake = true;
    pthread_cond_signal(&record->wake);
    pthread_mutex_unlock(&record->lock);
}

/* ---- pages ---- */

void serve_record_follow(struct serve_record *record, uint64_t client,
                         const char *name)
{
    struct serve *serve = record->serve;
    struct serve_recording *entry;
    struct serve_page *page;

    pthread_mutex_lock(&serve->lock);
    page = serve_find_page(serve, client);
    entry = page ? enter(record, name) : NULL;
    if (page) {
        page->recording = entry;
        page->recording_seen = 0;
    }
    pthread_mutex_unlock(&serve->lock);
    if (entry)
        refresh(entry);
}

/* ---- the thread ---- */

/* Take the first job, or find that something has changed; false: it is over. */
static bool take(struct serve_record *record, struct record_job **job)
{
    bool goes_on;

    pthread_mutex_lock(&record->lock);
    while (!record->first && !record->awake && !record->stopping)
        pthread_cond_wait(&record->wake, &record->lock);
    *job = record->first;
    if (*job) {
        record->first = (*job)->next;
        record->waiting--;
    }
    if (!record->first)
        record->last = &record->first;
    record->awake = false;
    goes_on = *job || !record->stopping;
    pthread_mutex_unlock(&record->lock);
    return goes_on;
}

/* The next entry that has changed, held; NULL: none. */
static struct serve_recording *next_changed(struct serve_record *record)
{
    struct serve_recording *entry;

    pthread_mutex_lock(&record->serve->lock);
    for (entry = record->recordings; entry; entry = entry->next) {
        if (atomic_exchange(&entry->changed, false)) {
            entry->uses++;
            break;
        }
    }
    if (!entry)
        drop_unused(record);
    pthread_mutex_unlock(&record->serve->lock);
    return entry;
}

static void refresh_changed(struct serve_record *record)
{
    struct serve_recording *entry;

    while ((entry = next_changed(record)) != NULL) {
        refresh(entry);
        pthread_mutex_lock(&record->serve->lock);
        entry->uses--;
        pthread_mutex_unlock(&record->serve->lock);
    }
}

static void *work(void *context)
{
    struct serve_record *record = context;
    struct record_job *job;

    while (take(record, &job)) {
        if (job)
            serve_record_do(record, job);
        refresh_changed(record);
    }
    return NULL;
}

static bool add_job(struct serve_record *record, struct serve_page *page,
                    struct served_phone *phone,
                    const struct serve_message *message, struct err *err)
{
    struct record_job *job;

    pthread_mutex_lock(&record->lock);
    if (record->waiting == RECORD_JOBS_MAX) {
        pthread_mutex_unlock(&record->lock);
        return err_set(err, ERR_BUSY,
                       "too many requests are waiting: try again later");
    }
    job = mem_new(1, sizeof(*job));
    *job = (struct record_job){.client = page->client,
                               .id = message->id,
                               .phone = phone,
                               .verb = message->verb,
                               .request = message->record};
    if (message->record.text)
        job->request.text = mem_dup(message->record.text);
    *record->last = job;
    record->last = &job->next;
    record->waiting++;
    pthread_cond_signal(&record->wake);
    pthread_mutex_unlock(&record->lock);
    return true;
}

bool serve_record_ask(struct serve_record *record, struct serve_page *page,
                      const struct serve_message *message, struct err *err)
{
    return add_job(record, page, NULL, message, err);
}

/* Let the phone and its entry belong together; with the lock. */
static void reserve(struct serve_recording *entry, struct served_phone *phone)
{
    entry->phone = phone;
    phone->recording = entry;
}

/* The thread needs the lock to find the entry, which is reserved by then. */
bool serve_record_begin(struct serve_record *record, struct serve_page *page,
                        struct served_phone *phone,
                        const struct serve_message *message, struct err *err)
{
    const char *name = message->record.recording;
    const struct serve_recording *entry = find(record, name);

    if (phone->recording || (entry && entry->phone))
        return err_set(err, ERR_BUSY,
                       "%s is being recorded as %s: stop that "
                       "first",
                       phone->serial,
                       phone->recording ? phone->recording->name : name);
    if (!add_job(record, page, phone, message, err))
        return false;
    reserve(enter(record, name), phone);
    return true;
}

bool serve_record_start(struct serve *serve, const char *folder,
                        struct serve_record **record, struct err *err)
{
    struct serve_record *made = mem_new(1, sizeof(*made));
    int failure;

    made->serve = serve;
    made->folder = mem_dup(folder ? folder : RECORDINGS_FOLDER);
    made->last = &made->first;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->wake, NULL);
    failure = pthread_create(&made->thread, NULL, work, made);
    if (!failure) {
        *record = made;
        return true;
    }
    pthread_cond_destroy(&made->wake);
    pthread_mutex_destroy(&made->lock);
    free(made->folder);
    free(made);
    return err_errno(err, failure, "start a thread for recordings");
}

void serve_record_stop(struct serve_record *record)
{
    struct serve_recording *entry, *next;

    if (!record)
        return;
    pthread_mutex_lock(&record->lock);
    record->stopping = true;
    pthread_cond_signal(&record->wake);
    pthread_mutex_unlock(&record->lock);
    pthread_join(record->thread, NULL);
    for (entry = record->recordings; entry; entry = next) {
        struct err ignored; /* it was not being recorded */

        next = entry->next;
        (void)!serve_record_end_live(entry, false, &ignored);
        if (entry->phone)
            entry->phone->recording = NULL;
        release(entry);
    }
    pthread_cond_destroy(&record->wake);
    pthread_mutex_destroy(&record->lock);
    free(record->folder);
    free(record);
}

/* ---- pictures ---- */

/* "/recording/NAME/screens/0003.png" to the name and the file in its folder. */
static bool read_path(const char *path, char name[RECORDING_NAME_MAX],
                      const char **file)
{
    static const char folder[] = "/recording/";
    static const char screens[] = "screens/";
    const char *slash, *digits;
    size_t length;

    if (strncmp(path, folder, sizeof(folder) - 1) != 0)
        return false;
    path += sizeof(folder) - 1;
    slash = strchr(path, '/');
    length = slash ? (size_t)(slash - path) : RECORDING_NAME_MAX;
    if (length >= RECORDING_NAME_MAX)
        return false;
    memcpy(name, path, length);
    name[length] = '\0';
    *file = slash + 1;
    if (strncmp(*file, screens, sizeof(screens) - 1) != 0)
        return false;
    digits = *file + sizeof(screens) - 1;
    length = strspn(digits, "0123456789");
    return recording_name_is_valid(name) && length && length < 12 &&
           !strcmp(digits + length, ".png");
}

bool serve_record_picture(struct serve_record *record,
                          struct http_server *server,
                          const struct http_request *request)
{
    struct http_answer answer = {
        .status = 200, .type = "image/png", .body = BUF_INIT(RECORD_PNG_MAX)};
    struct buf path = BUF_INIT(PATH_MAX);
    char name[RECORDING_NAME_MAX];
    const char *file;
    struct err err;
    bool done;

    if (strcmp(request->method, "GET") != 0 ||
        !read_path(request->path, name, &file))
        return false;
    serve_record_folder(record, name, &path);
    buf_printf(&path, "/%s", file);
    done = !path.overflow && file_load(buf_cstr(&path), &answer.body, &err);
    buf_release(&path);
    if (!done) {
        buf_release(&answer.body);
        return false;
    }
    http_server_answer(server, request->id, &answer);
    return true;
}
