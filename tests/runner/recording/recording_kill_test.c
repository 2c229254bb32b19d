/*
 * The program is killed at random moments while it records: every step that was
 * reported as finished is there, the recording is valid, and it goes on.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "runner/record/recorder.h"
#include "runner/recording/recording.h"
#include "tests/runner/record/fake_record_phone.h"
#include "tests/support/scratch_folder.h"

#define KILLS 12
#define KILLS_FULL 100
#define FOLDER "recordings/killed"

/* Knuth's linear congruential generator: the same moments in every run. */
static unsigned random_below(unsigned limit)
{
    static uint64_t state = 18;

    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(state >> 33) % limit;
}

static void report_step(void *context, int step)
{
    if (write(*(const int *)context, &step, sizeof(step)) != sizeof(step))
        _exit(3);
}

static bool edit(struct recorder *recorder, int step, struct err *err)
{
    const struct recording_edit star = {
        .kind = EDIT_STAR, .step = step, .on = true};

    return step % 3 != 0 ||
           recording_edit_add(recorder_folder(recorder), &star, err);
}

/* Record until killed. */
static void record(int out)
{
    const struct action action = {.kind = ACTION_CLICK,
                                  .has_from = true,
                                  .from = fake_record_phone_button()};
    struct fake_record_phone phone;
    const struct recorder_options options = {.recordings = "recordings",
                                             .name = "killed",
                                             .phone = &phone.phone,
                                             .on_step = report_step,
                                             .context = &out};
    struct recorder *recorder;
    struct recorder_undone undone;
    struct err err = ERR_INIT;
    int step = 0;
    bool works;

    fake_record_phone_init(&phone, true);
    works = recorder_open(&options, &recorder, &err);
    while (works)
        works = recorder_step(recorder, &action, &step, &err) &&
                edit(recorder, step, &err) &&
                (step % 7 != 6 || recorder_undo(recorder, &undone, &err));
    fprintf(stderr, "%s\n", err.text);
    _exit(2);
}

/* The highest step of `count` reports, or of all until the end; -1: none. */
static int read_reports(int in, int count)
{
    int highest = -1;
    int step;

    for (int i = 0; i < count || count < 0; i++) {
        if (read(in, &step, sizeof(step)) != sizeof(step))
            break;
        highest = step;
    }
    return highest;
}

static void sleep_a_little(void)
{
    const struct timespec pause = {.tv_nsec = random_below(3000000)};

    nanosleep(&pause, NULL);
}

/* The highest step that was reported before the kill; -1: none. */
static int record_and_kill(void)
{
    int ends[2];
    pid_t child;
    int status;
    int before;
    int after;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (!child) {
        close(ends[0]);
        record(ends[1]);
    }
    close(ends[1]);
    before = read_reports(ends[0], (int)random_below(8));
    sleep_a_little();
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    after = read_reports(ends[0], -1);
    close(ends[0]);
    return after > before ? after : before;
}

static void assert_recorded(int highest)
{
    struct recording recording;
    struct stat found;
    struct err err = ERR_INIT;
    size_t actions = 0;

    if (highest < 0 && stat(FOLDER, &found))
        return; /* killed before it began */
    if (!recording_check(FOLDER, &err) ||
        !recording_load(FOLDER, &recording, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < recording.count; i++) {
        if (!recording.steps[i].step->acted)
            continue;
        actions++;
        assert_true(recording.steps[i].step->screen.file[0]);
        assert_non_null(recording.steps[i].target);
        assert_non_null(recording.steps[i].target->crop);
    }
    assert_true((int)actions > highest);
    recording_release(&recording);
}

static void finished_steps_survive_kills(void **state)
{
    int kills = getenv("PROCTOR_FULL") ? KILLS_FULL : KILLS;
    int highest = -1;

    (void)state;
    for (int i = 0; i < kills; i++) {
        int reported = record_and_kill();

        if (reported > highest)
            highest = reported;
        assert_recorded(highest);
    }
    assert_true(highest >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finished_steps_survive_kills),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
