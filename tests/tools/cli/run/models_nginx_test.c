/*
 * Models behind nginx: verified TLS, kept connections, and errors of a gateway.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "runner/models/models.h"
#include "tests/support/model_server.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define PICTURE_SIZE 3000000
#define SKIPPED 77

static uint8_t picture[PICTURE_SIZE];

struct gateway {
    struct model_server *server;
    char sha256[SHA256_HEX_SIZE]; /* of the last body */
};

static struct gateway gateway;

static void answer(void *context, const struct model_question *question,
                   struct model_answer *reply)
{
    struct gateway *seen = context;

    sha256_hex(question->body, question->size, seen->sha256);
    reply->body = mem_dup("{\"choices\":[{\"message\":{\"content\":\"ok\"},"
                          "\"finish_reason\":\"stop\"}]}");
}

/*
 * A port that is still free when nginx uses it: the kernel assigns others, from
 * 32768 on.
 */
static uint16_t free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    uint16_t port = (uint16_t)(20000 + getpid() % 10000);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    do {
        port++;
        address.sin_port = htons(port);
    } while (port < 32000 &&
             bind(fd, (struct sockaddr *)&address, sizeof(address)));
    close(fd);
    return port;
}

static void write_configuration(uint16_t port)
{
    char text[2048];
    struct err err = ERR_INIT;
    int length = snprintf(
        text, sizeof(text),
        "pid nginx.pid;\nerror_log error.log;\nevents {}\n"
        "http {\n"
        "  log_format lines '$connection';\n"
        "  access_log access.log lines;\n"
        "  client_body_temp_path body; proxy_temp_path proxy;\n"
        "  fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;\n"
        "  scgi_temp_path scgi;\n"
        "  upstream models { server 127.0.0.1:%u; keepalive 4; }\n"
        "  server {\n"
        "    listen 127.0.0.1:%u ssl; ssl_certificate cert.pem;\n"
        "    ssl_certificate_key key.pem; keepalive_requests 100;\n"
        "    location /v1/ { client_max_body_size 32m; proxy_pass "
        "http://models;\n"
        "      proxy_http_version 1.1; proxy_set_header Connection '';\n"
        "      proxy_request_buffering off; }\n"
        "    location /small/ { client_max_body_size 1k; proxy_pass "
        "http://models; }\n"
        "    location /down/ { client_max_body_size 32m;\n"
        "      proxy_pass http://127.0.0.1:9; }\n"
        "  }\n"
        "}\n",
        model_server_port(gateway.server), port);

    assert_true(file_save("nginx.conf", 0600, text, (size_t)length, &err));
}

static int start(void **state)
{
    struct command_run run = {0};
    uint16_t port = free_port();
    char value[128];

    if (scratch_folder_enter(state))
        return -1;
    gateway.server = model_server_start(answer, &gateway);
    write_configuration(port);
    RUN(&run, 0,
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
        "-addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem "
        "-out cert.pem 2>&1");
    RUN(&run, 0, "nginx -p \"$PWD\" -c nginx.conf 2>&1");
    command_run_release(&run);
    snprintf(value, sizeof(value), "https://127.0.0.1:%u", port);
    setenv("GATEWAY", value, 1);
    setenv("OPENAI_API_KEY", "sk-test-nginx", 1);
    return 0;
}

static int stop(void **state)
{
    struct command_run run = {0};

    RUN(&run, 0, "nginx -p \"$PWD\" -c nginx.conf -s stop 2>&1");
    RUN(&run, 0, "await sh -c '! test -e nginx.pid'");
    model_server_stop(gateway.server);
    command_run_release(&run);
    return scratch_folder_leave(state);
}

