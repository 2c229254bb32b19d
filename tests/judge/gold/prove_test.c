#include "judge/gold/prove.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"
#include "judge/gold/free_order.h"
#include "tests/judge/episode_maker.h"

/* Search for lamps, sort them by price, turn a filter on, open the first. */
#define SHOPPING                                                               \
    "\"needs\":[{\"say\":\"do it\"}],\"gold\":["                               \
    "{\"do\":\"type\",\"text\":\"lamp\",\"submit\":true,\"key_step\":true},"   \
    "{\"do\":\"click\",\"at\":{\"text\":\"Sort\"}},"                           \
    "{\"do\":\"click\",\"at\":{\"text\":\"Price: low to "                      \
    "high\"},\"key_step\":true},"                                              \
    "{\"do\":\"click\",\"at\":{\"text\":\"Free shipping\"},\"key_step\":true}" \
    ",{\"do\":\"click\",\"at\":{\"text\":\"Zenvo\"},\"key_step\":true},"       \
    "{\"do\":\"complete\"}]"

#define SEARCH "title: Find\n*field: \n"
#define ROWS "row: Zenvo\nrow: Lumo\ntext: 2 lamps\ntext: in stock\n"
#define LIST "title: Shop\nrow: Sort\n[ ] Free shipping\n" ROWS
#define LIST_FREE "title: Shop\nrow: Sort\n[x] Free shipping\n" ROWS
#define SHEET                                                                  \
    "title: Sort\n( ) Price: low to high\n( ) Price: high to low\n(x) "        \
    "Relevance\n"
#define PRODUCT "title: Zenvo\ntext: $ 12.50\nrow: Buy\n"

static void do_shopping(struct episode_maker *maker)
{
    episode_begin(maker, SHOPPING);
    episode_type(maker, SEARCH, "lamp");
    episode_tap(maker, LIST, 1);
    episode_tap(maker, SHEET, 1);
    episode_tap(maker, LIST, 2);
    episode_tap(maker, LIST_FREE, 3);
    episode_complete(maker, PRODUCT);
}

static void open_evidence(const struct episode_maker *maker,
                          struct episode_evidence *evidence)
{
    struct err err = ERR_INIT;

    if (!episode_evidence_open(maker->folder, PROCESS_OFFLINE, NULL, evidence,
                               &err))
        fail_msg("%s", err.text);
}

static struct proof prove_it(struct episode_evidence *evidence,
                             struct proposal *proposal)
{
    struct proof proof = {.count = 0};
    struct err err = ERR_INIT;

    if (!prove_recording(evidence, proposal, &proof, &err))
        fail_msg("%s", err.text);
    return proof;
}

static const struct proof_row *find_row(const struct proof *proof,
                                        enum twin_kind kind, size_t step)
{
    for (size_t i = 0; i < proof->count; i++) {
        if (proof->rows[i].kind == kind && proof->rows[i].step == step)
            return &proof->rows[i];
    }
    return NULL;
}

/* ---- the proof ---- */

static void recording_is_accepted_and_every_twin_refused(void **state)
{
    struct episode_maker maker;
    struct episode_evidence evidence;
    struct proposal proposal;
    struct proof proof;

    (void)state;
    do_shopping(&maker);
    open_evidence(&maker, &evidence);
    proof = prove_it(&evidence, &proposal);
    if (!proof.accepted)
        fail_msg("%s", proof.reason);
    assert_true(proof.count >= 12);
    for (size_t i = 0; i < proof.count; i++) {
        if (!proof.rows[i].refused)
            fail_msg("%s: %s", proof.rows[i].description, proof.rows[i].reason);
    }
    assert_int_equal(proof.refused, proof.count);
    proof_release(&proof);
    proposal_release(&proposal);
    episode_evidence_release(&evidence);
    episode_remove(&maker);
}

