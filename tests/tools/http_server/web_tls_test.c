/* The server with TLS, a certificate made here, and libcurl as the client. */
#include <curl/curl.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/web_client.h"
#include "tools/http_server/web_session.h"

#define CERTIFICATE "certificate.pem"
#define TRUSTED "trusted.pem" /* the same file */
#define KEY "key.pem"
#define OTHER_KEY "other.pem"
#define LOCKED_KEY "locked.pem"
#define NAMES "DNS:phones.example,IP:127.0.0.1"
#define PICTURE ((size_t)3 << 20)
#define IDLE 50

struct fixture {
    struct http_server *server;
    struct web_session *session;
    struct buf url;
    uint16_t port;
    struct buf read;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t held;
    uint64_t gone;
};

/* ---- certificates ---- */

static void save_key(EVP_PKEY *key, const char *path, const char *passphrase)
{
    FILE *file = fopen(path, "we");

    assert_non_null(file);
    assert_int_equal(PEM_write_PKCS8PrivateKey(
                         file, key, passphrase ? EVP_aes_256_cbc() : NULL,
                         passphrase, passphrase ? 4 : 0, NULL, NULL),
                     1);
    assert_int_equal(fclose(file), 0);
}

/* It is signed with its own key. */
static void add_names(X509 *certificate)
{
    X509_EXTENSION *names =
        X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, NAMES);
    X509_NAME *subject = X509_get_subject_name(certificate);

    assert_non_null(names);
    assert_int_equal(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                                (const unsigned char *)"phones",
                                                -1, -1, 0),
                     1);
    assert_int_equal(X509_set_issuer_name(certificate, subject), 1);
    assert_int_equal(X509_add_ext(certificate, names, -1), 1);
    X509_EXTENSION_free(names);
}

static void save_certificate(EVP_PKEY *key, const char *path)
{
    X509 *certificate = X509_new();
    FILE *file = fopen(path, "we");

    assert_non_null(file);
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
    X509_set_pubkey(certificate, key);
    add_names(certificate);
    assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
    assert_int_equal(PEM_write_X509(file, certificate), 1);
    assert_int_equal(fclose(file), 0);
    X509_free(certificate);
}

static int make_files(void **state)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    EVP_PKEY *other = EVP_EC_gen("P-256");

    if (scratch_folder_enter(state))
        return -1;
    save_certificate(key, CERTIFICATE);
    assert_int_equal(link(CERTIFICATE, TRUSTED), 0);
    save_key(key, KEY, NULL);
    save_key(key, LOCKED_KEY, "open");
    save_key(other, OTHER_KEY, NULL);
    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
    return curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK;
}

static int remove_files(void **state)
{
    curl_global_cleanup();
    return scratch_folder_leave(state);
}

/* ---- the server ---- */

static void answer_page(struct fixture *fixture, uint64_t id)
{
    struct http_answer answer = {
        .status = 200, .type = "text/plain", .body = BUF_INIT(PICTURE)};

    memset(buf_reserve(&answer.body, PICTURE), 'p', PICTURE);
    buf_commit(&answer.body, PICTURE);
    http_server_answer(fixture->server, id, &answer);
}

static void set_number(struct fixture *fixture, uint64_t *number, uint64_t to)
{
    pthread_mutex_lock(&fixture->lock);
    *number = to;
    pthread_cond_broadcast(&fixture->changed);
    pthread_mutex_unlock(&fixture->lock);
}

static void wait_for(struct fixture *fixture, const uint64_t *number)
{
    const struct timespec by =
        deadline_timespec(deadline_in_ms(WEB_CLIENT_WAIT_S * INT64_C(1000)));

    pthread_mutex_lock(&fixture->lock);
    while (!*number)
        assert_int_equal(
            pthread_cond_timedwait(&fixture->changed, &fixture->lock, &by), 0);
    pthread_mutex_unlock(&fixture->lock);
}

