#include "adb/sync/sync_session.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/mem.h"

#define IDLE_DEFAULT_MS 30000

/* The initial size of writes, which grows if the device is fast. */
#define PIECE_MIN ((size_t)64 * 1024)

bool sync_has(const struct sync *sync, enum feature feature)
{
    return sync->features & FEATURE_BIT(feature);
}

enum compression_format sync_codec_format(const struct sync *sync)
{
    assert(sync->flag != SYNC_FLAG_NONE);
    if (sync->flag == SYNC_FLAG_BROTLI)
        return COMPRESSION_BROTLI;
    return sync->flag == SYNC_FLAG_LZ4 ? COMPRESSION_LZ4 : COMPRESSION_ZSTD;
}

/* The compression to use: as requested, and supported by the device. */
static bool choose_flag(const struct sync *sync, enum sync_flag *flag,
                        struct err *err)
{
    static const struct {
        enum sync_flag flag;
        enum feature feature;
        const char *name;
    } ways[] = {
        [SYNC_BROTLI] = {SYNC_FLAG_BROTLI, FEATURE_SENDRECV_V2_BROTLI,
                         "brotli"},
        [SYNC_LZ4] = {SYNC_FLAG_LZ4, FEATURE_SENDRECV_V2_LZ4, "lz4"},
        [SYNC_ZSTD] = {SYNC_FLAG_ZSTD, FEATURE_SENDRECV_V2_ZSTD, "zstd"},
    };
    enum sync_compression asked = sync->options.compression;

    *flag = SYNC_FLAG_NONE;
    if (asked == SYNC_ANY || asked == SYNC_NONE)
        return true;
    if (!sync_has(sync, FEATURE_SENDRECV_V2) ||
        !sync_has(sync, ways[asked].feature))
        return err_set(err, ERR_UNSUPPORTED,
                       "this device does not support %s compression",
                       ways[asked].name);
    *flag = ways[asked].flag;
    return true;
}

/* Everything but the stream, which the caller adds. */
static bool sync_new(feature_set features, const struct sync_options *options,
                     struct sync **made, struct err *err)
{
    struct sync *sync = mem_new(1, sizeof(*sync));

    sync->features = features;
    if (options)
        sync->options = *options;
    if (!sync->options.idle_ms)
        sync->options.idle_ms = IDLE_DEFAULT_MS;
    if (!choose_flag(sync, &sync->flag, err)) {
        free(sync);
        return false;
    }
    sync->out = (struct buf)BUF_INIT(SYNC_BLOCK);
    sync->piece = PIECE_MIN;
    sync->in = mem_new(SYNC_IN_SIZE, 1);
    if (sync->flag)
        sync->plain = mem_new(SYNC_PLAIN_SIZE, 1);
    *made = sync;
    return true;
}

bool sync_over_stream(struct stream *stream, feature_set features,
                      const struct sync_options *options, struct sync **made,
                      struct err *err)
{
    if (!sync_new(features, options, made, err)) {
        stream_close(stream);
        return false;
    }
    (*made)->stream = stream;
    return true;
}

bool sync_open(struct device *device, const struct sync_options *options,
               struct deadline by, struct sync **made, struct err *err)
{
    struct sync *sync;
    feature_set features = 0;

    for (int i = 0; i < FEATURE_COUNT; i++) {
        if (device_has(device, (enum feature)i))
            features |= FEATURE_BIT(i);
    }
    if (!sync_new(features, options, &sync, err))
        return false;
    sync->device = device;
    sync->log = device_log(device);
    if (!sync_begin(sync, by, err)) {
        sync_close(sync);
        return false;
    }
    *made = sync;
    return true;
}

void sync_close(struct sync *sync)
{
    if (!sync)
        return;
    if (sync->stream && !sync->pending_count) {
        uint8_t quit[SYNC_HEADER_SIZE];
        struct err ignored;
        bool done;

        /*
         * Optional, so without waiting: closing the stream has the same effect.
         */
        sync_wire_put(quit, SYNC_ID_QUIT, 0);
        done = stream_write(sync->stream, quit, sizeof(quit), deadline_in_ms(0),
                            &ignored);
        (void)done;
    }
    sync_drop(sync);
    buf_release(&sync->out);
    free(sync->in);
    free(sync->plain);
    free(sync);
}

bool sync_begin(struct sync *sync, struct deadline by, struct err *err)
{
    if (sync->stream)
        return true;
    if (!sync->device)
        return err_set(err, ERR_CLOSED, "the session has ended");
    return device_open_service(sync->device, "sync:", by, &sync->stream, err);
}

void sync_drop(struct sync *sync)
{
    stream_close(sync->stream);
    sync->stream = NULL;
    buf_clear(&sync->out);
    sync->in_start = sync->in_end = 0;
    while (sync->pending_count) {
        free(sync->pending[sync->pending_first]);
        sync->pending_first = (sync->pending_first + 1) % SYNC_PENDING_MAX;
        sync->pending_count--;
    }
    sync->sending = false;
}

