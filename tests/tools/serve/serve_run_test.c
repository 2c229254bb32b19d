/* A run at its socket: who drives its phone, and what a person does there. */
#include "tools/serve/serve_run.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "tests/support/scratch_folder.h"
#include "tools/phone_source/phone_source.h"
#include "tools/serve/serve_private.h"

#define MESSAGE_MAX ((size_t)16 << 20)
#define TIMES 30

/* ---- a run with one phone ---- */

struct run_fixture {
    struct device_source *phones;
    struct serve *serve;
    struct device_source *source;
    struct device_lease *lease;
    struct takeover *takeover;
    char phone[TCP_ADDRESS_MAX];
};

static struct deadline soon(void)
{
    return deadline_in_ms(60000);
}

static int set_up(void **state)
{
    struct run_fixture *fixture = calloc(1, sizeof(*fixture));
    const struct phone_source_options phones = {.realtime = true};
    struct run_phone phone = {.serial = "phone-0", .ours = true};
    const struct serve_run_options run = {
        .folder = "runs/mine", .agent = "gold", .phones = &phone, .count = 1};
    const struct serve_options options = {.no_pages = true, .run = &run};
    struct err err;

    assert_non_null(fixture);
    if (!phone_source_open(&phones, &fixture->phones, &err) ||
        !serve_start(&options, &fixture->serve, &err))
        fail_msg("%s", err.text);
    fixture->source = serve_run_source(fixture->serve, fixture->phones, true);
    fixture->takeover = serve_run_takeover(fixture->serve, 0);
    snprintf(fixture->phone, sizeof(fixture->phone), "phone-0@%s",
             fixture->serve->run->socket.name);
    if (!fixture->source->ops->acquire(fixture->source, "phone-0", soon(),
                                       &fixture->lease, &err))
        fail_msg("%s", err.text);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct run_fixture *fixture = *state;

    fixture->source->ops->release(fixture->source, fixture->lease);
    serve_stop(fixture->serve);
    fixture->phones->ops->close(fixture->phones);
    free(fixture);
    return 0;
}

/* ---- another process at its socket ---- */

struct socket_peer {
    const struct run_fixture *run;
    int fd;
    struct buf in;
    uint32_t epoch;
};

static void peer_open(struct socket_peer *peer, const struct run_fixture *run)
{
    struct err err;

    *peer = (struct socket_peer){
        .run = run,
        .in = BUF_INIT(2 * MESSAGE_MAX),
    };
    if (!run_socket_connect(run->serve->run->socket.name, &peer->fd, &err))
        fail_msg("%s", err.text);
    (void)fcntl(peer->fd, F_SETFL, 0); /* it blocks */
}

static void peer_close(struct socket_peer *peer)
{
    close(peer->fd);
    buf_release(&peer->in);
}

/* Send {"do": what, "phone": ..., more}. */
static void peer_send(struct socket_peer *peer, int id, const char *what,
                      const char *more)
{
    struct buf text = BUF_INIT(4096);
    struct buf bytes = BUF_INIT(4096);

    buf_printf(&text,
               "{\"id\":%d,\"do\":\"%s\",\"phone\":\"%s\",\"epoch\":%lu%s}", id,
               what, peer->run->phone, (unsigned long)peer->epoch, more);
    run_frame_write(&(struct run_frame){RUN_FRAME_TEXT, text.data, text.length},
                    &bytes);
    assert_int_equal(send(peer->fd, bytes.data, bytes.length, MSG_NOSIGNAL),
                     bytes.length);
    buf_release(&text);
    buf_release(&bytes);
}

/* The next message; its content is copied to text, which may be NULL. */
static enum run_frame_kind peer_receive(struct socket_peer *peer,
                                        struct buf *text)
{
    struct run_frame frame;
    struct err err;
    size_t used = 0;
    enum run_frame_kind kind;

    for (;;) {
        char *space;
        ssize_t count;

        assert_true(run_frame_read(buf_cstr(&peer->in), peer->in.length,
                                   MESSAGE_MAX, &frame, &used, &err));
        if (used)
            break;
        space = buf_reserve(&peer->in, 65536);
        assert_non_null(space);
        count = recv(peer->fd, space, 65536, 0);
        assert_true(count > 0);
        buf_commit(&peer->in, (size_t)count);
    }
    kind = frame.kind;
    if (text) {
        buf_clear(text);
        buf_append(text, frame.data, frame.length);
    }
    buf_consume(&peer->in, used);
    return kind;
}

