/* The phones of a run, and the socket at which others meet it. */
#include "tools/serve/serve_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/mem.h"
#include "base/path_parts.h"
#include "tools/serve/serve_private.h"

#define HUB_CLIENTS_MAX 64
#define HUB_QUEUE_MAX ((size_t)16 << 20)

/* ---- clients at the socket ---- */

static void on_open(void *context, uint64_t id)
{
    struct serve *serve = context;

    pthread_mutex_lock(&serve->lock);
    serve_add_page(serve, id | SERVE_LOCAL_CLIENT);
    pthread_mutex_unlock(&serve->lock);
    serve_wake(serve);
}

static void on_message(void *context, uint64_t id,
                       const struct run_frame *message)
{
    if (message->kind == RUN_FRAME_TEXT)
        serve_handle(context, id | SERVE_LOCAL_CLIENT, message->data,
                     message->length);
}

static void on_left(void *context, uint64_t id)
{
    struct serve *serve = context;

    pthread_mutex_lock(&serve->lock);
    serve_drop_page(serve, id | SERVE_LOCAL_CLIENT);
    pthread_mutex_unlock(&serve->lock);
    serve_wake(serve);
}

static bool start_hub(struct serve *serve, int listener, struct err *err)
{
    const struct run_hub_options options = {
        .listener = listener,
        .clients_max = HUB_CLIENTS_MAX,
        .message_max = SERVE_MESSAGE_MAX,
        .queue_max = HUB_QUEUE_MAX,
        .on_open = on_open,
        .on_message = on_message,
        .on_left = on_left,
        .context = serve,
    };

    return run_hub_start(&options, &serve->hub, err);
}

/* ---- phones ---- */

static struct served_run_phone *new_run_phone(const char *serial,
                                              struct err *err)
{
    struct served_run_phone *run = mem_new(1, sizeof(*run));

    snprintf(run->serial, sizeof(run->serial), "%s", serial);
    if (!takeover_init(&run->takeover, err)) {
        free(run);
        return NULL;
    }
    lent_device_init(&run->lent, "the run is changing the phone");
    pthread_mutex_init(&run->lock, NULL);
    return run;
}

void served_run_phone_free(struct served_run_phone *run)
{
    if (!run)
        return;
    pthread_mutex_destroy(&run->lock);
    lent_device_release(&run->lent);
    takeover_release(&run->takeover);
    free(run);
}

/* Its serial for the pages is one that no other run has. */
static bool add_phone(struct serve *serve, const struct run_phone *given,
                      struct err *err)
{
    struct serve_run *run = serve->run;
    struct served_run_phone *made = new_run_phone(given->serial, err);
    char serial[TCP_ADDRESS_MAX];
    struct served_phone *phone;

    if (!made)
        return false;
    snprintf(serial, sizeof(serial), "%.*s@%s",
             (int)(sizeof(serial) - RUN_SOCKET_NAME_MAX - 2), given->serial,
             run->socket.name);
    pthread_mutex_lock(&serve->lock);
    phone = serve_enter_phone(serve, serial);
    if (phone) {
        phone->run = made;
        phone->kind = given->ours ? SERVED_BUILTIN : SERVED_ADB;
        phone->listed = true;
        phone->usable = true;
        made->away = given->ours;
        snprintf(phone->state, sizeof(phone->state), "not started yet");
        run->phones[run->count++] = phone;
    }
    pthread_mutex_unlock(&serve->lock);
    if (phone)
        return true;
    served_run_phone_free(made);
    return err_set(err, ERR_LIMIT, "there are too many phones");
}

bool serve_run_start(struct serve *serve,
                     const struct serve_run_options *options, struct err *err)
{
    struct serve_run *run = mem_new(1, sizeof(*run));
    char *name = path_name(options->folder);
    int listener;

    serve->run = run;
    run->name = clean_text_dup(name);
    free(name);
    run->agent = clean_text_dup(options->agent);
    run->phones = mem_new(options->count + 1, sizeof(struct served_phone *));
    if (!run_socket_listen(run->name, &run->socket, &listener, err))
        return false;
    run->listens = true;
    for (size_t i = 0; i < options->count; i++) {
        if (!add_phone(serve, &options->phones[i], err)) {
            close(listener);
            return false;
        }
    }
    return start_hub(serve, listener, err);
}

