#include "runner/classify/door_sync.h"

#include <string.h>

#include "base/bytes.h"
#include "runner/classify/door_private.h"

#define ARGUMENTS_OF_SND2 12
#define ARGUMENTS_OF_RCV2 8

#define REQUESTS                                                               \
    (SYNC_ID_BIT(SYNC_ID_STAT) | SYNC_ID_BIT(SYNC_ID_STA2) |                   \
     SYNC_ID_BIT(SYNC_ID_LST2) | SYNC_ID_BIT(SYNC_ID_LIST) |                   \
     SYNC_ID_BIT(SYNC_ID_LIS2) | SYNC_ID_BIT(SYNC_ID_SEND) |                   \
     SYNC_ID_BIT(SYNC_ID_SND2) | SYNC_ID_BIT(SYNC_ID_RECV) |                   \
     SYNC_ID_BIT(SYNC_ID_RCV2) | SYNC_ID_BIT(SYNC_ID_DATA) |                   \
     SYNC_ID_BIT(SYNC_ID_DONE) | SYNC_ID_BIT(SYNC_ID_QUIT))

#define REPLIES                                                                \
    (SYNC_ID_BIT(SYNC_ID_STAT) | SYNC_ID_BIT(SYNC_ID_STA2) |                   \
     SYNC_ID_BIT(SYNC_ID_LST2) | SYNC_ID_BIT(SYNC_ID_DENT) |                   \
     SYNC_ID_BIT(SYNC_ID_DNT2) | SYNC_ID_BIT(SYNC_ID_DATA) |                   \
     SYNC_ID_BIT(SYNC_ID_DONE) | SYNC_ID_BIT(SYNC_ID_OKAY) |                   \
     SYNC_ID_BIT(SYNC_ID_FAIL))

#define WITH_BODY                                                              \
    (SYNC_ID_BIT(SYNC_ID_DATA) | SYNC_ID_BIT(SYNC_ID_FAIL) |                   \
     SYNC_ID_BIT(SYNC_ID_DENT) | SYNC_ID_BIT(SYNC_ID_DNT2))

void door_sync_init(struct door_sync *sync)
{
    *sync = (struct door_sync){
        .request = BUF_INIT(SYNC_REQUEST_MAX + 64),
        .header = BUF_INIT(SYNC_DENT2_SIZE),
        .content = BUF_INIT(DOOR_CAPTURE_MAX),
    };
}