/* Wait for a text with both parts. */
static void peer_await(struct socket_peer *peer, const char *part,
                       const char *other, struct buf *text)
{
    struct buf own = BUF_INIT(MESSAGE_MAX);
    struct buf *into = text ? text : &own;

    while (peer_receive(peer, into) != RUN_FRAME_TEXT ||
           !strstr(buf_cstr(into), part) || !strstr(buf_cstr(into), other))
        ;
    buf_release(&own);
}

/* Send it, and wait for its answer: true if it was done. */
static bool peer_ask(struct socket_peer *peer, const char *what,
                     const char *more, struct buf *answer)
{
    static int last_id = 100;
    char id[32];

    peer_send(peer, ++last_id, what, more);
    snprintf(id, sizeof(id), "\"id\":%d", last_id);
    peer_await(peer, id, "\"ok\"", answer);
    return strstr(buf_cstr(answer), "\"ok\":true") != NULL;
}

static void peer_take(struct socket_peer *peer)
{
    struct buf answer = BUF_INIT(MESSAGE_MAX);
    const char *epoch;

    assert_true(peer_ask(peer, "take", "", &answer));
    epoch = strstr(buf_cstr(&answer), "\"epoch\":");
    assert_non_null(epoch);
    peer->epoch = (uint32_t)strtoul(epoch + 8, NULL, 10);
    buf_release(&answer);
}

static bool peer_press_home(struct socket_peer *peer, struct buf *answer)
{
    return peer_ask(peer, "key", ",\"key\":\"home\"", answer);
}

/* ---- tests ---- */

static void progress_of_the_agent_is_listed(void **state)
{
    struct run_fixture *run = *state;
    const struct run_phone_state progress = {
        .task = "shop.cart",
        .step = {.doing = "step",
                 .step = 2,
                 .steps = 15,
                 .last = "tapped button 'Buy'"},
    };
    struct socket_peer peer;
    struct buf text = BUF_INIT(MESSAGE_MAX);

    peer_open(&peer, run);
    serve_run_note(run->serve, &progress);
    peer_await(&peer, "\"push\":\"phones\"", "\"task\":\"shop.cart\"", &text);
    assert_non_null(strstr(buf_cstr(&text), "\"name\":\"mine\""));
    assert_non_null(strstr(buf_cstr(&text), "\"agent\":\"gold\""));
    assert_non_null(strstr(buf_cstr(&text), "\"serial\":\"phone-0\""));
    assert_non_null(strstr(buf_cstr(&text), "\"step\":2"));
    assert_non_null(strstr(buf_cstr(&text), "tapped button 'Buy'"));
    buf_release(&text);
    peer_close(&peer);
}

static void agent_is_refused_while_a_person_drives(void **state)
{
    struct run_fixture *run = *state;
    struct buf answer = BUF_INIT(MESSAGE_MAX);
    struct socket_peer peer;
    uint32_t epoch = control_lease_take(&run->takeover->lease, CONTROL_AGENT);
    struct err err;

    peer_open(&peer, run);
    assert_false(peer_press_home(&peer, &answer));
    assert_non_null(strstr(buf_cstr(&answer), "take the phone first"));
    peer_take(&peer);
    assert_false(control_lease_enter(&run->takeover->lease, epoch, &err));
    assert_true(peer_press_home(&peer, &answer));
    (void)control_lease_take(&run->takeover->lease, CONTROL_AGENT);
    assert_false(peer_press_home(&peer, &answer));
    assert_non_null(strstr(buf_cstr(&answer), "control has passed on"));
    buf_release(&answer);
    peer_close(&peer);
}

/* Although the person gives back before the answer has come. */
static void last_action_is_noted_before_the_phone_is_given_back(void **state)
{
    struct run_fixture *run = *state;
    struct socket_peer peer;
    struct buf answer = BUF_INIT(MESSAGE_MAX);
    int accepted = 0;

    peer_open(&peer, run);
    for (int i = 0; i < TIMES; i++) {
        struct action action;
        size_t missed;

        peer_take(&peer);
        peer_send(&peer, 1, "key", ",\"key\":\"home\"");
        peer_send(&peer, 2, "release", "");
        peer_await(&peer, "\"id\":1,", "\"ok\":", &answer);
        if (strstr(buf_cstr(&answer), "\"ok\":true")) {
            assert_true(takeover_next(run->takeover, NULL, &action, &missed));
            assert_int_equal(action.kind, ACTION_HOME);
            action_release(&action);
            accepted++;
        }
        assert_false(takeover_next(run->takeover, NULL, &action, &missed));
        assert_int_equal(control_lease_holder(&run->takeover->lease, NULL),
                         CONTROL_FREE);
    }
    assert_true(accepted > 0);
    buf_release(&answer);
    peer_close(&peer);
}

