/* A person takes over the phone from an agent, and gives it back. */
#include "runner/episode/takeover.h"

#include <ftw.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "runner/run/run.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"
#include "tests/support/scratch_folder.h"
#include "tools/phone/phone.h"
#include "tools/phone_source/phone_source.h"

#define PERSON_ACTIONS 2
#define SECRET "opensesame42"
#define WAY_MAX 4
#define FILE_MAX ((size_t)16 << 20)

/* ---- an agent from which a person takes over ---- */

/* The agent follows the way; at its next decision the person takes the phone.
 */
struct interrupted_agent {
    struct agent agent;
    struct takeover *takeover;
    void (*act)(struct interrupted_agent *agent); /* what the person does */
    const char *way[WAY_MAX];                     /* texts that it clicks on */
    struct phone *phone; /* borrowed; set with the person */
    pthread_t person;
    uint32_t epoch; /* of the person */
    int decisions;
    char notice[256]; /* of the second decision */
};

static void click_and_go_back(struct interrupted_agent *agent)
{
    const struct action click = {
        .kind = ACTION_CLICK, .has_from = true, .from = {10, 20}};
    const struct action back = {.kind = ACTION_BACK};

    takeover_note(agent->takeover, &click);
    takeover_note(agent->takeover, &back);
}

/* The center of the node with this text. */
static struct action_point place_of(const struct tree *tree, const char *text)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_rect *at = &tree->nodes[i].bounds;

        if (!strcmp(tree->nodes[i].text, text))
            return (struct action_point){(at->left + at->right) / 2,
                                         (at->top + at->bottom) / 2};
    }
    fail_msg("nothing is called %s", text);
    return (struct action_point){0, 0};
}

static struct action click_on(const struct tree *tree, const char *text)
{
    return (struct action){
        .kind = ACTION_CLICK, .has_from = true, .from = place_of(tree, text)};
}

/* Type a password, and let the app show it. */
static void type_and_show_password(struct interrupted_agent *agent)
{
    char text[] = SECRET;
    const struct action type = {.kind = ACTION_TYPE, .text = text};
    struct action show;
    struct tree tree = TREE_INIT;
    struct buf xml = BUF_INIT(FILE_MAX);
    struct err err = ERR_INIT;

    phone_type(agent->phone, SECRET);
    takeover_note(agent->takeover, &type);
    phone_tree(agent->phone, &xml);
    assert_true(tree_read(&tree, buf_cstr(&xml), xml.length, &err));
    show = click_on(&tree, "Show password");
    phone_touch(agent->phone, SCREEN_DOWN, show.from.x, show.from.y);
    phone_touch(agent->phone, SCREEN_UP, show.from.x, show.from.y);
    takeover_note(agent->takeover, &show);
    tree_release(&tree);
    buf_release(&xml);
}

static void *act_as_person(void *context)
{
    struct interrupted_agent *agent = context;

    agent->act(agent);
    control_lease_give_back(&agent->takeover->lease, agent->epoch);
    return NULL;
}

static bool decide(struct agent *agent, const struct agent_view *view,
                   struct deadline by, const struct cancel *cancel,
                   struct agent_reply *reply, struct err *err)
{
    struct interrupted_agent *self = (struct interrupted_agent *)agent;

    (void)by, (void)cancel, (void)err;
    reply->has_action = true;
    if (self->decisions < WAY_MAX && self->way[self->decisions]) {
        reply->action =
            click_on(&view->seen->tree, self->way[self->decisions++]);
        return true;
    }
    if (self->epoch) {
        snprintf(self->notice, sizeof(self->notice), "%s",
                 view->notice ? view->notice : "");
        reply->action = (struct action){.kind = ACTION_COMPLETE};
        return true;
    }
    reply->action = (struct action){.kind = ACTION_HOME};
    self->phone = phone_source_phone((struct device_lease *)view->lease);
    self->epoch = control_lease_take(&self->takeover->lease, CONTROL_PERSON);
    return true;
}

/* The agent's action is refused before the person begins. */
static void on_progress(void *context, const struct run_phone_state *state)
{
    struct interrupted_agent *agent = context;

    if (state->step.note && !agent->person)
        assert_int_equal(
            pthread_create(&agent->person, NULL, act_as_person, agent), 0);
}

static void leave_open(struct agent *agent)
{
    (void)agent;
}

static bool make_agent(void *shared, struct agent **agent, struct err *err)
{
    static const struct agent_ops ops = {.decide = decide, .close = leave_open};
    struct interrupted_agent *self = shared;

    (void)err;
    self->agent =
        (struct agent){.ops = &ops, .actor = ACTOR_AGENT, .needs_tree = true};
    *agent = &self->agent;
    return true;
}

