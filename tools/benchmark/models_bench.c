/*
 * Asking models: bodies with pictures against memory and OpenSSL and cJSON,
 * and whole questions against a bare socket.
 */
#include <malloc.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/base64.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/models/api.h"
#include "runner/models/http.h"
#include "runner/models/models.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/benchmark/peers/http_sink.h"
#include "tools/benchmark/peers/loopback_socket.h"

#define ROUNDS 21
#define PICTURE_SIZE 2250000 /* 3 MB in letters, as a large screenshot has */
#define CHUNK 131072         /* what libcurl asks for, or more */
#define CROWD 64
#define ASKS_EACH 4
#define SOON deadline_in_ms(60000)

enum row_id {
    MEMCPY,
    BODY,
    CJSON,
    MEMORY,
    RAW_POST,
    POST,
    RAW_CROWD,
    POST_CROWD,
    ROW_COUNT
};

struct bench {
    uint8_t *picture; /* owned, as the others */
    char *letters;
    char *body; /* a whole one, for the bare socket */
    size_t request_body_size;
    char *scratch;
    uint16_t port;
    int lines[CROWD]; /* to the bare server; open from the first to the end */
    struct models *models;
    struct model *model;
    double memory;        /* over the size of the body */
    pthread_mutex_t lock; /* guards the rest */
    size_t next;          /* next line that no worker has taken */
    struct err crowd;
};

static const struct model_request *question(struct bench *bench)
{
    static struct model_part parts[2];
    static struct model_message message = {
        .role = MODEL_USER, .parts = parts, .part_count = 2};
    static const struct model_request request = {
        .messages = &message, .message_count = 1, .temperature = 0};

    parts[0].text = "What is on the screen?";
    parts[1].image = bench->picture;
    parts[1].image_size = PICTURE_SIZE;
    parts[1].image_type = "image/png";
    return &request;
}

/* ---- bodies ---- */

static bool copy_letters(struct bench *bench, struct err *err)
{
    (void)err;
    memcpy(bench->scratch, bench->letters, base64_size(PICTURE_SIZE));
    return true;
}

/* As it is sent: written, and read in pieces into one small buffer. */
static bool make_body(struct bench *bench, struct err *err)
{
    const struct api_model whom = {.name = "m"};
    struct request_body body = REQUEST_BODY_INIT;
    struct request_body_reader reader = {.body = &body};
    size_t all = 0;
    size_t got;
    bool done = api_openai.write(&whom, question(bench), &body, err);

    while (done && (got = request_body_read(&reader, bench->scratch, CHUNK)))
        all += got;
    if (done && all != request_body_size(&body))
        done = err_set(err, ERR_INVALID, "a body of another size");
    request_body_release(&body);
    return done;
}

/* As most programs would: letters, a tree of JSON, a text. */
static bool make_by_cjson(struct bench *bench, struct err *err)
{
    static const char prefix[] = "data:image/png;base64,";
    size_t size = sizeof(prefix) + base64_size(PICTURE_SIZE) + 1;
    char *url = malloc(size);
    cJSON *root = cJSON_CreateObject();
    cJSON *message = cJSON_CreateObject();
    cJSON *part = cJSON_CreateObject();
    char *text;

    if (!url)
        return err_set(err, ERR_LIMIT, "no memory");
    memcpy(url, prefix, sizeof(prefix) - 1);
    EVP_EncodeBlock((unsigned char *)url + sizeof(prefix) - 1, bench->picture,
                    PICTURE_SIZE);
    cJSON_AddStringToObject(root, "model", "m");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(root, "messages"), message);
    cJSON_AddStringToObject(message, "role", "user");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(message, "content"), part);
    cJSON_AddStringToObject(part, "type", "image_url");
    cJSON_AddStringToObject(cJSON_AddObjectToObject(part, "image_url"), "url",
                            url);
    text = cJSON_PrintUnformatted(root);
    cJSON_free(text);
    cJSON_Delete(root);
    free(url);
    return true;
}

/* What a question holds besides the picture while it is sent. */
static bool weigh_body(struct bench *bench, struct err *err)
{
    const struct api_model whom = {.name = "m"};
    struct request_body body = REQUEST_BODY_INIT;
    size_t before = mallinfo2().uordblks;
    bool done = api_openai.write(&whom, question(bench), &body, err);
    size_t held = mallinfo2().uordblks - before;

    if (done)
        bench->memory = (double)(PICTURE_SIZE + held + HTTP_PIECE_MAX) /
                        (double)request_body_size(&body);
    request_body_release(&body);
    return done;
}

static double memory_of(const struct bench *bench)
{
    return bench->memory;
}

/* ---- questions ---- */

static bool post_raw(struct bench *bench, struct err *err)
{
    return http_sink_ask(bench->lines[0], bench->body, bench->request_body_size,
                         err);
}

static bool ask(struct bench *bench, struct err *err)
{
    struct model_reply reply = MODEL_REPLY_INIT;
    bool done =
        model_ask(bench->model, question(bench), SOON, NULL, &reply, err);

    model_reply_release(&reply);
    return done;
}

static void note_failure(struct bench *bench, const struct err *err)
{
    pthread_mutex_lock(&bench->lock);
    bench->crowd = *err;
    pthread_mutex_unlock(&bench->lock);
}

static int take_line(struct bench *bench)
{
    int line;

    pthread_mutex_lock(&bench->lock);
    line = bench->lines[bench->next++];
    pthread_mutex_unlock(&bench->lock);
    return line;
}

static void *post_in_crowd(void *context)
{
    struct bench *bench = context;
    struct err err = ERR_INIT;
    int line = take_line(bench);

    for (int i = 0; i < ASKS_EACH; i++) {
        if (!http_sink_ask(line, bench->body, bench->request_body_size, &err))
            note_failure(bench, &err);
    }
    return NULL;
}

