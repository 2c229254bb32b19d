#include "tools/live/command_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/deadline.h"
#include "base/mem.h"

/* Each finger can be lifted although the queue is full. */
#define PLACES (COMMAND_QUEUE_MAX + VIEW_POINTERS)

struct queued_command {
    struct view_command command; /* its text is owned */
    view_answer_fn *answer;
    void *context;
};

struct command_queue {
    struct command_queue_options options;
    pthread_t thread;
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    struct queued_command waiting[PLACES]; /* a ring */
    size_t first;
    size_t count;
    bool stopped;
};

static void give_answer(const struct queued_command *queued,
                        struct view_answer *answer)
{
    if (queued->answer)
        queued->answer(queued->context, answer);
    buf_release(&answer->bytes);
    free((char *)queued->command.text);
}

/* Is the next one a move of the same finger, which makes this one obsolete? */
static bool is_obsolete(const struct command_queue *queue,
                        const struct view_command *command)
{
    const struct view_command *next = &queue->waiting[queue->first].command;

    return queue->count && command->kind == VIEW_TOUCH &&
           command->touch == VIEW_MOVE && next->kind == VIEW_TOUCH &&
           next->touch == VIEW_MOVE && next->pointer == command->pointer &&
           next->epoch == command->epoch;
}

/* Wait for a command, for a while if it may rest; false: it rests. Locked. */
static bool await_command(struct command_queue *queue, bool may_rest)
{
    const struct timespec end =
        deadline_timespec(deadline_in_ms(queue->options.rest_ms));
    int number = 0;

    while (!queue->count && !queue->stopped && !number)
        number = may_rest ? pthread_cond_timedwait(&queue->changed,
                                                   &queue->lock, &end)
                          : pthread_cond_wait(&queue->changed, &queue->lock);
    return queue->count || queue->stopped;
}

/* Call rest as long as it wants, until there is a command. Locked. */
static void rest_until_command(struct command_queue *queue)
{
    bool goes_on = queue->options.rest != NULL;

    while (goes_on && !await_command(queue, true)) {
        pthread_mutex_unlock(&queue->lock);
        goes_on = queue->options.rest(queue->options.context);
        pthread_mutex_lock(&queue->lock);
    }
}

/* False: stopped, and nothing is left. */
static bool take(struct command_queue *queue, struct queued_command *taken,
                 bool *skip)
{
    pthread_mutex_lock(&queue->lock);
    rest_until_command(queue);
    (void)await_command(queue, false);
    if (!queue->count) {
        pthread_mutex_unlock(&queue->lock);
        return false;
    }
    *taken = queue->waiting[queue->first];
    queue->first = (queue->first + 1) % PLACES;
    queue->count--;
    *skip = is_obsolete(queue, &taken->command);
    pthread_mutex_unlock(&queue->lock);
    return true;
}

static bool is_stopped(struct command_queue *queue)
{
    bool stopped;

    pthread_mutex_lock(&queue->lock);
    stopped = queue->stopped;
    pthread_mutex_unlock(&queue->lock);
    return stopped;
}

static void *work(void *context)
{
    struct command_queue *queue = context;
    struct queued_command taken;
    bool skip;

    while (take(queue, &taken, &skip)) {
        struct view_answer answer = {.done = skip,
                                     .bytes = BUF_INIT(COMMAND_ANSWER_MAX)};

        if (is_stopped(queue))
            (void)err_set(&answer.err, ERR_CANCELLED,
                          "the phone is no longer viewed");
        else if (!skip)
            queue->options.run(queue->options.context, &taken.command, &answer);
        give_answer(&taken, &answer);
    }
    return NULL;
}

bool command_queue_start(const struct command_queue_options *options,
                         struct command_queue **queue, struct err *err)
{
    struct command_queue *made = mem_new(1, sizeof(*made));
    int number;

    made->options = *options;
    pthread_mutex_init(&made->lock, NULL);
    deadline_cond_init(&made->changed);
    number = pthread_create(&made->thread, NULL, work, made);
    if (number) {
        pthread_cond_destroy(&made->changed);
        pthread_mutex_destroy(&made->lock);
        free(made);
        return err_errno(err, number, "starting a thread for commands");
    }
    *queue = made;
    return true;
}

void command_queue_stop(struct command_queue *queue)
{
    if (!queue)
        return;
    pthread_mutex_lock(&queue->lock);
    queue->stopped = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    pthread_join(queue->thread, NULL);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

static size_t places_for(const struct view_command *command)
{
    const bool lifts =
        command->kind == VIEW_TOUCH &&
        (command->touch == VIEW_UP || command->touch == VIEW_CANCEL);

    return lifts ? PLACES : COMMAND_QUEUE_MAX;
}

bool command_queue_push(struct command_queue *queue,
                        const struct view_command *command,
                        view_answer_fn *answer, void *context, struct err *err)
{
    struct queued_command *added;
    bool done = false;

    pthread_mutex_lock(&queue->lock);
    if (queue->stopped) {
        (void)err_set(err, ERR_CANCELLED, "the phone is no longer viewed");
    } else if (queue->count >= places_for(command)) {
        (void)err_set(err, ERR_LIMIT,
                      "%d commands wait for the phone: try again later",
                      COMMAND_QUEUE_MAX);
    } else {
        added = &queue->waiting[(queue->first + queue->count++) % PLACES];
        *added = (struct queued_command){*command, answer, context};
        if (command->text)
            added->command.text = mem_dup(command->text);
        pthread_cond_signal(&queue->changed);
        done = true;
    }
    pthread_mutex_unlock(&queue->lock);
    return done;
}