static void closed_connection_gives_the_phone_back(void **state)
{
    struct run_fixture *run = *state;

    for (int i = 0; i < TIMES; i++) {
        struct socket_peer peer;
        struct action action;
        size_t missed;

        peer_open(&peer, run);
        peer_take(&peer);
        peer_send(&peer, 1, "key", ",\"key\":\"back\"");
        peer_close(&peer);
        /* Each wait ends with the change of control. */
        while (takeover_next(run->takeover, NULL, &action, &missed))
            action_release(&action);
    }
}

static void second_person_takes_over_from_the_first(void **state)
{
    struct run_fixture *run = *state;
    struct buf answer = BUF_INIT(MESSAGE_MAX);
    struct socket_peer first, second;

    peer_open(&first, run);
    peer_open(&second, run);
    peer_take(&first);
    peer_take(&second);
    assert_false(peer_press_home(&first, &answer));
    assert_non_null(strstr(buf_cstr(&answer), "another page drives"));
    assert_false(peer_ask(&first, "release", "", &answer));
    peer_close(&first);
    assert_true(peer_press_home(&second, &answer));
    assert_int_equal(control_lease_holder(&run->takeover->lease, NULL),
                     CONTROL_PERSON);
    buf_release(&answer);
    peer_close(&second);
}

/* The phone is another one afterwards; the watch goes on. */
static void watch_survives_a_new_phone(void **state)
{
    struct run_fixture *run = *state;
    struct buf answer = BUF_INIT(MESSAGE_MAX);
    struct socket_peer peer;
    struct err err;

    peer_open(&peer, run);
    assert_true(peer_ask(&peer, "watch", ",\"width\":0,\"watch\":77", &answer));
    assert_non_null(strstr(buf_cstr(&answer), "\"watch\":77"));
    assert_false(
        peer_ask(&peer, "watch", ",\"width\":0,\"watch\":77", &answer));
    while (peer_receive(&peer, &answer) != RUN_FRAME_BINARY)
        ;
    assert_int_equal(answer.data[3], 77); /* the number of the watch */
    if (!run->source->ops->refresh(run->source, run->lease, NULL, NULL, soon(),
                                   &err))
        fail_msg("%s", err.text);
    assert_true(peer_ask(&peer, "unwatch", ",\"watch\":77", &answer));
    assert_true(peer_ask(&peer, "watch", ",\"width\":0,\"watch\":78", &answer));
    while (peer_receive(&peer, &answer) != RUN_FRAME_BINARY ||
           answer.data[3] != 78)
        ;
    peer_take(&peer);
    assert_true(peer_press_home(&peer, &answer));
    buf_release(&answer);
    peer_close(&peer);
}

static void phone_that_is_switched_off_is_not_touched(void **state)
{
    struct run_fixture *run = *state;
    struct buf answer = BUF_INIT(MESSAGE_MAX);
    struct socket_peer peer;
    struct err err;

    peer_open(&peer, run);
    run->source->ops->release(run->source, run->lease);
    assert_true(peer_ask(&peer, "watch", ",\"width\":0", &answer));
    peer_take(&peer);
    assert_false(peer_press_home(&peer, &answer));
    assert_non_null(strstr(buf_cstr(&answer), "\"busy\":true"));
    assert_true(run->source->ops->acquire(run->source, "phone-0", soon(),
                                          &run->lease, &err));
    while (peer_receive(&peer, NULL) != RUN_FRAME_BINARY)
        ;
    assert_true(peer_press_home(&peer, &answer));
    buf_release(&answer);
    peer_close(&peer);
}

/* ---- another server ---- */