static void every_kind_of_twin_is_made(void **state)
{
    struct episode_maker maker;
    struct episode_evidence evidence;
    struct proposal proposal;
    struct proof proof;
    const struct proof_row *row;

    (void)state;
    do_shopping(&maker);
    open_evidence(&maker, &evidence);
    proof = prove_it(&evidence, &proposal);
    row = find_row(&proof, TWIN_LEFT_OUT, 3);
    assert_non_null(row);
    assert_non_null(strstr(row->reason, "Free shipping"));
    row = find_row(&proof, TWIN_OTHER_TARGET, 2);
    assert_non_null(row);
    assert_non_null(strstr(row->description, "high to low"));
    row = find_row(&proof, TWIN_OTHER_TARGET, 0);
    assert_non_null(row);
    assert_non_null(strstr(row->description, "'pmal' instead"));
    row = find_row(&proof, TWIN_UNDONE, 3);
    assert_non_null(row);
    assert_non_null(strstr(row->reason, "undone"));
    assert_null(find_row(&proof, TWIN_UNDONE, 4));
    row = find_row(&proof, TWIN_STOPPED_EARLY, 4);
    assert_non_null(row);
    proof_release(&proof);
    proposal_release(&proposal);
    episode_evidence_release(&evidence);
    episode_remove(&maker);
}

/* ---- checks that are not worth proposing ---- */

static bool has_need(const struct proposal *proposal, const char *id)
{
    const struct cJSON *need;

    cJSON_ArrayForEach(need, proposal->needs)
    {
        const struct cJSON *name = cJSON_GetObjectItemCaseSensitive(need, "id");

        if (name && !strcmp(name->valuestring, id))
            return true;
    }
    return false;
}

/* A need that everything meets: no twin can break it. */
static void add_idle_need(struct proposal *proposal, const char *id)
{
    struct cJSON *need = json_add_object(proposal->needs, NULL);
    struct cJSON *later;

    json_add_string(need, "id", id);
    json_add_string(need, "say", "something is there");
    json_add_string(json_add_object(need, "check"), "end", ".");
    later = json_add_object(proposal->needs, NULL);
    json_add_string(later, "id", "later");
    json_add_string(later, "say", "the lamp is open");
    json_add_string(json_add_object(later, "check"), "end", "12.50");
    json_add_string(json_add_array(later, "after"), NULL, id);
}

static void check_that_no_twin_breaks_is_removed(void **state)
{
    struct episode_maker maker;
    struct episode_evidence evidence;
    struct proposal proposal;
    struct proof proof;
    struct key_steps key_steps;
    struct twins twins;
    struct err err = ERR_INIT;

    (void)state;
    do_shopping(&maker);
    open_evidence(&maker, &evidence);
    assert_true(key_steps_find(&evidence, &key_steps, &err));
    assert_true(propose(&evidence, &proposal, &err));
    add_idle_need(&proposal, "idle");
    twins_make(&evidence, &key_steps, &twins);
    if (!prove(&evidence, &proposal, &twins, &proof, &err))
        fail_msg("%s", err.text);
    assert_true(prove_prune(&proof, &proposal) >= 1);
    assert_false(has_need(&proposal, "idle"));
    assert_true(has_need(&proposal, "star_2"));
    assert_true(has_need(&proposal, "later"));
    proof_release(&proof);
    if (!prove(&evidence, &proposal, &twins, &proof, &err))
        fail_msg("%s", err.text);
    assert_true(proof.accepted);
    assert_int_equal(prove_prune(&proof, &proposal), 0);
    proof_release(&proof);
    twins_release(&twins);
    key_steps_release(&key_steps);
    proposal_release(&proposal);
    episode_evidence_release(&evidence);
    episode_remove(&maker);
}

static void twin_that_no_check_refuses_says_why(void **state)
{
    struct episode_maker maker;
    struct episode_evidence evidence;
    struct proposal proposal = {.needs = json_new_array()};
    struct proof proof;
    struct key_steps key_steps;
    struct twins twins;
    struct err err = ERR_INIT;
    struct cJSON *need = json_add_object(proposal.needs, NULL);
    const struct proof_row *row;

    (void)state;
    do_shopping(&maker);
    json_add_string(need, "id", "star_4");
    json_add_string(need, "say", "a lamp is open");
    json_add_string(json_add_object(need, "check"), "end", "^Buy$");
    open_evidence(&maker, &evidence);
    assert_true(key_steps_find(&evidence, &key_steps, &err));
    twins_make(&evidence, &key_steps, &twins);
    if (!prove(&evidence, &proposal, &twins, &proof, &err))
        fail_msg("%s", err.text);
    row = find_row(&proof, TWIN_LEFT_OUT, 3);
    assert_false(row->refused);
    assert_string_equal(row->reason, "no check asks for this step");
    row = find_row(&proof, TWIN_OTHER_TARGET, 4);
    assert_false(row->refused);
    assert_string_equal(
        row->reason, "the check \"a lamp is open\" is met by the last screen");
    proof_release(&proof);
    twins_release(&twins);
    key_steps_release(&key_steps);
    proposal_release(&proposal);
    episode_evidence_release(&evidence);
    episode_remove(&maker);
}

