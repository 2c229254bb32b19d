#include "runner/models/sse.h"

#include <string.h>

#include "base/clean_text.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/model.h"
#include "runner/models/api.h"

#define PIECE_MAX (2 * MODEL_TEXT_MAX)

void sse_init(struct sse *stream)
{
    *stream = (struct sse){.text = BUF_INIT(PIECE_MAX)};
}

void sse_release(struct sse *stream)
{
    cJSON_Delete(stream->head);
    cJSON_Delete(stream->whole);
    cJSON_Delete(stream->usage);
    buf_release(&stream->text);
    for (size_t i = 0; i < stream->count; i++) {
        cJSON_Delete(stream->pieces[i].block);
        buf_release(&stream->pieces[i].text);
    }
    sse_init(stream);
}

struct sse_piece *sse_piece(struct sse *stream, int64_t index)
{
    for (size_t i = 0; i < stream->count; i++) {
        if (stream->pieces[i].index == index)
            return &stream->pieces[i];
    }
    if (stream->count == SSE_PIECES_MAX)
        return NULL;
    stream->pieces[stream->count] =
        (struct sse_piece){.index = index, .text = BUF_INIT(PIECE_MAX)};
    return &stream->pieces[stream->count++];
}

void sse_set(struct cJSON **place, const struct cJSON *value)
{
    struct cJSON *copy = cJSON_Duplicate(value, true);

    if (!copy)
        mem_out();
    cJSON_Delete(*place);
    *place = copy;
}

void sse_give_usage(struct sse *stream, struct cJSON *answer, const char *key)
{
    if (stream->usage)
        cJSON_AddItemToObject(answer, key, stream->usage);
    stream->usage = NULL;
}

/* An event may report an error. */
static bool check_error(const struct cJSON *event, struct err *err)
{
    const struct cJSON *error = api_member(event, "error");
    const char *message =
        cJSON_IsString(error) ? error->valuestring : api_text(error, "message");
    char clean[160];

    if (!cJSON_IsObject(error) && !cJSON_IsString(error))
        return true;
    clean_text_copy(clean, sizeof(clean), message, strlen(message));
    return err_set(err, ERR_UNREACHABLE, "the service failed: %s", clean);
}

static bool take_event(const struct api *api, struct sse *stream,
                       const struct buf *data, struct err *err)
{
    struct cJSON *event = NULL;
    bool done;

    if (!strcmp(buf_cstr(data), "[DONE]")) {
        stream->ended = true;
        return true;
    }
    if (!json_parse(buf_cstr(data), data->length, &event, err)) {
        err->code = ERR_PROTOCOL;
        return err_wrap(err, "an event of the stream");
    }
    done = check_error(event, err);
    if (done && !api->merge(stream, event))
        done = err_set(err, ERR_PROTOCOL, "an event of the stream is invalid");
    cJSON_Delete(event);
    return done;
}

/* Process a line: "data: …" adds to the event, an empty line ends it. */
static bool take_line(const struct api *api, struct sse *stream,
                      const char *line, size_t length, struct buf *data,
                      struct err *err)
{
    bool done = true;

    if (length && line[length - 1] == '\r')
        length--;
    if (!length) {
        if (data->length)
            done = take_event(api, stream, data, err);
        buf_clear(data);
        return done;
    }
    if (length < 5 || memcmp(line, "data:", 5) != 0)
        return true;
    line += 5;
    length -= 5;
    if (length && *line == ' ') {
        line++;
        length--;
    }
    if (data->length)
        buf_byte(data, '\n');
    buf_append(data, line, length);
    return true;
}

static bool overflows(const struct sse *stream)
{
    bool over = stream->text.overflow;

    for (size_t i = 0; i < stream->count; i++)
        over = over || stream->pieces[i].text.overflow;
    return over;
}

static bool take_lines(const struct api *api, struct sse *stream,
                       const char *text, size_t length, struct err *err)
{
    struct buf data = BUF_INIT(JSON_SIZE_MAX);
    const char *end = text + length;
    bool done = true;

    while (done && text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const char *line_end = stop ? stop : end;

        done =
            take_line(api, stream, text, (size_t)(line_end - text), &data, err);
        text = stop ? stop + 1 : end;
    }
    /* The last event may have no empty line after it. */
    if (done && data.length)
        done = take_event(api, stream, &data, err);
    buf_release(&data);
    return done;
}

bool sse_read(const struct api *api, const char *text, size_t length,
              struct cJSON **answer, struct err *err)
{
    struct sse stream;
    bool done;

    sse_init(&stream);
    done = take_lines(api, &stream, text, length, err);
    if (done && overflows(&stream))
        done = err_set(err, ERR_LIMIT, "the reply is too long");
    if (done && !stream.ended)
        done = err_set(err, ERR_CLOSED, "the stream is truncated");
    if (done)
        *answer = api->whole(&stream);
    sse_release(&stream);
    return done;
}