void door_sync_release(struct door_sync *sync)
{
    buf_release(&sync->request);
    buf_release(&sync->header);
    buf_release(&sync->content);
    compression_close(sync->decoder);
    sync->decoder = NULL;
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- requests ---- */

static void await_reply(struct door_sync *sync, enum sync_id request,
                        uint32_t flags)
{
    size_t at = (sync->first + sync->count) % DOOR_REPLIES_MAX;

    if (sync->count == DOOR_REPLIES_MAX) {
        sync->lost = true;
        return;
    }
    sync->replies[at] = (struct door_reply){request, flags, sync->wanted};
    sync->count++;
    sync->wanted = (struct door_expected){.capture = 0};
}

/* "push PATH" for the record. */
static void name_command(struct door_context *context, struct buf *command,
                         const char *verb, const char *path)
{
    buf_printf(command, "%s %s", verb, path);
    context->command = buf_cstr(command);
    context->length = command->length;
}

static void record_push(struct door_context *context, const char *path)
{
    struct door_files *files = &context->classifier->files;
    char normal[DOOR_PATH_MAX];
    bool known = door_files_normalise("/", path, normal);
    bool temporary = known && door_files_is_temporary(files, normal);

    if (temporary)
        door_files_forget(files, normal);
    if (temporary)
        door_record_read(context);
    else
        door_record_raw(context, EFFECT_FILE);
    if (known)
        door_record_change(context, DOOR_WRITES_FILE, normal);
}

static void record_pull(struct door_sync *sync, struct door_context *context,
                        const char *path)
{
    char normal[DOOR_PATH_MAX];
    const struct door_file *file = NULL;

    if (door_files_normalise("/", path, normal))
        file = door_files_find(&context->classifier->files, normal);
    if (!file) {
        door_record_read(context);
        return;
    }
    sync->wanted =
        (struct door_expected){file->kind, file->format, file->capture};
    door_record_file_read(context, file);
}

/* A request with its path is complete. */
static void take_request(struct door_sync *sync, enum sync_id id, char *path,
                         struct door_context *context)
{
    struct buf command = BUF_INIT(SYNC_PATH_MAX + 64);
    char *comma = strrchr(path, ',');

    if (id == SYNC_ID_SEND && comma)
        *comma = '\0'; /* the mode follows */
    if (id == SYNC_ID_SEND || id == SYNC_ID_SND2) {
        name_command(context, &command, "push", path);
        record_push(context, path);
    } else if (id == SYNC_ID_RECV || id == SYNC_ID_RCV2) {
        name_command(context, &command, "pull", path);
        record_pull(sync, context, path);
    }
    if (id == SYNC_ID_SND2 || id == SYNC_ID_RCV2) {
        sync->has_arguments = true;
        sync->second = id;
    } else {
        await_reply(sync, id, 0);
    }
    buf_release(&command);
}

/* How many bytes the request in the buffer needs; 0: it makes no sense. */
static size_t request_size(struct door_sync *sync, struct sync_header *header)
{
    struct err ignored;

    if (sync->has_arguments)
        return sync->second == SYNC_ID_SND2 ? ARGUMENTS_OF_SND2
                                            : ARGUMENTS_OF_RCV2;
    if (sync->request.length < SYNC_HEADER_SIZE)
        return SYNC_HEADER_SIZE;
    if (!sync_wire_read((const uint8_t *)sync->request.data, REQUESTS, header,
                        &ignored))
        return 0;
    if (header->id == SYNC_ID_DATA || header->id == SYNC_ID_DONE ||
        header->id == SYNC_ID_QUIT)
        return SYNC_HEADER_SIZE;
    return header->value <= SYNC_PATH_MAX + 16
               ? SYNC_HEADER_SIZE + header->value
               : 0;
}

static void complete_request(struct door_sync *sync,
                             const struct sync_header *header,
                             struct door_context *context)
{
    const uint8_t *bytes = (const uint8_t *)sync->request.data;

    if (sync->has_arguments) {
        sync->has_arguments = false;
        await_reply(sync, sync->second,
                    sync->second == SYNC_ID_RCV2 ? get_u32le(bytes + 4) : 0);
    } else if (header->id == SYNC_ID_DATA) {
        sync->skip = header->value;
    } else if (header->id != SYNC_ID_DONE && header->id != SYNC_ID_QUIT) {
        take_request(sync, header->id, sync->request.data + SYNC_HEADER_SIZE,
                     context);
    }
    buf_clear(&sync->request);
}

void door_sync_input(struct door_sync *sync, const char *data, size_t length,
                     struct door_context *context)
{
    while (length && !sync->lost) {
        struct sync_header header = {.value = 0};
        size_t size = request_size(sync, &header);
        size_t part;

        if (sync->skip) {
            part = min_size(sync->skip, length);
            sync->skip -= part;
        } else if (!size) {
            sync->lost = true;
            context->command = "sync:";
            context->length = strlen("sync:");
            door_record_raw(context, EFFECT_FILE);
            return;
        } else {
            part = min_size(size - sync->request.length, length);
            buf_append(&sync->request, data, part);
            if (sync->request.length == request_size(sync, &header))
                complete_request(sync, &header, context);
        }
        data += part;
        length -= part;
    }
}

/* ---- replies ---- */

static struct door_reply *current(struct door_sync *sync)
{
    return sync->count ? &sync->replies[sync->first] : NULL;
}

static void end_reply(struct door_sync *sync)
{
    buf_clear(&sync->content);
    compression_close(sync->decoder);
    sync->decoder = NULL;
    if (!sync->count)
        return;
    sync->first = (sync->first + 1) % DOOR_REPLIES_MAX;
    sync->count--;
}

static size_t done_size(const struct door_reply *reply)
{
    if (reply && reply->request == SYNC_ID_LIST)
        return SYNC_DENT_SIZE;
    if (reply && reply->request == SYNC_ID_LIS2)
        return SYNC_DENT2_SIZE;
    return SYNC_HEADER_SIZE;
}

static size_t reply_size(struct door_sync *sync, enum sync_id id)
{
    static const size_t sizes[SYNC_ID_COUNT] = {
        [SYNC_ID_STAT] = SYNC_STAT_SIZE,  [SYNC_ID_STA2] = SYNC_STAT2_SIZE,
        [SYNC_ID_LST2] = SYNC_STAT2_SIZE, [SYNC_ID_DENT] = SYNC_DENT_SIZE,
        [SYNC_ID_DNT2] = SYNC_DENT2_SIZE,
    };

    if (id == SYNC_ID_DONE)
        return done_size(current(sync));
    return sizes[id] ? sizes[id] : SYNC_HEADER_SIZE;
}

static enum compression_format format_of(uint32_t flags)
{
    if (flags & SYNC_FLAG_BROTLI)
        return COMPRESSION_BROTLI;
    return flags & SYNC_FLAG_LZ4 ? COMPRESSION_LZ4 : COMPRESSION_ZSTD;
}

static void open_decoder(struct door_sync *sync, struct door_reply *reply)
{
    struct err ignored;

    if (reply->flags && !sync->decoder &&
        !compression_open_decoder(format_of(reply->flags), &sync->decoder,
                                  &ignored))
        reply->expected.capture = 0;
}

/* A piece of the content, which may be compressed. */
static void take_content(struct door_sync *sync, const char *data,
                         size_t length)
{
    uint8_t unpacked[16384];
    struct compression_step step = {.in = (const uint8_t *)data,
                                    .in_left = length};
    bool done = false;
    struct err ignored;

    if (!sync->decoder) {
        buf_append(&sync->content, data, length);
        return;
    }
    do {
        step.out = unpacked;
        step.out_left = sizeof(unpacked);
        if (!compression_run(sync->decoder, &step, false, &done, &ignored)) {
            sync->content.overflow = true;
            return;
        }
        buf_append(&sync->content, unpacked, sizeof(unpacked) - step.out_left);
    } while (!done && !sync->content.overflow && !step.out_left);
}

static void begin_body(struct door_sync *sync, const struct sync_header *header)
{
    struct door_reply *reply = current(sync);
    const uint8_t *bytes = (const uint8_t *)sync->header.data;

    sync->takes_body = false;
    sync->ends = header->id == SYNC_ID_FAIL;
    if (header->id == SYNC_ID_DENT)
        sync->body = get_u32le(bytes + SYNC_DENT_SIZE - 4);
    else if (header->id == SYNC_ID_DNT2)
        sync->body = get_u32le(bytes + SYNC_DENT2_SIZE - 4);
    else
        sync->body = header->value;
    if (header->id == SYNC_ID_DATA && reply && reply->expected.capture) {
        open_decoder(sync, reply);
        sync->takes_body = true;
    }
    if (sync->ends && !sync->body)
        end_reply(sync);
}

static void complete_reply(struct door_sync *sync,
                           const struct sync_header *header,
                           struct door_captures *captures)
{
    const struct door_reply *reply = current(sync);

    if (SYNC_ID_BIT(header->id) & WITH_BODY) {
        begin_body(sync, header);
    } else {
        if (header->id == SYNC_ID_DONE && reply && reply->expected.capture &&
            sync->content.length && !sync->content.overflow)
            door_captures_add(captures, &reply->expected, &sync->content);
        end_reply(sync);
    }
    buf_clear(&sync->header);
}

static size_t take_body(struct door_sync *sync, const char *data, size_t length)
{
    size_t part = min_size(sync->body, length);

    if (sync->takes_body)
        take_content(sync, data, part);
    sync->body -= part;
    if (!sync->body && sync->ends)
        end_reply(sync);
    return part;
}

static size_t take_header(struct door_sync *sync, const char *data,
                          size_t length, struct door_captures *captures)
{
    struct sync_header header = {.value = 0};
    size_t size = SYNC_HEADER_SIZE;
    size_t part;
    struct err ignored;

    part = min_size(SYNC_HEADER_SIZE > sync->header.length
                        ? SYNC_HEADER_SIZE - sync->header.length
                        : 0,
                    length);
    buf_append(&sync->header, data, part);
    if (sync->header.length < SYNC_HEADER_SIZE)
        return part;
    if (!sync_wire_read((const uint8_t *)sync->header.data, REPLIES, &header,
                        &ignored)) {
        sync->lost = true;
        return part;
    }
    size = reply_size(sync, header.id);
    if (sync->header.length < size) {
        size_t more = min_size(size - sync->header.length, length - part);

        buf_append(&sync->header, data + part, more);
        part += more;
    }
    if (sync->header.length == size)
        complete_reply(sync, &header, captures);
    return part;
}

void door_sync_output(struct door_sync *sync, const char *data, size_t length,
                      struct door_captures *captures)
{
    while (length && !sync->lost) {
        size_t part = sync->body ? take_body(sync, data, length)
                                 : take_header(sync, data, length, captures);

        data += part;
        length -= part;
    }
}