static void answers_have_twins(void **state)
{
    static const char task[] =
        "\"needs\":[{\"say\":\"do it\"}],\"answer\":\"$ 12.50\",\"gold\":["
        "{\"do\":\"click\",\"at\":{\"text\":\"Zenvo\"},\"key_step\":true},"
        "{\"do\":\"answer\",\"text\":\"$ 12.50\",\"key_step\":true}]";
    struct episode_maker maker;
    struct episode_evidence evidence;
    struct proposal proposal;
    struct proof proof;
    const struct proof_row *row;

    (void)state;
    episode_begin(&maker, task);
    episode_tap(&maker, LIST, 3);
    episode_answer(&maker, PRODUCT, "$ 12.50");
    open_evidence(&maker, &evidence);
    proof = prove_it(&evidence, &proposal);
    assert_true(proof.accepted);
    row = find_row(&proof, TWIN_OTHER_TARGET, 1);
    assert_non_null(row);
    assert_true(row->refused);
    assert_non_null(strstr(row->reason, "23.61"));
    row = find_row(&proof, TWIN_LEFT_OUT, 1);
    assert_true(row->refused);
    proof_release(&proof);
    proposal_release(&proposal);
    episode_evidence_release(&evidence);
    episode_remove(&maker);
}

/* ---- orders ---- */

static void choices_on_one_page_come_in_any_order(void **state)
{
    struct episode_maker maker;
    struct episode_evidence evidence;
    struct err err = ERR_INIT;
    const struct task_gold *gold = &evidence.task.gold;

    (void)state;
    do_shopping(&maker);
    open_evidence(&maker, &evidence);
    assert_true(free_order_apply(&evidence, &err));
    assert_int_equal(gold->steps[0].group, 0);
    assert_int_equal(gold->steps[2].group, 1);
    assert_int_equal(gold->steps[3].group, 1);
    assert_int_equal(gold->steps[4].group, 0);
    episode_evidence_release(&evidence);
    episode_remove(&maker);
}

static void one_control_switched_twice_keeps_its_order(void **state)
{
    static const char task[] =
        "\"needs\":[{\"say\":\"do it\"}],\"gold\":["
        "{\"do\":\"click\",\"at\":{\"text\":\"Free shipping\"},\"key_step\":1}"
        ",{\"do\":\"click\",\"at\":{\"text\":\"Free "
        "shipping\"},\"key_step\":1},{\"do\":\"complete\"}]";
    struct episode_maker maker;
    struct episode_evidence evidence;
    struct err err = ERR_INIT;

    (void)state;
    episode_begin(&maker, task);
    episode_tap(&maker, LIST, 2);
    episode_tap(&maker, LIST_FREE, 2);
    episode_complete(&maker, LIST);
    open_evidence(&maker, &evidence);
    assert_true(free_order_apply(&evidence, &err));
    assert_int_equal(evidence.task.gold.steps[0].group, 0);
    assert_int_equal(evidence.task.gold.steps[1].group, 0);
    episode_evidence_release(&evidence);
    episode_remove(&maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recording_is_accepted_and_every_twin_refused),
        cmocka_unit_test(every_kind_of_twin_is_made),
        cmocka_unit_test(check_that_no_twin_breaks_is_removed),
        cmocka_unit_test(twin_that_no_check_refuses_says_why),
        cmocka_unit_test(answers_have_twins),
        cmocka_unit_test(choices_on_one_page_come_in_any_order),
        cmocka_unit_test(one_control_switched_twice_keeps_its_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