static void handle(void *context, const struct http_request *request)
{
    struct fixture *fixture = context;

    if (!strcmp(request->path, "/hold"))
        set_number(fixture, &fixture->held, request->id);
    else if (web_session_admit(fixture->session, fixture->server, request))
        answer_page(fixture, request->id);
}

static void on_gone(void *context, uint64_t id)
{
    struct fixture *fixture = context;

    set_number(fixture, &fixture->gone, id);
}

static void on_message(void *context, uint64_t client,
                       const struct socket_message *message)
{
    struct fixture *fixture = context;

    http_server_send(fixture->server, message, &client, 1);
}

/* Any client may connect: the login has its own test. */
static int admit(void *context, const struct http_request *request,
                 uint64_t client)
{
    (void)context, (void)request, (void)client;
    return 0;
}

static int setup(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    const struct http_server_options options = {
        .address = "0.0.0.0",
        .certificate = CERTIFICATE,
        .private_key = KEY,
        .answer_headers = web_session_headers,
        .handle = handle,
        .on_gone = on_gone,
        .sockets = {.clients = 4,
                    .message_max = PICTURE,
                    .queue_max = PICTURE,
                    .admit = admit,
                    .on_message = on_message},
        .context = fixture,
    };
    struct err err = ERR_INIT;

    *state = fixture;
    pthread_mutex_init(&fixture->lock, NULL);
    deadline_cond_init(&fixture->changed);
    fixture->url = (struct buf)BUF_INIT(4096);
    fixture->read = (struct buf)BUF_INIT(4 * PICTURE);
    if (!web_session_open(&fixture->session, &err) ||
        !http_server_open(&options, &fixture->server, &err) ||
        !http_server_start(fixture->server, &err)) {
        print_error("%s\n", err.text);
        return -1;
    }
    fixture->port = http_server_port(fixture->server);
    web_session_url(fixture->session, fixture->server, &fixture->url);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    http_server_close(fixture->server);
    web_session_close(fixture->session);
    buf_release(&fixture->url);
    buf_release(&fixture->read);
    pthread_cond_destroy(&fixture->changed);
    pthread_mutex_destroy(&fixture->lock);
    free(fixture);
    return 0;
}

/* ---- the client ---- */

static size_t keep(char *data, size_t size, size_t count, void *context)
{
    buf_append(context, data, size * count);
    return size * count;
}

/* It trusts the certificate, and finds the server under every name of it. */
static CURL *new_client(struct fixture *fixture, const char *target)
{
    CURL *curl = curl_easy_init();
    char url[512];

    assert_non_null(curl);
    snprintf(url, sizeof(url), "https://phones.example:%u%s",
             (unsigned)fixture->port, target);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_CAINFO, TRUSTED);
    curl_easy_setopt(curl, CURLOPT_COOKIEFILE, "");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)WEB_CLIENT_WAIT_S);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &fixture->read);
    curl_easy_setopt(curl, CURLOPT_HEADER, 1L);
    return curl;
}

static struct curl_slist *names_of(struct fixture *fixture, CURL *curl)
{
    char line[128];
    struct curl_slist *names;

    snprintf(line, sizeof(line), "phones.example:%u:127.0.0.1",
             (unsigned)fixture->port);
    names = curl_slist_append(NULL, line);
    assert_non_null(names);
    curl_easy_setopt(curl, CURLOPT_RESOLVE, names);
    return names;
}

static const char *token_of(struct fixture *fixture)
{
    return strstr(buf_cstr(&fixture->url), "/?token=");
}

static long ask(struct fixture *fixture, const char *target, const char *header)
{
    CURL *curl = new_client(fixture, target);
    struct curl_slist *names = names_of(fixture, curl);
    struct curl_slist *headers =
        header ? curl_slist_append(NULL, header) : NULL;
    long status = 0;

    buf_clear(&fixture->read);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    assert_int_equal(curl_easy_perform(curl), CURLE_OK);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    curl_slist_free_all(names);
    return status;
}

