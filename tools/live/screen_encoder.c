/* Encodes for the watchers of a screen. */
#include "base/mem.h"
#include "tools/live/watched_screen_private.h"

/* A watcher to whom no key frame came does not skip for so long. */
#define KEY_MISSED_NS INT64_C(10000000000)

static struct live_packet *video_packet(struct watched_screen *screen,
                                        uint32_t since)
{
    struct live_video *video = video_buffer_next(&screen->video, since);
    struct live_packet *packet = mem_new(1, sizeof(*packet));

    *packet = (struct live_packet){.kind = LIVE_VIDEO,
                                   .frame = video->number,
                                   .width = video->width,
                                   .height = video->height,
                                   .time_us = video->time_us,
                                   .video = live_video_hold(video)};
    return packet;
}

/* What is new since a frame; NULL if it cannot be encoded. */
static struct live_packet *picture_packet(struct watched_screen *screen,
                                          uint32_t since, unsigned reduction)
{
    struct tile_map_patch parts[TILE_MAP_PATCHES_MAX];
    const struct tile_map *map = &screen->map;
    struct live_packet *packet = mem_new(1, sizeof(*packet));
    size_t count = tile_map_patches(map, since, clock_ns(), parts);
    struct err err;

    *packet = (struct live_packet){
        .kind = LIVE_PICTURES,
        .frame = map->frame,
        .width = (uint16_t)map->picture.width,
        .height = (uint16_t)map->picture.height,
        .time_us = map->time_us,
        .patches = mem_new(count + 1, sizeof(packet->patches[0]))};
    for (; packet->patch_count < count; packet->patch_count++) {
        if (!patch_cache_get(&screen->cache, map, &parts[packet->patch_count],
                             reduction, &packet->patches[packet->patch_count],
                             &err)) {
            live_packet_free(packet);
            screen->options.on_failed(screen->options.context, &err);
            return NULL;
        }
    }
    return packet;
}

static void note_lossy(struct watched_screen *screen,
                       const struct live_packet *packet)
{
    for (size_t i = 0; i < packet->patch_count; i++) {
        if (packet->patches[i]->format == LIVE_JPEG)
            tile_map_note_lossy(&screen->map, packet->patches[i]->box);
    }
}

/* Give a watcher its packet; locked. */
static void hand_over(struct phone_watcher *watcher, struct live_packet *packet)
{
    note_lossy(watcher->screen, packet);
    watcher->since = packet->frame;
    if (watcher->key_after && !video_buffer_has_key_after(
                                  &watcher->screen->video, watcher->key_after))
        watcher->skips_from = clock_ns() + KEY_MISSED_NS;
    watcher->key_after = 0;
    watcher->unseen[watcher->unseen_count++] = packet->frame;
    watcher->pending = packet;
    phone_watcher_remove(watcher);
    phone_watcher_append(watcher);
}

/*
 * Encode for one watcher, with both locks held; they are released. The watcher
 * is busy, so it is not closed meanwhile.
 */
static void serve(struct watched_screen *screen, struct phone_watcher *watcher)
{
    const uint32_t since = watcher->since;
    const unsigned reduction =
        phone_watcher_reduction(watcher, screen->map.picture.width);
    const bool video = screen->shows_video;
    struct live_packet *packet = video ? video_packet(screen, since) : NULL;

    watcher->busy = true;
    pthread_mutex_unlock(&screen->lock);
    if (!video)
        packet = picture_packet(screen, since, reduction);
    pthread_mutex_lock(&screen->lock);
    if (packet)
        hand_over(watcher, packet);
    pthread_mutex_unlock(&screen->lock);
    pthread_mutex_unlock(&screen->pixels);
    if (packet)
        watcher->on_packet(watcher->context);
    pthread_mutex_lock(&screen->lock);
    watcher->busy = false;
    pthread_cond_broadcast(&screen->changed);
    pthread_mutex_unlock(&screen->lock);
}

/* When there is something to refine, or a watcher waits no longer for a key
 * frame; locked. */
static struct deadline next_turn(const struct watched_screen *screen)
{
    struct deadline turn = DEADLINE_NEVER;

    if (!screen->shows_video)
        return (struct deadline){tile_map_refine_at(&screen->map)};
    for (const struct phone_watcher *watcher = screen->watchers; watcher;
         watcher = watcher->next) {
        if (phone_watcher_awaits_key(watcher) &&
            phone_watcher_has_room(watcher))
            turn = deadline_sooner(turn, (struct deadline){watcher->key_until});
    }
    return turn;
}

/* Wait until there is something to encode or to refine; false: stopped. */
static bool await_work(struct watched_screen *screen)
{
    bool goes_on;

    pthread_mutex_lock(&screen->lock);
    while (!screen->stopped && !watched_screen_next_watcher(screen)) {
        const struct deadline turn = next_turn(screen);
        const struct timespec end = deadline_timespec(turn);

        if (!screen->shows_video && deadline_passed(turn))
            break;
        if (turn.at_ns == INT64_MAX)
            pthread_cond_wait(&screen->changed, &screen->lock);
        else
            (void)pthread_cond_timedwait(&screen->changed, &screen->lock, &end);
    }
    goes_on = !screen->stopped;
    pthread_mutex_unlock(&screen->lock);
    return goes_on;
}

void *watched_screen_encode(void *context)
{
    struct watched_screen *screen = context;

    while (await_work(screen)) {
        struct phone_watcher *watcher;

        pthread_mutex_lock(&screen->pixels);
        pthread_mutex_lock(&screen->lock);
        if (!screen->shows_video)
            tile_map_refine(&screen->map, clock_ns());
        watcher = watched_screen_next_watcher(screen);
        if (watcher) {
            serve(screen, watcher);
            continue;
        }
        pthread_mutex_unlock(&screen->lock);
        pthread_mutex_unlock(&screen->pixels);
    }
    return NULL;
}
