#include "runner/store/file_transfer.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

#define CONNECT_MS 30000L
#define STILL_S 60L

/* A running transfer. */
struct transfer_run {
    const struct file_transfer *transfer;
    CURL *easy;
    struct http_reply *reply;
    int64_t received;
    struct err err; /* of the file, or of a limit */
};

/* ---- callbacks of libcurl ---- */

static size_t send_some(char *to, size_t size, size_t count, void *context)
{
    struct transfer_run *run = context;
    ssize_t length;

    do
        length = read(run->transfer->fd, to, size * count);
    while (length < 0 && errno == EINTR);
    if (length >= 0)
        return (size_t)length;
    err_fill_errno(&run->err, errno, "read what is sent");
    return CURL_READFUNC_ABORT;
}

static int rewind_file(void *context, curl_off_t offset, int origin)
{
    const struct transfer_run *run = context;

    return lseek(run->transfer->fd, offset, origin) < 0 ? CURL_SEEKFUNC_FAIL
                                                        : CURL_SEEKFUNC_OK;
}

static bool keep(struct transfer_run *run, const char *data, size_t length)
{
    run->received += (int64_t)length;
    if (run->received > run->transfer->limit)
        return err_set(&run->err, ERR_LIMIT,
                       "what the server sends is larger than %lld bytes",
                       (long long)run->transfer->limit);
    return file_write(run->transfer->fd, data, length, &run->err);
}

static size_t take_some(char *data, size_t size, size_t count, void *context)
{
    struct transfer_run *run = context;
    long status = 0;

    curl_easy_getinfo(run->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status == 200 && !strcmp(run->transfer->method, "GET"))
        return keep(run, data, size * count) ? size * count : 0;
    buf_append(&run->reply->body, data, size * count);
    if (!run->reply->body.overflow)
        return size * count;
    err_fill(&run->err, ERR_LIMIT,
             "the server answers %ld with more than %zu bytes", status,
             run->reply->body.limit);
    return 0;
}

static size_t take_head(char *line, size_t size, size_t count, void *context)
{
    struct transfer_run *run = context;

    /* Each reply resets it: "100 Continue", a proxy's, the final one. */
    if (size * count > 5 && !strncmp(line, "HTTP/", 5))
        buf_clear(&run->reply->head);
    buf_append(&run->reply->head, line, size * count);
    return size * count;
}

/* Called about once per second, also while nothing moves. */
static int look_at_cancel(void *context, curl_off_t a, curl_off_t b,
                          curl_off_t c, curl_off_t d)
{
    const struct transfer_run *run = context;

    (void)a, (void)b, (void)c, (void)d;
    return cancel_fired(run->transfer->cancel);
}

/* ---- a transfer ---- */

/* Not "Expect:", which libcurl 7.88 would sign, but not send. */
static struct curl_slist *make_head(const char *const *headers)
{
    struct curl_slist *list = NULL;

    for (; headers && *headers; headers++) {
        list = curl_slist_append(list, *headers);
        if (!list)
            mem_out();
    }
    return list;
}

static void sign(CURL *easy, const struct transfer_signature *signature)
{
    curl_easy_setopt(easy, CURLOPT_AWS_SIGV4, signature->scope);
    curl_easy_setopt(easy, CURLOPT_USERNAME, signature->key_id);
    curl_easy_setopt(easy, CURLOPT_PASSWORD, signature->secret);
}

static void prepare(struct transfer_run *run, struct curl_slist *head)
{
    const struct file_transfer *transfer = run->transfer;
    const char *authorities = getenv("SSL_CERT_FILE"); /* as OpenSSL has it */
    CURL *easy = run->easy;

    curl_easy_setopt(easy, CURLOPT_URL, transfer->url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, STILL_S);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "proctor/" PROCTOR_VERSION);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, head);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, look_at_cancel);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, run);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_some);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, run);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, run);
    if (authorities && *authorities)
        curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
    if (transfer->signature)
        sign(easy, transfer->signature);
    if (strcmp(transfer->method, "PUT") != 0)
        return;
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE,
                     (curl_off_t)transfer->size);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, send_some);
    curl_easy_setopt(easy, CURLOPT_READDATA, run);
    curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, rewind_file);
    curl_easy_setopt(easy, CURLOPT_SEEKDATA, run);
}

static bool perform(struct transfer_run *run, struct err *err)
{
    CURLcode result = curl_easy_perform(run->easy);

    if (run->err.code != ERR_NONE) {
        *err = run->err;
        return false;
    }
    if (cancel_fired(run->transfer->cancel))
        return err_set(err, ERR_CANCELLED, "cancelled");
    if (result != CURLE_OK)
        return err_set(err, http_error_code((int)result), "%s",
                       curl_easy_strerror(result));
    curl_easy_getinfo(run->easy, CURLINFO_RESPONSE_CODE, &run->reply->status);
    return true;
}

bool file_transfer_do(const struct file_transfer *transfer,
                      struct http_reply *reply, struct err *err)
{
    struct transfer_run run = {.transfer = transfer,
                               .easy = curl_easy_init(),
                               .reply = reply,
                               .err = ERR_INIT};
    struct curl_slist *head = make_head(transfer->headers);
    bool done;

    if (!run.easy)
        mem_out();
    buf_clear(&reply->head);
    buf_clear(&reply->body);
    if (lseek(transfer->fd, 0, SEEK_SET) < 0 ||
        (!strcmp(transfer->method, "GET") && ftruncate(transfer->fd, 0))) {
        done = err_errno(err, errno, "go to the beginning of the file");
    } else {
        prepare(&run, head);
        done = perform(&run, err);
    }
    curl_easy_cleanup(run.easy);
    curl_slist_free_all(head);
    return done;
}
