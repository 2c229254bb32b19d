/*
 * Runs in other processes: each page has a connection to each run, which
 * carries the same messages as the page's WebSocket (docs/serve.md).
 *
 *     page ──▶ serve_handle ──▶ serve_forward ──▶ socket of the run
 *     page ◀───────── as they come ◀───────────── answers, pushes, frames
 *
 * A page's numbers of watches are given here, so that those of several runs
 * differ.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/serve/serve_private.h"

#define LINKS_MAX 512
#define MESSAGE_MAX ((size_t)16 << 20)
#define QUEUE_MAX ((size_t)4 << 20)
#define WATCH_ANSWER_MAX ((size_t)4096) /* longer messages answer no watch */

/* ---- links ---- */

static struct serve_link *find_link(struct serve *serve, uint64_t id)
{
    struct serve_link *link = serve->links;

    while (link && link->id != id)
        link = link->next;
    return link;
}

static struct serve_link *link_of(struct serve *serve, uint64_t page,
                                  const char *name)
{
    struct serve_link *link = serve->links;

    while (link && (link->page != page || strcmp(link->name, name) != 0))
        link = link->next;
    return link;
}

static void free_link(struct serve *serve, struct serve_link *link)
{
    struct serve_link **at = &serve->links;

    while (*at != link)
        at = &(*at)->next;
    *at = link->next;
    free(link);
}

static bool connect_page(struct serve *serve, struct serve_page *page,
                         const char *name)
{
    struct serve_link *link;
    struct err ignored; /* it is tried again */
    uint64_t id;
    int fd;

    if (!run_socket_connect(name, &fd, &ignored))
        return false;
    id = run_hub_add(serve->hub, fd);
    if (!id)
        return false;
    link = mem_new(1, sizeof(*link));
    *link = (struct serve_link){
        .next = serve->links, .page = page->client, .id = id};
    snprintf(link->name, sizeof(link->name), "%s", name);
    serve->links = link;
    return true;
}

void serve_attach_runs(struct serve *serve)
{
    struct run_socket_names names;

    if (!serve->options.attach || !serve->pages)
        return;
    run_socket_list(&names);
    for (struct serve_page *page = serve->pages; page; page = page->next) {
        for (size_t i = 0; i < names.count; i++) {
            if (!link_of(serve, page->client, names.items[i]))
                (void)connect_page(serve, page, names.items[i]);
        }
    }
    run_socket_names_release(&names);
}

void serve_detach_page(struct serve *serve, uint64_t client)
{
    struct serve_link *link = serve->links, *next;

    for (; link; link = next) {
        next = link->next;
        if (link->page == client) {
            run_hub_drop(serve->hub, link->id);
            free_link(serve, link);
        }
    }
}

/* ---- from the run to the page ---- */

/* It may be the answer to a watch. */
static void note_answer(struct serve_page *page, uint64_t link,
                        const struct run_frame *message)
{
    struct cJSON *tree = NULL;
    struct json root;
    struct err ignored; /* the page gets it as it is */
    int64_t asked;
    bool done;

    if (message->kind != RUN_FRAME_TEXT || message->length > WATCH_ANSWER_MAX ||
        !serve_awaits_number(page, link) ||
        !json_parse(message->data, message->length, &tree, &ignored))
        return;
    root = (struct json)JSON_ROOT(tree);
    if (json_get_int(&root, "id", 1, JSON_INT_MAX, &asked, &ignored) &&
        json_get_bool(&root, "ok", &done, &ignored))
        serve_answer_number(page, link, asked, done);
    cJSON_Delete(tree);
}

static void on_message(void *context, uint64_t id,
                       const struct run_frame *message)
{
    struct serve *serve = context;
    const struct serve_link *link;
    struct serve_page *found;
    uint64_t page = 0;

    pthread_mutex_lock(&serve->lock);
    link = find_link(serve, id);
    found = link ? serve_find_page(serve, link->page) : NULL;
    if (found) {
        page = found->client;
        note_answer(found, id, message);
    }
    pthread_mutex_unlock(&serve->lock);
    if (page)
        serve_send_bytes(serve, page, message->kind == RUN_FRAME_BINARY,
                         message->data, message->length);
}

static void tell_page(struct serve *serve, const struct serve_link *link)
{
    struct cJSON *push = json_new_object();

    json_add_string(push, "push", "gone");
    json_add_string(push, "run", link->name);
    json_add_string(push, "why", "The run has ended");
    serve_send(serve, link->page, push);
}

static void on_left(void *context, uint64_t id)
{
    struct serve *serve = context;
    struct serve_link *link;
    struct serve_page *page;

    pthread_mutex_lock(&serve->lock);
    link = find_link(serve, id);
    page = link ? serve_find_page(serve, link->page) : NULL;
    if (page) {
        serve_forget_numbers(page, id);
        tell_page(serve, link);
    }
    if (link)
        free_link(serve, link);
    pthread_mutex_unlock(&serve->lock);
}

bool serve_attach_start(struct serve *serve, struct err *err)
{
    const struct run_hub_options options = {
        .listener = -1,
        .clients_max = LINKS_MAX,
        .message_max = MESSAGE_MAX,
        .queue_max = QUEUE_MAX,
        .on_message = on_message,
        .on_left = on_left,
        .context = serve,
    };

    return !serve->options.attach || run_hub_start(&options, &serve->hub, err);
}

void serve_attach_release(struct serve *serve)
{
    while (serve->links)
        free_link(serve, serve->links);
}

/* ---- from the page to the run ---- */

/* The link that the name of a phone leads to: "SERIAL@NAME". */
static struct serve_link *link_of_phone(struct serve *serve,
                                        const struct serve_page *page,
                                        const char *phone)
{
    const char *at = strrchr(phone, '@');

    return at ? link_of(serve, page->client, at + 1) : NULL;
}

static void send_text(struct serve *serve, const struct serve_link *link,
                      const char *text, size_t length)
{
    const struct run_frame frame = {
        .kind = RUN_FRAME_TEXT, .data = text, .length = length};

    run_hub_send(serve->hub, link->id, &frame);
}

/* A watch, with the number that the page knows it by. */
static bool forward_watch(struct serve *serve, struct serve_page *page,
                          const struct serve_link *link, int64_t id,
                          const char *text, size_t length, struct err *err)
{
    struct buf changed = BUF_INIT(SIZE_MAX);
    struct cJSON *tree = NULL;
    uint16_t number;

    if (!json_parse(text, length, &tree, err))
        return false;
    if (!serve_reserve_number(page, link->id, id, &number, err)) {
        cJSON_Delete(tree);
        return false;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(tree, "watch");
    json_add_int(tree, "watch", number);
    json_format(tree, &changed);
    cJSON_Delete(tree);
    send_text(serve, link, changed.data, changed.length);
    buf_release(&changed);
    return true;
}

bool serve_forward(struct serve *serve, struct serve_page *page,
                   const struct serve_message *message, const char *text,
                   size_t length, struct err *err, bool *done)
{
    const uint64_t owner = serve_number_owner(page, message->watch);
    const struct serve_link *link =
        message->phone[0] ? link_of_phone(serve, page, message->phone)
        : owner           ? find_link(serve, owner)
                          : NULL;

    if (!link)
        return false;
    *done = true;
    if (message->verb == SERVE_WATCH)
        *done =
            forward_watch(serve, page, link, message->id, text, length, err);
    else
        send_text(serve, link, text, length);
    if (message->verb == SERVE_UNWATCH)
        serve_forget_number(page, message->watch);
    return true;
}