/* ---- the tests ---- */

static void a_page_is_served_with_a_secure_cookie(void **state)
{
    struct fixture *fixture = *state;

    assert_memory_equal(buf_cstr(&fixture->url), "https://", 8);
    assert_int_equal(ask(fixture, token_of(fixture), NULL), 200);
    web_client_expect(&fixture->read, "HTTP/1.1 303");
    web_client_expect(&fixture->read,
                      "; HttpOnly; SameSite=Strict; Secure\r\n");
    assert_true(fixture->read.length > PICTURE);
    assert_int_equal(fixture->read.data[fixture->read.length - 1], 'p');
    assert_int_equal(ask(fixture, "/", NULL), 401);
}

static void its_names_are_those_of_the_certificate(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(ask(fixture, "/", "Host: phones.example"), 401);
    assert_int_equal(ask(fixture, "/", "Host: 127.0.0.1:7"), 401);
    assert_int_equal(ask(fixture, "/", "Host: localhost"), 401);
    assert_int_equal(ask(fixture, "/", "Host: evil.example"), 403);
    assert_int_equal(ask(fixture, "/", "Host: phones.example.evil.example"),
                     403);
    assert_int_equal(ask(fixture, "/", "Host: 10.0.0.1"), 403);
}

/* A request does not make it read files. */
static void its_names_are_known_without_the_file(void **state)
{
    struct fixture *fixture = *state;
    long own, other;

    assert_int_equal(unlink(CERTIFICATE), 0);
    own = ask(fixture, "/", "Host: phones.example");
    other = ask(fixture, "/", "Host: evil.example");
    assert_int_equal(link(TRUSTED, CERTIFICATE), 0);
    assert_int_equal(own, 401);
    assert_int_equal(other, 403);
}

/* ---- connections that are used directly ---- */

static void send_all(CURL *curl, const char *data, size_t length)
{
    while (length) {
        size_t sent = 0;
        CURLcode code = curl_easy_send(curl, data, length, &sent);

        assert_true(code == CURLE_OK || code == CURLE_AGAIN);
        data += sent;
        length -= sent;
    }
}

/* Read until there are so many bytes. */
static void receive(CURL *curl, size_t least, struct buf *read)
{
    struct deadline end = deadline_in_ms(WEB_CLIENT_WAIT_S * INT64_C(1000));
    curl_socket_t fd = -1;

    curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, &fd);
    while (read->length < least) {
        struct pollfd polled = {.fd = fd, .events = POLLIN};
        char piece[8192];
        size_t got = 0;
        CURLcode code = curl_easy_recv(curl, piece, sizeof(piece), &got);

        assert_false(deadline_passed(end));
        assert_true(code == CURLE_OK || code == CURLE_AGAIN);
        if (code == CURLE_AGAIN)
            (void)poll(&polled, 1, 100);
        buf_append(read, piece, got);
    }
}

static CURL *connect_only(struct fixture *fixture, struct curl_slist **names)
{
    CURL *curl = new_client(fixture, "/");

    *names = names_of(fixture, curl);
    curl_easy_setopt(curl, CURLOPT_CONNECT_ONLY, 1L);
    assert_int_equal(curl_easy_perform(curl), CURLE_OK);
    return curl;
}

/* A large message comes back, in TLS records of any size. */
static void sockets_work_over_tls(void **state)
{
    static const char upgrade[] =
        "GET /socket HTTP/1.1\r\nHost: phones.example\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    unsigned char header[14] = {0x82, 0xff};
    struct fixture *fixture = *state;
    struct curl_slist *names;
    CURL *curl = connect_only(fixture, &names);
    char *picture = mem_new(1, PICTURE);

    send_all(curl, upgrade, strlen(upgrade));
    do
        receive(curl, fixture->read.length + 1, &fixture->read);
    while (!strstr(buf_cstr(&fixture->read), "\r\n\r\n"));
    web_client_expect(&fixture->read, "HTTP/1.1 101");
    for (size_t i = 0; i < 8; i++)
        header[2 + i] = (unsigned char)((uint64_t)PICTURE >> (56 - 8 * i));
    buf_clear(&fixture->read);
    send_all(curl, (const char *)header, sizeof(header));
    send_all(curl, picture, PICTURE);
    receive(curl, PICTURE + 10, &fixture->read);
    assert_memory_equal(fixture->read.data, "\x82\x7f", 2);
    assert_memory_equal(fixture->read.data + 10, picture, PICTURE);
    curl_easy_cleanup(curl);
    curl_slist_free_all(names);
    free(picture);
}