static bool make_by_factory(const struct agent_maker *maker,
                            struct agent **agent, struct err *err)
{
    const struct agent_factory *agents = maker->context;

    return agents->kind->make(agents->shared, agent, err);
}

/* ---- a run of one task ---- */

static void run_task(struct interrupted_agent *agent, struct takeover *takeover,
                     const char *folder)
{
    static const struct agent_kind kind = {.name = "test", .make = make_agent};
    const struct phone_source_options source_options = {.count = 1};
    struct agent_factory agents = {.kind = &kind, .shared = agent};
    struct run_file file = {.id = mem_dup("a")};
    struct device_source *source = NULL;
    struct run_summary summary;
    struct suite suite;
    const struct task *tasks[1];
    struct err err = ERR_INIT;

    agents.name = mem_dup("test");
    agents.maker = (struct agent_maker){make_by_factory, &agents};
    if (!phone_source_open(&source_options, &source, &err) ||
        !suite_open("phone", &suite, &err))
        fail_msg("%s", err.text);
    file.plan = (struct run_plan){
        .suite = mem_dup(suite.path), .agent = mem_dup("test"), .repeats = 1};
    text_list_add(&file.plan.tasks, "settings.dark");
    tasks[0] = suite_find(&suite, "settings.dark");
    {
        const struct run_phone phones[] = {{.source = source,
                                            .serial = "phone-0",
                                            .ours = true,
                                            .takeover = takeover}};
        const struct run_options options = {
            .folder = folder,
            .file = &file,
            .suite = &suite,
            .tasks = tasks,
            .phones = phones,
            .phone_count = 1,
            .agents = &agents,
            .watcher = {.on_progress = on_progress, .context = agent},
        };

        if (!run_execute(&options, &summary, &err))
            fail_msg("%s", err.text);
    }
    assert_int_equal(summary.work.ended, 1);
    free(agents.name);
    suite_release(&suite);
    run_file_release(&file);
    source->ops->close(source);
}

static void persons_actions_are_recorded(void **state)
{
    struct takeover takeover;
    struct interrupted_agent agent = {.takeover = &takeover,
                                      .act = click_and_go_back};
    struct trajectory read;
    struct run_result result;
    struct err err = ERR_INIT;
    char folder[256], episode[512];

    (void)state;
    assert_true(takeover_init(&takeover, &err));
    snprintf(folder, sizeof(folder), "%s/taken", scratch_folder_path());
    assert_int_equal(mkdir(folder, 0777), 0);
    run_task(&agent, &takeover, folder);
    assert_int_equal(pthread_join(agent.person, NULL), 0);

    snprintf(episode, sizeof(episode), "%s/episodes/settings.dark/0/0", folder);
    if (!trajectory_load(episode, &read, &err))
        fail_msg("%s", err.text);
    assert_int_equal(read.steps[0].actor, ACTOR_AGENT);
    assert_int_equal(read.steps[0].block, BLOCK_PERSON);
    assert_int_equal(read.steps[1].actor, ACTOR_HUMAN);
    assert_int_equal(read.steps[1].action.kind, ACTION_CLICK);
    assert_int_equal(read.steps[2].actor, ACTOR_HUMAN);
    assert_int_equal(read.steps[2].action.kind, ACTION_BACK);
    assert_int_equal(read.steps[3].actor, ACTOR_AGENT);
    assert_int_equal(read.steps[3].action.kind, ACTION_COMPLETE);
    assert_int_equal(read.ending, ENDING_COMPLETE);
    assert_non_null(strstr(agent.notice, "a person took over"));
    run_result_of(&read, "x", &result);
    assert_int_equal(result.person_actions, PERSON_ACTIONS);
    run_result_release(&result);
    trajectory_release(&read);
    assert_int_equal(control_lease_holder(&takeover.lease, NULL), CONTROL_FREE);
    takeover_release(&takeover);
}

/* ---- passwords ---- */

static bool has_shown; /* a tree of the records has the masked field */

static int check_file(const char *path, const struct stat *status, int type,
                      struct FTW *walk)
{
    struct buf content = BUF_INIT(FILE_MAX);
    struct err err = ERR_INIT;

    (void)status, (void)walk;
    if (type != FTW_F)
        return 0;
    if (!file_load(path, &content, &err))
        fail_msg("%s", err.text);
    if (memmem(buf_cstr(&content), content.length, SECRET, strlen(SECRET)))
        fail_msg("%s has the password", path);
    has_shown =
        has_shown || memmem(buf_cstr(&content), content.length,
                            "text=\"••••••••\"", strlen("text=\"••••••••\""));
    buf_release(&content);
    return 0;
}

