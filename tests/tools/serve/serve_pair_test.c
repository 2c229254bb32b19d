/* A phone that scans the QR code of a page: it is paired, and connected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json.h"
#include "tests/support/adb/mdns_peer.h"
#include "tests/support/qr_reader.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/web_client.h"
#include "tests/tools/serve/test_serve.h"

/* What a built-in phone calls itself when it is paired. */
#define PHONE_NAME "adb-PROCTOR0001-zmcfll"

/* ---- a page ---- */

struct pair_page {
    struct serve *serve;
    int fd;
};

static void ask_with_cookie(const struct pair_page *page, const char *cookie,
                            struct buf *answer)
{
    struct buf request = BUF_INIT(4096);
    const unsigned port = serve_port(page->serve);

    buf_printf(&request,
               "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
               "Origin: http://127.0.0.1:%u\r\nCookie: %s\r\n"
               "Connection: Upgrade\r\nUpgrade: websocket\r\n"
               "Sec-WebSocket-Version: 13\r\n"
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
               port, port, cookie);
    web_client_ask(page->fd, buf_cstr(&request), answer);
    buf_release(&request);
}

/* As a browser: the token becomes a cookie, with which it asks for a socket. */
static void open_page(struct pair_page *page, struct serve *serve)
{
    struct buf url = BUF_INIT(1024), request = BUF_INIT(4096);
    struct buf answer = BUF_INIT(65536);
    char cookie[256];
    const char *set;

    *page = (struct pair_page){serve, web_client_connect(serve_port(serve))};
    serve_url(serve, (struct serve_place){NULL, NULL}, &url);
    buf_printf(&request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n",
               strstr(buf_cstr(&url), "/?token="), (unsigned)serve_port(serve));
    web_client_ask(page->fd, buf_cstr(&request), &answer);
    set = strstr(buf_cstr(&answer), "set-cookie: ");
    assert_non_null(set);
    assert_int_equal(sscanf(set, "set-cookie: %255[^;]", cookie), 1);
    ask_with_cookie(page, cookie, &answer);
    web_client_expect(&answer, "HTTP/1.1 101");
    buf_release(&url);
    buf_release(&request);
    buf_release(&answer);
}

/* The next message with this part. The caller deletes it. */
static struct cJSON *await_message(const struct pair_page *page,
                                   const char *part)
{
    struct buf message = BUF_INIT((size_t)1 << 20);
    struct cJSON *tree;

    do {
        buf_clear(&message);
        assert_int_equal(web_client_receive(page->fd, &message), WEB_TEXT);
    } while (!strstr(buf_cstr(&message), part));
    tree = cJSON_Parse(buf_cstr(&message));
    assert_non_null(tree);
    buf_release(&message);
    return tree;
}

static void page_says(const struct pair_page *page, const char *text)
{
    web_client_send(page->fd, WEB_TEXT | WEB_FINAL, text, strlen(text));
}

static const char *text_of(const struct cJSON *tree, const char *name)
{
    const char *text =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, name));

    assert_non_null(text);
    return text;
}

/* ---- a phone ---- */

struct scanned {
    char name[32];
    char code[16];
};

/* Scan the code that the page shows. */
static struct scanned scan(const struct pair_page *page)
{
    const char *rows[QR_READER_WIDTH_MAX];
    char text[QR_READER_TEXT_MAX];
    const struct cJSON *list;
    struct scanned scanned;
    struct cJSON *answer;
    int width;

    page_says(page, "{\"id\":1,\"do\":\"pair_qr\"}");
    answer = await_message(page, "\"id\":1");
    list = cJSON_GetObjectItemCaseSensitive(answer, "rows");
    width = cJSON_GetArraySize(list);
    assert_true(width <= QR_READER_WIDTH_MAX);
    for (int i = 0; i < width; i++)
        rows[i] = cJSON_GetStringValue(cJSON_GetArrayItem(list, i));
    qr_reader_text(rows, width, text);
    assert_int_equal(sscanf(text, "WIFI:T:ADB;S:%31[^;];P:%15[^;];;",
                            scanned.name, scanned.code),
                     2);
    assert_string_equal(scanned.name, text_of(answer, "name"));
    cJSON_Delete(answer);
    return scanned;
}

/* What a phone announces that has scanned the code. */
static void announce(const struct phone *phone, const char *name,
                     struct buf *message)
{
    char pairing[96];
    const struct mdns_peer_service services[] = {
        {pairing, "phone.local", "127.0.0.1", phone_pairing_port(phone)},
        {PHONE_NAME "._adb-tls-connect._tcp.local", "phone.local", "127.0.0.1",
         phone_port(phone)},
    };

    snprintf(pairing, sizeof(pairing), "%s._adb-tls-pairing._tcp.local", name);
    mdns_peer_answer(services, 2, message);
}

static void scanning_phone_is_paired_and_connected(void **state)
{
    struct buf nothing = BUF_INIT(1024), announced = BUF_INIT(1024);
    struct mdns_peer *network;
    struct phone_options options = {.pairs = true, .realtime = true};
    struct phone *phone = NULL;
    struct pair_page page;
    struct scanned scanned;
    struct cJSON *message;
    struct serve *serve;
    char words[96];
    struct err err;

    (void)state;
    mdns_peer_answer(NULL, 0, &nothing);
    network = mdns_peer_start(&nothing);
    serve = test_serve_start(&(struct serve_options){
        .search = true, .mdns = mdns_peer_address(network)});
    open_page(&page, serve);
    scanned = scan(&page);
    options.code = scanned.code;
    if (!phone_start(&options, &phone, &err))
        fail_msg("%s", err.text);
    announce(phone, scanned.name, &announced);
    mdns_peer_change(network, &announced);
    message = await_message(&page, "\"push\":\"pairing\"");
    snprintf(words, sizeof(words), "Paired with the phone at 127.0.0.1:%u",
             (unsigned)phone_port(phone));
    assert_string_equal(text_of(message, "words"), words);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(message, "ok")));
    cJSON_Delete(message);
    /* The list may have had it before: it is pushed again. */
    page_says(&page, "{\"do\":\"phones\"}");
    cJSON_Delete(await_message(&page, "\"state\":\"ready\""));
    close(page.fd);
    serve_stop(serve);
    mdns_peer_stop(network);
    phone_stop(phone);
    buf_release(&nothing);
    buf_release(&announced);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scanning_phone_is_paired_and_connected),
    };

    return cmocka_run_group_tests(tests, test_serve_enter,
                                  scratch_folder_leave);
}