/* Pages are clients that the HTTP server does not have. */
static void page_says(struct serve *serve, const char *what, const char *phone,
                      const char *more)
{
    static int last_id;
    struct buf text = BUF_INIT(4096);

    buf_printf(&text,
               "{\"id\":%d,\"do\":\"%s\",\"phone\":\"%s\",\"width\":0%s}",
               ++last_id, what, phone, more);
    serve_handle(serve, 1, text.data, text.length);
    buf_release(&text);
}

static void pause_shortly(struct deadline by)
{
    assert_false(deadline_passed(by));
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static struct serve *start_other(bool read_only)
{
    const struct serve_options options = {.attach = true,
                                          .read_only = read_only};
    struct serve *serve = NULL;
    struct err err;

    if (!serve_start(&options, &serve, &err))
        fail_msg("%s", err.text);
    pthread_mutex_lock(&serve->lock);
    serve_add_page(serve, 1);
    serve_attach_runs(serve);
    assert_non_null(serve->links);
    pthread_mutex_unlock(&serve->lock);
    return serve;
}

/* The end of another server is that of its connections. */
static void other_server_takes_over_and_gives_back_at_its_end(void **state)
{
    struct run_fixture *run = *state;
    struct serve *other = start_other(false);
    struct action action;
    size_t missed;
    struct deadline by = soon();

    (void)control_lease_take(&run->takeover->lease, CONTROL_AGENT);
    page_says(other, "take", run->phone, "");
    while (control_lease_holder(&run->takeover->lease, NULL) != CONTROL_PERSON)
        pause_shortly(by);
    serve_stop(other);
    assert_false(takeover_next(run->takeover, NULL, &action, &missed));
    assert_int_equal(control_lease_holder(&run->takeover->lease, NULL),
                     CONTROL_FREE);
}

static bool is_watched(struct serve *serve)
{
    bool watched;

    pthread_mutex_lock(&serve->lock);
    watched = serve->run->phones[0]->watches > 0;
    pthread_mutex_unlock(&serve->lock);
    return watched;
}

/* The messages of a page arrive in their order. */
static void server_that_only_watches_takes_nothing_over(void **state)
{
    struct run_fixture *run = *state;
    struct serve *watching = start_other(true);
    uint32_t before = control_lease_take(&run->takeover->lease, CONTROL_AGENT);
    struct deadline by = soon();
    uint32_t epoch;

    page_says(watching, "take", run->phone, "");
    page_says(watching, "watch", run->phone, "");
    while (!is_watched(run->serve))
        pause_shortly(by);
    assert_int_equal(control_lease_holder(&run->takeover->lease, &epoch),
                     CONTROL_AGENT);
    assert_int_equal(epoch, before);
    serve_stop(watching);
}

static size_t numbers_of_page(struct serve *serve)
{
    size_t count;

    pthread_mutex_lock(&serve->lock);
    count = serve->pages->number_count;
    pthread_mutex_unlock(&serve->lock);
    return count;
}

/* Of lists, which watch only while another page does. */
static void refused_watches_leave_no_numbers(void **state)
{
    struct run_fixture *run = *state;
    struct serve *other = start_other(false);
    struct deadline by = soon();

    for (int i = 0; i <= SERVE_WATCHES_MAX; i++) {
        page_says(other, "watch", run->phone, ",\"passive\":true");
        while (numbers_of_page(other))
            pause_shortly(by);
    }
    page_says(other, "watch", run->phone, ",\"watch\":7");
    assert_int_equal(numbers_of_page(other), 1);
    while (!is_watched(run->serve))
        pause_shortly(by);
    serve_stop(other);
}

#define RUN_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static int enter(void **state)
{
    return scratch_folder_enter(state) ||
           setenv("XDG_STATE_HOME", scratch_folder_path(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(progress_of_the_agent_is_listed),
        RUN_TEST(agent_is_refused_while_a_person_drives),
        RUN_TEST(last_action_is_noted_before_the_phone_is_given_back),
        RUN_TEST(closed_connection_gives_the_phone_back),
        RUN_TEST(second_person_takes_over_from_the_first),
        RUN_TEST(watch_survives_a_new_phone),
        RUN_TEST(phone_that_is_switched_off_is_not_touched),
        RUN_TEST(other_server_takes_over_and_gives_back_at_its_end),
        RUN_TEST(server_that_only_watches_takes_nothing_over),
        RUN_TEST(refused_watches_leave_no_numbers),
    };

    return cmocka_run_group_tests(tests, enter, scratch_folder_leave);
}
