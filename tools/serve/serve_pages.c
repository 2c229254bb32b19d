/* Pages of browsers, and what they watch. */
#include <stdlib.h>

#include "base/mem.h"
#include "tools/serve/serve_private.h"

struct serve_page *serve_find_page(struct serve *serve, uint64_t client)
{
    struct serve_page *page = serve->pages;

    while (page && page->client != client)
        page = page->next;
    return page;
}

void serve_add_page(struct serve *serve, uint64_t client)
{
    struct serve_page *page = mem_new(1, sizeof(*page));

    page->client = client;
    page->phones = (struct buf)BUF_INIT(SIZE_MAX);
    page->next = serve->pages;
    serve->pages = page;
}

/* What the page drove is free again. */
static void give_back(struct serve *serve, uint64_t client)
{
    for (size_t i = 0; i < serve->phone_count; i++) {
        if (serve->phones[i]->driver == client)
            serve_give_back(serve->phones[i]);
    }
}

void serve_drop_page(struct serve *serve, uint64_t client)
{
    struct serve_page **at = &serve->pages, *page;

    while (*at && (*at)->client != client)
        at = &(*at)->next;
    page = *at;
    if (!page)
        return;
    *at = page->next;
    while (page->watches)
        serve_drop_watch(page, page->watches);
    give_back(serve, client);
    serve_detach_page(serve, client);
    buf_release(&page->phones);
    free(page);
}

/* ---- watches ---- */

/* Send what there is. Called by threads of the view, and once at the start. */
static void on_packet(void *context)
{
    struct serve_watch *watch = context;
    struct live_packet *packet;

    pthread_mutex_lock(&watch->sending);
    while (watch->watcher &&
           (packet = phone_watcher_take(watch->watcher)) != NULL) {
        struct buf bytes = BUF_INIT(SIZE_MAX);

        live_packet_write(packet, watch->number, &bytes);
        serve_send_bytes(watch->serve, watch->client, true, bytes.data,
                         bytes.length);
        buf_release(&bytes);
        live_packet_free(packet);
    }
    pthread_mutex_unlock(&watch->sending);
}

struct serve_watch *serve_find_watch(struct serve_page *page, uint16_t number)
{
    struct serve_watch *watch = page->watches;

    while (watch && watch->number != number)
        watch = watch->next;
    return watch;
}

static uint16_t free_number(struct serve_page *page)
{
    do
        page->last_watch++;
    while (!page->last_watch || serve_find_watch(page, page->last_watch) ||
           serve_number_owner(page, page->last_watch));
    return page->last_watch;
}

/* Another process that shows the phone gives the number itself. */
static bool choose_number(struct serve_page *page, uint16_t wanted,
                          uint16_t *number, struct err *err)
{
    if (wanted && serve_find_watch(page, wanted))
        return err_set(err, ERR_INVALID, "the watch %u is in use", wanted);
    *number = wanted ? wanted : free_number(page);
    return true;
}

/* Let a watch get frames of the view, which is open. */
static void begin_watch(struct serve_watch *watch)
{
    struct phone_watcher *watcher =
        phone_view_watch(watch->phone->view, watch->width, on_packet, watch);

    pthread_mutex_lock(&watch->sending);
    watch->watcher = watcher;
    pthread_mutex_unlock(&watch->sending);
    on_packet(watch);
}

static void end_watch(struct serve_watch *watch)
{
    struct phone_watcher *watcher;

    pthread_mutex_lock(&watch->sending);
    watcher = watch->watcher;
    watch->watcher = NULL;
    pthread_mutex_unlock(&watch->sending);
    phone_watcher_close(watcher);
}

/* A phone of a run may be switched off now: then its picture comes later. */
static bool is_away(const struct served_phone *phone)
{
    return phone->run && phone->run->away;
}