static void persons_password_is_in_no_file(void **state)
{
    struct takeover takeover;
    struct interrupted_agent agent = {
        .takeover = &takeover,
        .act = type_and_show_password,
        .way = {"Network & internet", "Wi-Fi", "Mazevo-5G", "Password"},
    };
    struct trajectory read;
    struct err err = ERR_INIT;
    char folder[256], episode[512];

    (void)state;
    assert_true(takeover_init(&takeover, &err));
    snprintf(folder, sizeof(folder), "%s/secret", scratch_folder_path());
    assert_int_equal(mkdir(folder, 0777), 0);
    run_task(&agent, &takeover, folder);
    assert_int_equal(pthread_join(agent.person, NULL), 0);

    snprintf(episode, sizeof(episode), "%s/episodes/settings.dark/0/0", folder);
    if (!trajectory_load(episode, &read, &err))
        fail_msg("%s", err.text);
    assert_int_equal(read.steps[WAY_MAX + 1].actor, ACTOR_HUMAN);
    assert_int_equal(read.steps[WAY_MAX + 1].action.kind, ACTION_TYPE);
    assert_true(read.steps[WAY_MAX + 1].action.secret);
    trajectory_release(&read);
    assert_int_equal(nftw(folder, check_file, 8, FTW_PHYS), 0);
    assert_true(has_shown);
    takeover_release(&takeover);
}

/* ---- the lease ---- */

static void *enter_as_person(void *context)
{
    struct control_lease *lease = context;
    uint32_t epoch = control_lease_take(lease, CONTROL_PERSON);
    struct err err = ERR_INIT;
    bool entered = control_lease_enter(lease, epoch, &err);

    return entered ? lease : NULL;
}

static void command_in_progress_is_finished(void **state)
{
    struct control_lease lease;
    struct err err = ERR_INIT;
    uint32_t agent;
    pthread_t person;
    void *entered;

    (void)state;
    control_lease_init(&lease, NULL, NULL);
    agent = control_lease_take(&lease, CONTROL_AGENT);
    assert_true(control_lease_enter(&lease, agent, &err));
    assert_int_equal(pthread_create(&person, NULL, enter_as_person, &lease), 0);
    while (control_lease_check(&lease, agent, &err))
        continue;
    assert_true(lease.busy);
    control_lease_leave(&lease);
    assert_int_equal(pthread_join(person, &entered), 0);
    assert_ptr_equal(entered, &lease);
    assert_false(control_lease_enter(&lease, agent, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    control_lease_leave(&lease);
    control_lease_release(&lease);
}

static void *fire(void *context)
{
    cancel_fire(context);
    return NULL;
}

static void waiting_for_a_person_can_be_cancelled(void **state)
{
    struct takeover takeover;
    struct cancel cancel = CANCEL_INIT;
    struct err err = ERR_INIT;
    pthread_t thread;
    uint32_t epoch = 0;

    (void)state;
    assert_true(takeover_init(&takeover, &err));
    assert_true(cancel_init(&cancel, &err));
    (void)control_lease_take(&takeover.lease, CONTROL_PERSON);
    assert_int_equal(pthread_create(&thread, NULL, fire, &cancel), 0);
    assert_false(takeover_begin(&takeover, &cancel, &epoch, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    cancel_release(&cancel);
    takeover_release(&takeover);
}

static void more_actions_than_fit_are_counted(void **state)
{
    const struct action back = {.kind = ACTION_BACK};
    struct takeover takeover;
    struct action action;
    struct err err = ERR_INIT;
    size_t missed = 0;

    (void)state;
    assert_true(takeover_init(&takeover, &err));
    for (int i = 0; i < TAKEOVER_ACTIONS_MAX + 3; i++)
        takeover_note(&takeover, &back);
    assert_true(takeover_next(&takeover, NULL, &action, &missed));
    assert_int_equal(missed, 0);
    takeover_note(&takeover, &back);
    for (int i = 0; i < TAKEOVER_ACTIONS_MAX; i++)
        assert_true(takeover_next(&takeover, NULL, &action, &missed));
    assert_int_equal(missed, 3);
    assert_false(takeover_has_actions(&takeover));
    takeover_release(&takeover);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(persons_actions_are_recorded),
        cmocka_unit_test(persons_password_is_in_no_file),
        cmocka_unit_test(command_in_progress_is_finished),
        cmocka_unit_test(waiting_for_a_person_can_be_cancelled),
        cmocka_unit_test(more_actions_than_fit_are_counted),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