static void a_client_that_leaves_is_reported(void **state)
{
    static const char request[] =
        "GET /hold HTTP/1.1\r\nHost: phones.example\r\n\r\n";
    struct fixture *fixture = *state;
    struct curl_slist *names;
    CURL *curl = connect_only(fixture, &names);

    send_all(curl, request, strlen(request));
    wait_for(fixture, &fixture->held);
    curl_easy_cleanup(curl);
    curl_slist_free_all(names);
    wait_for(fixture, &fixture->gone);
    assert_int_equal(fixture->gone, fixture->held);
}

/* ---- hostile clients ---- */

static void clients_without_tls_are_refused(void **state)
{
    struct fixture *fixture = *state;
    struct buf read = BUF_INIT(65536);
    int fd = web_client_connect(fixture->port);

    web_client_put(fd, "GET / HTTP/1.1\r\nHost: phones.example\r\n\r\n");
    web_client_read_to_end(fd, &read);
    assert_null(strstr(buf_cstr(&read), "HTTP/1."));
    close(fd);
    assert_int_equal(ask(fixture, "/", NULL), 401);
    buf_release(&read);
}

static void silent_clients_leave_others_served(void **state)
{
    struct fixture *fixture = *state;
    int fds[IDLE];

    for (size_t i = 0; i < IDLE; i++) {
        fds[i] = web_client_connect(fixture->port);
        /* half of the first record */
        if (i % 2)
            web_client_put(fds[i], "\x16\x03\x01\x02");
    }
    assert_int_equal(ask(fixture, "/", NULL), 401);
    for (size_t i = 0; i < IDLE; i++)
        close(fds[i]);
}

/* ---- certificates that cannot be used ---- */

static void unusable_files_are_named(void **state)
{
    static const struct {
        const char *certificate;
        const char *key;
        const char *said;
    } cases[] = {
        {CERTIFICATE, OTHER_KEY, OTHER_KEY},
        {CERTIFICATE, LOCKED_KEY, LOCKED_KEY},
        {CERTIFICATE, "missing.pem", "missing.pem"},
        {"missing.pem", KEY, "missing.pem"},
        {KEY, KEY, KEY},
        {CERTIFICATE, NULL, "private key"},
        {NULL, KEY, "certificate"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct http_server_options options = {
            .certificate = cases[i].certificate,
            .private_key = cases[i].key,
        };
        struct http_server *server = NULL;
        struct err err = ERR_INIT;

        assert_false(http_server_open(&options, &server, &err));
        assert_int_equal(err.code, ERR_INVALID);
        if (!strstr(err.text, cases[i].said))
            fail_msg("%s lacks %s", err.text, cases[i].said);
    }
}

int main(void)
{
#define TLS_TEST(name_) cmocka_unit_test_setup_teardown(name_, setup, teardown)
    const struct CMUnitTest tests[] = {
        TLS_TEST(a_page_is_served_with_a_secure_cookie),
        TLS_TEST(its_names_are_those_of_the_certificate),
        TLS_TEST(its_names_are_known_without_the_file),
        TLS_TEST(sockets_work_over_tls),
        TLS_TEST(a_client_that_leaves_is_reported),
        TLS_TEST(clients_without_tls_are_refused),
        TLS_TEST(silent_clients_leave_others_served),
        cmocka_unit_test(unusable_files_are_named),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}