void serve_run_stop(struct serve *serve)
{
    if (!serve->run || !serve->run->listens)
        return;
    run_socket_remove(&serve->run->socket);
    serve->run->listens = false;
}

void serve_run_release(struct serve *serve)
{
    struct serve_run *run = serve->run;

    if (!run)
        return;
    serve_run_sources_free(run);
    free(run->phones);
    free(run->agent);
    free(run->name);
    free(run);
}

struct takeover *serve_run_takeover(struct serve *serve, size_t phone)
{
    return &serve->run->phones[phone]->run->takeover;
}

/* ---- what a person does ---- */

struct run_command {
    struct served_phone *phone;
    struct view_command command;
    char *text; /* owned; of the command */
};

struct run_command *run_command_begin(struct served_phone *phone,
                                      const struct view_command *command)
{
    struct run_command *made;

    if (!phone->run || command->kind > VIEW_SHELL)
        return NULL;
    made = mem_new(1, sizeof(*made));
    *made = (struct run_command){.phone = phone, .command = *command};
    made->text = command->text ? mem_dup(command->text) : NULL;
    made->command.text = made->text;
    pthread_mutex_lock(&phone->run->lock);
    phone->run->pending++;
    pthread_mutex_unlock(&phone->run->lock);
    return made;
}

/* What the person did is noted before control is given back. */
void run_command_end(struct run_command *command, bool done)
{
    struct served_run_phone *run;
    struct action action;
    uint32_t epoch = 0;

    if (!command)
        return;
    run = command->phone->run;
    pthread_mutex_lock(&run->lock);
    if (done && person_actions_add(&run->person, &command->command, &action)) {
        takeover_note(&run->takeover, &action);
        action_release(&action);
    }
    if (!--run->pending) {
        epoch = run->release_epoch;
        run->release_epoch = 0;
    }
    pthread_mutex_unlock(&run->lock);
    if (epoch) {
        control_lease_give_back(&run->takeover.lease, epoch);
        command->phone->control_changed = true;
        serve_wake(command->phone->serve);
    }
    free(command->text);
    free(command);
}

void serve_run_give_back(struct served_run_phone *run, uint32_t epoch)
{
    bool now;

    pthread_mutex_lock(&run->lock);
    now = !run->pending;
    if (!now)
        run->release_epoch = epoch;
    pthread_mutex_unlock(&run->lock);
    if (now)
        control_lease_give_back(&run->takeover.lease, epoch);
}

/* ---- what the agent does ---- */

static void copy_text(char *to, size_t size, const char *text)
{
    clean_text_copy(to, size, text ? text : "", text ? strlen(text) : 0);
}

void serve_run_note(struct serve *serve, const struct run_phone_state *state)
{
    struct served_run_phone *run = serve->run->phones[state->phone]->run;
    struct run_phone_progress *progress = &run->progress;

    pthread_mutex_lock(&run->lock);
    copy_text(progress->task, sizeof(progress->task), state->task);
    copy_text(progress->note, sizeof(progress->note), state->step.note);
    copy_text(progress->last, sizeof(progress->last), state->step.last);
    copy_text(progress->trouble, sizeof(progress->trouble), state->trouble);
    progress->repeat = state->item.repeat;
    progress->attempt = state->item.attempt;
    progress->doing = state->step.doing;
    progress->step = state->step.step;
    progress->steps = state->step.steps;
    pthread_mutex_unlock(&run->lock);
    serve_wake(serve);
}

void serve_run_describe(const struct served_phone *phone, struct cJSON *entry)
{
    struct served_run_phone *run = phone->run;
    const struct run_phone_progress *progress = &run->progress;
    struct cJSON *into;

    json_add_string(entry, "serial", run->serial);
    into = json_add_object(entry, "run");
    json_add_string(into, "name", phone->serve->run->name);
    json_add_string(into, "agent", phone->serve->run->agent);
    pthread_mutex_lock(&run->lock);
    json_add_string(into, "task", progress->task);
    json_add_int(into, "repeat", progress->repeat);
    json_add_int(into, "attempt", progress->attempt);
    json_add_string(into, "doing", progress->doing ? progress->doing : "");
    json_add_int(into, "step", progress->step);
    json_add_int(into, "steps", progress->steps);
    json_add_string(into, "note", progress->note);
    json_add_string(into, "last", progress->last);
    json_add_string(into, "trouble", progress->trouble);
    pthread_mutex_unlock(&run->lock);
}