/* Ask at a path of the gateway, with or without trusting its certificate. */
static bool ask(const char *path, bool trust, int times,
                struct model_reply *reply, struct err *err)
{
    const struct models_options options = {
        .retry = {.tries = 2, .first_ms = 1, .longest_ms = 1}};
    const struct model_part parts[] = {{.text = "What is this?"},
                                       {.image = picture,
                                        .image_size = PICTURE_SIZE,
                                        .image_type = "image/png"}};
    const struct model_message message = {
        .role = MODEL_USER, .parts = parts, .part_count = 2};
    const struct model_request request = {
        .messages = &message, .message_count = 1, .temperature = -1};
    struct models *models = NULL;
    struct model *model = NULL;
    char url[128];
    bool done = true;

    snprintf(url, sizeof(url), "%s%s", getenv("GATEWAY"), path);
    setenv("OPENAI_BASE_URL", url, 1);
    if (trust)
        setenv("SSL_CERT_FILE", "cert.pem", 1);
    else
        unsetenv("SSL_CERT_FILE");
    assert_true(models_open(&options, &models, err));
    assert_true(models_open_model(models, "openai:m", &model, err));
    for (int i = 0; done && i < times; i++)
        done =
            model_ask(model, &request, deadline_in_ms(30000), NULL, reply, err);
    model_close(model);
    models_close(models);
    return done;
}

/* The expected body. */
static void expected_hash(char hex[SHA256_HEX_SIZE])
{
    static const char before[] =
        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{"
        "\"type\":\"text\",\"text\":\"What is this?\"},{\"type\":\"image_url\","
        "\"image_url\":{\"url\":\"data:image/png;base64,";
    static const char after[] = "\"}}]}]}";
    struct buf body = BUF_INIT((size_t)8 << 20);
    char *letters;

    buf_text(&body, before);
    letters = buf_reserve(&body, base64_size(PICTURE_SIZE));
    base64_encode(picture, PICTURE_SIZE, letters);
    buf_commit(&body, base64_size(PICTURE_SIZE));
    buf_text(&body, after);
    sha256_hex(body.data, body.length, hex);
    buf_release(&body);
}

static void pictures_arrive_over_one_kept_connection(void **state)
{
    struct model_reply reply = MODEL_REPLY_INIT;
    struct command_run run = {0};
    struct err err = ERR_INIT;
    char expected[SHA256_HEX_SIZE];

    (void)state;
    if (!ask("/v1", true, 5, &reply, &err))
        fail_msg("%s", err.text);
    expected_hash(expected);
    assert_string_equal(gateway.sha256, expected);
    RUN(&run, 0, "sort access.log | uniq -c | tr -s ' '");
    assert_int_equal(strncmp(buf_cstr(&run.out), " 5 ", 3), 0);
    assert_int_equal(model_server_connections(gateway.server), 1);
    command_run_release(&run);
    model_reply_release(&reply);
}

static void untrusted_server_gets_neither_key_nor_request(void **state)
{
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;
    int before = model_server_questions(gateway.server);

    (void)state;
    assert_false(ask("/v1", false, 1, &reply, &err));
    assert_int_equal(err.code, ERR_DENIED);
    assert_int_equal(model_server_questions(gateway.server), before);
}

static void request_too_large_for_a_gateway_is_an_overflow(void **state)
{
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(ask("/small", true, 1, &reply, &err));
    assert_int_equal(reply.finish, MODEL_OVERFLOW);
    model_reply_release(&reply);
}

static void gateway_without_a_backend_is_unreachable(void **state)
{
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(ask("/down", true, 1, &reply, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    assert_non_null(strstr(err.text, "after 2 tries"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_arrive_over_one_kept_connection),
        cmocka_unit_test(untrusted_server_gets_neither_key_nor_request),
        cmocka_unit_test(request_too_large_for_a_gateway_is_an_overflow),
        cmocka_unit_test(gateway_without_a_backend_is_unreachable),
    };

    if (access("/usr/sbin/nginx", X_OK))
        return SKIPPED;
    for (size_t i = 0; i < PICTURE_SIZE; i++)
        picture[i] = (uint8_t)(i * 2654435761U >> 13);
    setenv("PATH", "/usr/sbin:/usr/bin:/bin", 1);
    return cmocka_run_group_tests(tests, start, stop);
}