bool serve_add_watch(struct serve *serve, struct serve_page *page,
                     struct served_phone *phone,
                     const struct serve_message *message, struct err *err)
{
    struct serve_watch *watch;
    struct cJSON *answer;
    uint16_t number;

    if (page->watch_count == SERVE_WATCHES_MAX)
        return err_set(err, ERR_LIMIT, "one page watches at most %d screens",
                       SERVE_WATCHES_MAX);
    if (message->passive && !phone->watches)
        return err_set(err, ERR_REFUSED, "no page watches this phone");
    if ((!is_away(phone) && !serve_ensure_view(phone, err)) ||
        !choose_number(page, message->watch, &number, err))
        return false;
    watch = mem_new(1, sizeof(*watch));
    *watch = (struct serve_watch){.next = page->watches,
                                  .serve = serve,
                                  .client = page->client,
                                  .width = message->command.width,
                                  .number = number,
                                  .phone = phone,
                                  .video = message->video,
                                  .passive = message->passive,
                                  .status = BUF_INIT(SIZE_MAX)};
    pthread_mutex_init(&watch->sending, NULL);
    page->watches = watch;
    page->watch_count++;
    phone->watches += watch->passive ? 0 : 1;
    if (!watch->video)
        serve_begin_pictures(phone);
    /* The page has to know the number before the first frame comes. */
    answer = json_new_object();
    json_add_int(answer, "watch", watch->number);
    serve_answer(serve, page->client, message->id, answer);
    if (phone->view)
        begin_watch(watch);
    phone->changed = true;
    serve_wake(serve);
    return true;
}

void serve_drop_watch(struct serve_page *page, struct serve_watch *watch)
{
    struct serve_watch **at = &page->watches;

    while (*at != watch)
        at = &(*at)->next;
    *at = watch->next;
    page->watch_count--;
    if (!watch->passive && !--watch->phone->watches)
        watch->phone->idle_since_ns = clock_ns();
    end_watch(watch);
    if (!watch->video)
        serve_end_pictures(watch->phone);
    pthread_mutex_destroy(&watch->sending);
    buf_release(&watch->status);
    free(watch);
}

void serve_drop_watches(struct served_phone *phone)
{
    for (struct serve_page *page = phone->serve->pages; page;
         page = page->next) {
        struct serve_watch *watch = page->watches, *next;

        for (; watch; watch = next) {
            next = watch->next;
            if (watch->phone == phone)
                serve_drop_watch(page, watch);
        }
    }
}

/* Call a function for all watches of a phone. */
static void for_watches(struct served_phone *phone,
                        void (*function)(struct serve_watch *watch))
{
    for (struct serve_page *page = phone->serve->pages; page;
         page = page->next) {
        for (struct serve_watch *watch = page->watches; watch;
             watch = watch->next) {
            if (watch->phone == phone)
                function(watch);
        }
    }
}

void serve_pause_watches(struct served_phone *phone)
{
    for_watches(phone, end_watch);
}

void serve_resume_watches(struct served_phone *phone)
{
    struct err ignored; /* without a thread there is no picture */

    if (phone->watches && serve_ensure_view(phone, &ignored))
        for_watches(phone, begin_watch);
}

/* ---- watches in other processes ---- */

bool serve_reserve_number(struct serve_page *page, uint64_t link, int64_t asked,
                          uint16_t *number, struct err *err)
{
    if (!asked)
        return err_set(err, ERR_INVALID, "a watch needs an id");
    if (page->number_count == SERVE_WATCHES_MAX)
        return err_set(err, ERR_LIMIT, "one page watches at most %d screens",
                       SERVE_WATCHES_MAX);
    *number = free_number(page);
    page->numbers[page->number_count++] =
        (struct number_owner){*number, link, asked};
    return true;
}

bool serve_awaits_number(const struct serve_page *page, uint64_t link)
{
    for (size_t i = 0; i < page->number_count; i++) {
        if (page->numbers[i].link == link && page->numbers[i].asked)
            return true;
    }
    return false;
}

void serve_answer_number(struct serve_page *page, uint64_t link, int64_t asked,
                         bool done)
{
    for (size_t i = 0; i < page->number_count; i++) {
        struct number_owner *owner = &page->numbers[i];

        if (owner->link != link || owner->asked != asked)
            continue;
        owner->asked = 0;
        if (!done)
            serve_forget_number(page, owner->number);
        return;
    }
}

uint64_t serve_number_owner(const struct serve_page *page, uint16_t number)
{
    for (size_t i = 0; i < page->number_count; i++) {
        if (page->numbers[i].number == number)
            return page->numbers[i].link;
    }
    return 0;
}

void serve_forget_number(struct serve_page *page, uint16_t number)
{
    for (size_t i = 0; i < page->number_count; i++) {
        if (page->numbers[i].number == number)
            page->numbers[i--] = page->numbers[--page->number_count];
    }
}

void serve_forget_numbers(struct serve_page *page, uint64_t link)
{
    for (size_t i = 0; i < page->number_count; i++) {
        if (page->numbers[i].link == link)
            page->numbers[i--] = page->numbers[--page->number_count];
    }
}