static void *ask_in_crowd(void *context)
{
    struct bench *bench = context;
    struct err err = ERR_INIT;

    for (int i = 0; i < ASKS_EACH; i++) {
        if (!ask(bench, &err))
            note_failure(bench, &err);
    }
    return NULL;
}

static bool crowd(struct bench *bench, void *(*work)(void *), struct err *err)
{
    pthread_t threads[CROWD];

    bench->crowd = (struct err)ERR_INIT;
    bench->next = 0;
    for (size_t i = 0; i < CROWD; i++) {
        if (pthread_create(&threads[i], NULL, work, bench) != 0)
            return err_set(err, ERR_IO, "no thread");
    }
    for (size_t i = 0; i < CROWD; i++)
        pthread_join(threads[i], NULL);
    if (bench->crowd.code == ERR_NONE)
        return true;
    *err = bench->crowd;
    return false;
}

static bool post_raw_crowd(struct bench *bench, struct err *err)
{
    return crowd(bench, post_in_crowd, err);
}

static bool ask_crowd(struct bench *bench, struct err *err)
{
    return crowd(bench, ask_in_crowd, err);
}

static const struct measure measures[ROW_COUNT] = {
    [MEMCPY] = {"memcpy", "memcpy of its letters", copy_letters, .repeats = 20,
                .cpu_us = harness_own_cpu_us},
    [BODY] = {"body", "proctor, while it is sent", make_body, .repeats = 20,
              .cpu_us = harness_own_cpu_us},
    [CJSON] = {"cjson", "OpenSSL's base64 and cJSON", make_by_cjson,
               .repeats = 1, .cpu_us = harness_own_cpu_us},
    [MEMORY] = {"memory", "picture and all else, while it is sent", weigh_body,
                .repeats = 1, .value = memory_of},
    [RAW_POST] = {"raw_post", "a bare socket", post_raw, .repeats = 10},
    [POST] = {"post", "proctor", ask, .repeats = 10},
    [RAW_CROWD] = {"raw_crowd", "bare sockets", post_raw_crowd, .repeats = 1},
    [POST_CROWD] = {"post_crowd", "proctor", ask_crowd, .repeats = 1},
};

/* ---- the whole ---- */

static bool open_lines(struct bench *bench, struct err *err)
{
    for (size_t i = 0; i < CROWD; i++) {
        if (!loopback_socket_connect(bench->port, &bench->lines[i], err))
            return false;
    }
    return true;
}

static bool open_model(struct bench *bench, struct err *err)
{
    const struct models_options options = {.max_parallel = CROWD};
    char url[64];

    snprintf(url, sizeof(url), "http://127.0.0.1:%u/v1", bench->port);
    setenv("OPENAI_BASE_URL", url, 1);
    return models_open(&options, &bench->models, err) &&
           models_open_model(bench->models, "openai:m", &bench->model, err);
}

static bool keep_body(struct bench *bench, struct err *err)
{
    const struct api_model whom = {.name = "m"};
    struct request_body body = REQUEST_BODY_INIT;
    struct request_body_reader reader = {.body = &body};
    bool done = api_openai.write(&whom, question(bench), &body, err);

    if (done) {
        bench->request_body_size = request_body_size(&body);
        bench->body = mem_new(bench->request_body_size, 1);
        done =
            request_body_read(&reader, bench->body, bench->request_body_size) ==
            bench->request_body_size;
    }
    request_body_release(&body);
    return done;
}

static bool set_up(struct bench *bench, struct err *err)
{
    pthread_mutex_init(&bench->lock, NULL);
    for (size_t i = 0; i < CROWD; i++)
        bench->lines[i] = -1;
    bench->picture = mem_new(PICTURE_SIZE, 1);
    bench->letters = mem_new(base64_size(PICTURE_SIZE), 1);
    bench->scratch = mem_new(base64_size(PICTURE_SIZE), 1);
    for (size_t i = 0; i < PICTURE_SIZE; i++)
        bench->picture[i] = (uint8_t)(i * 2654435761U >> 13);
    base64_encode(bench->picture, PICTURE_SIZE, bench->letters);
    return loopback_socket_serve(http_sink_serve, &bench->port, err) &&
           open_lines(bench, err) && keep_body(bench, err) &&
           open_model(bench, err);
}

static void tear_down(struct bench *bench)
{
    model_close(bench->model);
    models_close(bench->models);
    for (size_t i = 0; i < CROWD; i++) {
        if (bench->lines[i] >= 0)
            close(bench->lines[i]);
    }
    free(bench->picture);
    free(bench->letters);
    free(bench->scratch);
    free(bench->body);
    pthread_mutex_destroy(&bench->lock);
}

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_group groups[] = {
        {"a body of 3 MB with a picture", &rows[MEMCPY], 3, NULL},
        {"its memory over its size", &rows[MEMORY], 1, "x"},
        {"3 MB asked on an open connection", &rows[RAW_POST], 2, NULL},
        {"256 of them, 64 at once", &rows[RAW_CROWD], 2, NULL},
    };
    const struct goal goals[] = {
        {"cJSON over a body", &rows[CJSON], &rows[BODY], .cpu = true,
         .kind = GOAL_AT_LEAST, .wanted = 20},
        {"memory over a body's size", &rows[MEMORY], NULL, .kind = GOAL_AT_MOST,
         .wanted = 1.1},
        {"a question over a bare socket", &rows[POST], &rows[RAW_POST],
         .kind = GOAL_AT_MOST, .wanted = 1.35},
        {"64 at once over bare sockets", &rows[POST_CROWD], &rows[RAW_CROWD],
         .kind = GOAL_AT_MOST, .wanted = 1.35},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "models",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
