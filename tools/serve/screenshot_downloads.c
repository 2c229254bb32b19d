#include "tools/serve/screenshot_downloads.h"

void screenshot_downloads_init(struct screenshot_downloads *store)
{
    *store = (struct screenshot_downloads){.last = 0};
    pthread_mutex_init(&store->lock, NULL);
}

void screenshot_downloads_release(struct screenshot_downloads *store)
{
    for (size_t i = 0; i < SCREENSHOT_STORE_MAX; i++)
        buf_release(&store->items[i].png);
    pthread_mutex_destroy(&store->lock);
}

uint64_t screenshot_downloads_add(struct screenshot_downloads *store,
                                  struct buf *png)
{
    uint64_t number;
    size_t place;

    pthread_mutex_lock(&store->lock);
    number = ++store->last;
    place = number % SCREENSHOT_STORE_MAX;
    buf_release(&store->items[place].png);
    store->items[place].number = number;
    store->items[place].png = *png;
    pthread_mutex_unlock(&store->lock);
    *png = (struct buf)BUF_INIT(png->limit);
    return number;
}

bool screenshot_downloads_take(struct screenshot_downloads *store,
                               uint64_t number, struct buf *png)
{
    size_t place = number % SCREENSHOT_STORE_MAX;
    bool found;

    pthread_mutex_lock(&store->lock);
    found = number && store->items[place].number == number;
    if (found) {
        *png = store->items[place].png;
        store->items[place].png = (struct buf)BUF_INIT(png->limit);
        store->items[place].number = 0;
    }
    pthread_mutex_unlock(&store->lock);
    return found;
}