bool sync_wrap(const char *doing, const char *path, struct err *err)
{
    char shown[120];

    clean_text_copy(shown, sizeof(shown), path, strlen(path));
    return err_wrap(err, "%s %s", doing, shown);
}

bool sync_abandon(struct sync *sync, const char *doing, const char *path,
                  struct err *err)
{
    sync_wrap(doing, path, err); /* before path is possibly freed */
    sync_drop(sync);
    return false;
}

/*
 * The deadline of one wait. by is checked here too, since a stream checks its
 * deadline only when it has to wait.
 */
static bool idle_limit(const struct sync *sync, struct deadline by,
                       struct deadline *limit, struct err *err)
{
    if (deadline_passed(by))
        return err_set(err, ERR_TIMEOUT, "timed out");
    *limit = deadline_sooner(by, deadline_in_ms(sync->options.idle_ms));
    return true;
}

/*
 * A write ends when the device has accepted all of it, so on a slow connection
 * a large one could exceed the idle limit: halve the size well before that,
 * double it when writing is fast.
 */
static void adapt_piece(struct sync *sync, int64_t took_ms)
{
    if (took_ms > sync->options.idle_ms / 4 && sync->piece > PIECE_MIN)
        sync->piece /= 2;
    else if (took_ms < sync->options.idle_ms / 16 && sync->piece < SYNC_BLOCK)
        sync->piece *= 2;
}

bool sync_flush(struct sync *sync, struct deadline by, struct err *err)
{
    size_t sent = 0;

    while (sent < sync->out.length) {
        size_t size = sync->out.length - sent;
        int64_t start = clock_ns();
        struct deadline limit;

        if (size > sync->piece)
            size = sync->piece;
        if (!idle_limit(sync, by, &limit, err) ||
            !stream_write(sync->stream, sync->out.data + sent, size, limit,
                          err))
            return false;
        adapt_piece(sync, (clock_ns() - start) / 1000000);
        sent += size;
    }
    buf_clear(&sync->out);
    return true;
}

size_t sync_available(const struct sync *sync)
{
    return sync->in_end - sync->in_start;
}

const uint8_t *sync_bytes(const struct sync *sync)
{
    return sync->in + sync->in_start;
}

void sync_consume(struct sync *sync, size_t size)
{
    assert(size <= sync_available(sync));
    sync->in_start += size;
}

/* Read more input; the existing part is moved to the front to make room. */
static bool fill_by(struct sync *sync, struct deadline by, struct err *err)
{
    size_t kept = sync_available(sync);
    size_t got;

    assert(kept < SYNC_IN_SIZE);
    memmove(sync->in, sync_bytes(sync), kept);
    sync->in_start = 0;
    sync->in_end = kept;
    if (!stream_read(sync->stream, sync->in + kept, SYNC_IN_SIZE - kept, by,
                     &got, err))
        return false;
    if (!got)
        return err_set(err, ERR_CLOSED, "the device ended the session");
    sync->in_end += got;
    return true;
}

bool sync_fill(struct sync *sync, struct deadline by, struct err *err)
{
    struct deadline limit;

    return idle_limit(sync, by, &limit, err) && fill_by(sync, limit, err);
}

bool sync_fill_now(struct sync *sync, bool *any, struct err *err)
{
    struct err why;

    *any = fill_by(sync, deadline_in_ms(0), &why);
    if (*any || why.code == ERR_TIMEOUT)
        return true;
    *err = why;
    return false;
}

bool sync_need(struct sync *sync, size_t size, struct deadline by,
               struct err *err)
{
    if (sync_available(sync) < size && !sync_flush(sync, by, err))
        return false;
    while (sync_available(sync) < size) {
        if (!sync_fill(sync, by, err))
            return false;
    }
    return true;
}

/* Report the device's message, of length bytes after the header. */
static bool fail_remote(struct sync *sync, uint32_t length, struct deadline by,
                        struct err *err)
{
    char words[200];

    if (!sync_need(sync, SYNC_HEADER_SIZE + length, by, err))
        return false;
    clean_text_copy(words, sizeof(words),
                    (const char *)sync_bytes(sync) + SYNC_HEADER_SIZE, length);
    return err_set(err, ERR_REMOTE, "%s",
                   *words ? words : "the device gives no reason");
}

bool sync_reply(struct sync *sync, unsigned expected, struct deadline by,
                struct sync_header *header, struct err *err)
{
    if (!sync_need(sync, SYNC_HEADER_SIZE, by, err) ||
        !sync_wire_read(sync_bytes(sync), expected | SYNC_ID_BIT(SYNC_ID_FAIL),
                        header, err))
        return false;
    if (header->id == SYNC_ID_FAIL)
        return fail_remote(sync, header->value, by, err);
    return true;
}

bool sync_tell(const struct sync *sync, const char *path, uint64_t moved,
               uint64_t total, struct err *err)
{
    if (sync->options.progress &&
        !sync->options.progress(sync->options.context, path, moved, total))
        return err_set(err, ERR_CANCELLED, "stopped");
    return true;
}
