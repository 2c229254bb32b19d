/* Queued runs by the program, next to a separate PostgreSQL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

/* Every script begins with this: an empty queue, and names for what is used. */
#define BEGIN                                                                  \
    "sql() { $PROCTOR_PG_CTL sql \"$1\"; };"                                   \
    "is() { test \"$(sql \"$1\")\" = \"$2\"; };"                               \
    "Q=\"postgresql://owner@/proctor?host=$PROCTOR_PG_SOCKET\";"               \
    "rm -rf run local kept go;"                                                \
    "sql 'DROP SCHEMA IF EXISTS proctor CASCADE' 2>/dev/null;"                 \
    "proctor queue init $Q 2>/dev/null || exit 90;"                            \
    "set -e;"

/* Four short episodes. */
#define QUEUE                                                                  \
    "proctor run phone --agent gold -t settings.dark -t clock.city -k 2 "      \
    "--queue $Q --lease 3 --out run "

/* What ended, as the queue and as the run's folder have it. */
#define ONCE                                                                   \
    "is 'select count(*), count(distinct (task, repeat)) from "                \
    "proctor_results' '4|4';"                                                  \
    "test $(wc -l <run/results.jsonl) = 4;"                                    \
    "test $(ls -d run/episodes/*/*/* | wc -l) = 4;"                            \
    "proctor check run >/dev/null;"

static void queued_run_ends_as_one_on_this_computer_does(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN QUEUE
        "--detach 2>/dev/null;"
        "proctor work $Q --device phone:2 --once >/dev/null 2>&1;"
        "proctor resume run;" ONCE
        "proctor run phone --agent gold -t settings.dark -t clock.city -k 2 "
        "--out local >/dev/null 2>&1;"
        "proctor judge run >/dev/null 2>&1; proctor judge local >/dev/null "
        "2>&1;"
        "for r in run local; do proctor report $r --json | "
        "sed 's/\"run\":\"[^\"]*\"//g; s/\"id\":\"[^\"]*\"//g' | "
        "grep -c success; done | sort -u | wc -l | grep -qx 1;"
        "grep -q '\"builtin\":true' run/run.json");
    SAYS(run.errors, "all 4 are done");
    command_run_release(&run);
}

static void workers_share_a_run_while_it_is_followed(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN "for w in 1 2 3; do proctor work $Q --name w$w >w$w.log 2>&1 & "
              "pids=\"$pids $!\"; done;"
              "await is 'select count(*) from proctor.workers' 3;" QUEUE
              ">followed.txt 2>&1;" ONCE "kill -TERM $pids; wait;"
              "is 'select count(distinct worker) > 1 from proctor_results' t;"
              "is 'select bool_and(stopped) from proctor.workers' t;"
              "grep -c complete followed.txt");
    command_run_release(&run);
}

/* An agent that acts after the file go is there. */
#define SLOW_AGENT                                                             \
    "cat >agent.sh <<'END'\n"                                                  \
    "while read -r line; do\n"                                                 \
    "    until test -e \"$GO\"; do sleep 0.05; done\n"                         \
    "    echo complete\n"                                                      \
    "done\n"                                                                   \
    "END\n"                                                                    \
    "export GO=$PWD/go;"

#define QUEUE_SLOW                                                             \
    "proctor run phone --agent \"exec:sh $PWD/agent.sh\" -t settings.dark "    \
    "--queue $Q --lease 2 --out run --detach 2>/dev/null;"

static void result_of_a_lost_lease_does_not_count(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN SLOW_AGENT QUEUE_SLOW
        "proctor work $Q --allow-commands --name sleepy >s.log 2>&1 & s=$!;"
        "await is 'select worker is not null from proctor.episodes' t;"
        "await test -e run/.workers/1/episodes/settings.dark/0/0/screens;"
        "kill -STOP $s;"
        /* Its agent's program goes on, and has the result ready. */
        "touch go;"
        "proctor work $Q --allow-commands --name other >o.log 2>&1 & o=$!;"
        "await is 'select worker from proctor_results' other;"
        "kill -CONT $s;"

        "await grep -q 'another worker has it' s.log;"
        "kill -TERM $s $o; wait;"
        "is 'select worker, attempt from proctor_results' 'other|1';"
        "proctor resume run >/dev/null 2>&1;"
        "test $(ls -d run/episodes/*/*/* | wc -l) = 1;"
        "test -d run/episodes/settings.dark/0/1");
    command_run_release(&run);
}

static void killed_workers_lose_no_episode(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN QUEUE "--detach 2>/dev/null;"
                    "for i in 1 2 3; do "
                    "  proctor work $Q >/dev/null 2>&1 & w=$!;"
                    "  await is \"select count(*) from proctor.episodes where "
                    "state = 1 and worker = $i\" 1;"
                    "  kill -9 $w; wait $w || :;"
                    "done;"
                    "proctor work $Q --device phone:2 >/dev/null 2>&1 & w=$!;"
                    "proctor resume run >/dev/null 2>&1;"
                    "kill -TERM $w; wait $w || :;" ONCE);
    command_run_release(&run);
}

static void killed_database_loses_no_episode(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN "proctor work $Q --device phone:2 >w.log 2>&1 & w=$!;" QUEUE
              ">followed.txt 2>&1 & f=$!;"
              "await is 'select count(*) > 0 from proctor_results' t;"
              "$PROCTOR_PG_CTL kill; $PROCTOR_PG_CTL start;"
              "wait $f;" ONCE "kill -TERM $w; wait $w || :");
    command_run_release(&run);
}

static void interrupted_worker_returns_its_episode_at_once(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN SLOW_AGENT
        "proctor run phone --agent \"exec:sh $PWD/agent.sh\" -t settings.dark "
        "--queue $Q --lease 3600 --out run --detach 2>/dev/null;"
        "proctor work $Q --allow-commands >/dev/null 2>&1 & w=$!;"
        "await is 'select count(*) from proctor.episodes where state = 1' 1;"
        "kill -TERM $w; wait $w || :;"
        "is 'select state, attempt, tries from proctor.episodes' '0|1|0'");
    command_run_release(&run);
}

/*
 * Its process was killed after the queue gave it another name, as another run
 * has the same one; or before the queue had it.
 */
static void queued_run_is_found_after_a_kill(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 2,
        BEGIN QUEUE
        "--detach 2>/dev/null;"
        "name=$(sql 'select name from proctor.runs');"
        "sql \"update proctor.runs set name = '$name-2'\";"
        "sql \"select proctor.enqueue('$name', 'gold', '{\\\"created_ms\\\":"
        "1,}', '[]', '/', 60000, 3, 1, null, null, '[{\\\"task\\\":\\\"t\\\","
        "\\\"needs\\\":[]}]')\" >/dev/null;"
        "sql \"select proctor.cancel('$name')\" >/dev/null;"
        "proctor work $Q --device phone:2 --once >/dev/null 2>&1;"
        "proctor resume run;" ONCE "proctor queue purge $Q $name-2;"
        "proctor resume run");
    SAYS(run.errors, "all 4 are done");
    SAYS(run.errors, "is not in the queue at");
    command_run_release(&run);
}

/* One of a later proctor is for workers of that one. */
static void plan_of_a_later_version_is_left_to_others(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN QUEUE
        "--detach 2>/dev/null;"
        "sql \"update proctor.runs set file = replace(file, "
        "'\\\"version\\\":', '\\\"version\\\":9')\";"
        "proctor run phone --agent gold -t clock.timer --queue $Q --out local "
        "--detach 2>/dev/null;"
        "proctor work $Q --once;"
        "is 'select task from proctor_results' clock.timer;"
        "is 'select count(*) from proctor.episodes where state = 0' 4;"
        "sql 'update proctor.workers set stopped = false';"
        "proctor queue status $Q | grep -q 'left to other workers'");
    SAYS(run.errors, "left to other workers");
    command_run_release(&run);
}

static void worker_does_only_what_its_phones_can(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN SLOW_AGENT QUEUE_SLOW
        "proctor work $Q --once >/dev/null 2>&1;"
        "proctor queue status --json $Q | grep -q "
        "'\"unmet_needs\":\"agent:commands, kind:builtin\"';"
        "is 'select state, attempt from proctor.episodes' '0|0';"
        "touch go;"
        "proctor work $Q --once --allow-commands >/dev/null 2>&1;"
        "is 'select state from proctor.episodes' 2;");
    command_run_release(&run);
}

static void cancelled_run_begins_nothing_more(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 1,
        BEGIN QUEUE
        "--detach 2>/dev/null;"
        "name=$(sql 'select name from proctor.runs');"
        "proctor queue cancel $Q $name;"
        "proctor work $Q --once >/dev/null 2>&1;"
        "is 'select count(*) from proctor.episodes where state = 4' 4;"
        "proctor queue purge $Q nothing 2>&1 && exit 91;"
        "proctor queue retry $Q $name;"
        "is 'select count(*) from proctor.episodes where state = 0' 4;"
        "proctor queue cancel $Q $name;"
        "cp -r run kept;"
        "code=0; proctor resume run || code=$?;"
        "proctor queue purge $Q $name;"
        "is 'select count(*) from proctor.runs' 0;"
        "exit $code");
    SAYS(run.errors, "4 of 4 were cancelled");
    command_run_release(&run);
}

static void values_in_the_database_cannot_reach_the_terminal(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN
        "sql \"select proctor.register(E'evil\\\\x1b[2Jname\\\\u202e', '[]')\" "
        ">/dev/null;"
        "sql \"update proctor.workers set trouble = "
        "E'a\\\\nb\\\\x1b]0;t\"\"\\\\x07'\";"
        "proctor queue status $Q; proctor queue status --json $Q");
    SAYS(run.out, "evil?[2Jname");
    assert_null(strchr(buf_cstr(&run.out), '\033'));
    assert_null(strchr(buf_cstr(&run.out), '\007'));
    assert_null(strstr(buf_cstr(&run.out), "\342\200\256"));
    command_run_release(&run);
}

/* A suite for phones that are not built in. */
static void save_looks(void)
{
    command_run_save(
        "looks.json",
        "{\"name\": \"looks\", \"tasks\": [{\"id\": \"look\", \"kind\": "
        "\"state\", \"app\": \"com.android.settings\", \"needs\": [\"it was "
        "seen\"], \"instruction\": {\"en\": \"Look.\"}}]}");
}

/*
 * Two phones over TCP, each in its own process. One is killed during an episode
 * and comes back: no episode is lost, and it does some again.
 */
static void phone_of_a_worker_is_lost_and_returns(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    save_looks();
    RUN(&run, 0,
        BEGIN SLOW_AGENT
        "phone() { proctor phone --port $1 >$2 2>/dev/null & };"
        "done_by() { is \"select count(*) >= $2 from proctor_results where "
        "ending = 'complete' and phone = '127.0.0.1:$1'\" t; };"
        "phone 0 port1; p1=$!; phone 0 port2; p2=$!;"
        "await test -s port1; await test -s port2;"
        "a=$(cat port1); b=$(cat port2);"
        "proctor run looks.json --agent \"exec:sh $PWD/agent.sh\" -k 12 "
        "--queue $Q --out run --detach 2>/dev/null;"
        "proctor work $Q --allow-commands --device 127.0.0.1:$a --device "
        "127.0.0.1:$b >work.log 2>&1 & w=$!;"
        "await is 'select count(*) from proctor_phones where task is not null' "
        "2;"
        /* Both are in an episode that cannot end yet. */
        "kill -9 $p1; wait $p1 || :; touch go;"
        "await done_by $b 2; await grep -q 'is out' work.log;"
        "rm go; phone $a port3; p1=$!; await test -s port3;"
        "await is \"select count(*) from proctor_phones where task is not null "
        "and serial = '127.0.0.1:$a'\" 1;"
        "touch go; await done_by $a 1;"
        "proctor resume run >/dev/null 2>&1;"
        "kill -TERM $w $p1 $p2; wait $w || :;"
        "is \"select count(*), count(distinct (task, repeat)) from "
        "proctor_results where ending = 'complete'\" '12|12';"
        "is \"select count(*) >= 1 from proctor_results where ending = 'void' "
        "and phone = '127.0.0.1:$a'\" t;"
        "proctor check run >/dev/null");
    command_run_release(&run);
}

/* One start for two runs: they are kept between runs. */
static void worker_keeps_its_emulators_between_runs(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    save_looks();
    RUN(&run, 0,
        BEGIN
        "export HOME=$PWD ANDROID_HOME=" SDK " ANDROID_AVD_HOME=$PWD/avds;"
        "mkdir -p avds/Pixel.avd; echo path=x >avds/Pixel.ini;"
        "for r in 1 2; do proctor run looks.json --agent nothing -k 2 "
        "--device emulator --queue $Q --out run$r --detach 2>/dev/null; done;"
        "proctor work $Q --device avd:Pixel:2 --once >work.log 2>&1;"
        "is 'select count(*), count(distinct run) from proctor_results where "
        "ending = $$complete$$' '4|2';"
        "test $(wc -l <avds/Pixel.avd/log) = 2;"
        "for p in $(cut -d' ' -f1,2 avds/Pixel.avd/log); do "
        "  test ! -d /proc/$p || grep -q '^State:.Z' /proc/$p/status; done");
    command_run_release(&run);
}

/* A result whose line is not that of the episode is left out, and named. */
static void forged_results_do_not_break_the_run(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN QUEUE
        "--detach 2>/dev/null;"
        "proctor work $Q --device phone:2 --once >/dev/null 2>&1;"
        "sql \"update proctor.results set line = "
        "'{\\\"task\\\":\\\"../../etc\\\",\\\"episode\\\":\\\"/"
        "etc\\\",\\\"ending\\\":\\\"complete\\\"}' "
        "where task = 'settings.dark' and repeat = 0\";"
        "sql \"insert into proctor.run_devices select id, 99, 'no json' from "
        "proctor.runs\";"
        "proctor resume run;"
        "test $(wc -l <run/results.jsonl) = 3;"
        "proctor report run >/dev/null 2>&1 || :");
    SAYS(run.errors, "is left out");
    SAYS(run.errors, "the phones of a worker are left out");
    command_run_release(&run);
}

/* Results as a worker may send that is not proctor. */
static const char hostile_lines[] =
    "{}\n"
    "[]\n"
    "null\n"
    "\"x\"\n"
    "{\"steps\":\"many\"}\n"
    "{\"task\":\"settings.dark\",\"repeat\":0,\"attempt\":0,"
    "\"episode\":\"../../../../../etc\",\"agent\":\"<script>\","
    "\"phone\":\"\\u001b[31m\",\"ending\":\"complete\","
    "\"reason\":\"\\u001b]0;t\\u0007<script>\\u202e\","
    "\"steps\":2147483647,\"duration_ms\":9223372036854775807,"
    "\"input_tokens\":9223372036854775807,\"cached_tokens\":-1,"
    "\"output_tokens\":9223372036854775807,\"cost\":1e308}\n"
    "{\"task\":\"clock.city\",\"repeat\":0,\"attempt\":0,"
    "\"episode\":\"x\",\"ending\":\"complete\",\"steps\":-5,"
    "\"duration_ms\":-1,\"input_tokens\":-1,\"output_tokens\":-1}\n"
    "{\"task\":\"clock.city\",\"repeat\":0,\"attempt\":0,"
    "\"episode\":\"x\",\"ending\":\"\\u001b[2J\",\"reason\":null,"
    "\"steps\":5,\"duration_ms\":1,\"input_tokens\":1,"
    "\"cached_tokens\":0,\"output_tokens\":1,\"cost\":null}\n"
    "{\"task\":\"clock.city\",\"repeat\":7,\"attempt\":9,"
    "\"episode\":\"/etc\",\"ending\":\"answer\",\"steps\":1,"
    "\"duration_ms\":1,\"input_tokens\":0,\"output_tokens\":0}\n";

#define AS                                                                     \
    "as() { psql -X -q -A -t -h $PROCTOR_PG_SOCKET -U $1 proctor -c \"$2\"; "  \
    "};"

static void hostile_worker_breaks_neither_status_nor_report(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    command_run_save("lines", hostile_lines);
    RUN(&run, 0,
        BEGIN AS
        "sql 'drop role if exists w';"
        "sql 'create role w login in role proctor_worker';"
        "W=\"postgresql://w@/proctor?host=$PROCTOR_PG_SOCKET\";" QUEUE
        "--detach 2>/dev/null;"
        "secret=$(as w \"select secret from proctor.register("
        "E'\\\\x1b[2J<script>', "
        "'[{\\\"serial\\\":\\\"<b>\\u001b[1m\\\","
        "\\\"offers\\\":[\\\"kind:builtin\\\"]}]')\");"
        "offer=$(sql 'select jsonb_agg(n) from proctor.batches, "
        "jsonb_array_elements(needs) n');"
        /* Each line for an episode, until one of them is taken. */
        "next() { as w \"select episode || ' ' || attempt || ' ' || t from "
        "gen_random_uuid() t, proctor.claim(1, '$secret', 1, t, "
        "E'\\\\x1b[5m', '$offer')\"; };"
        "set -- $(next); test $# = 3;"
        "while read -r line; do"
        "  if as w \"select proctor.finish(1, '$secret', $1, $2, '$3', "
        "'ended', "
        "\\$line\\$$line\\$line\\$)\" >>taken 2>/dev/null; then"
        "    set -- $(next);"
        "  fi;"
        "done <lines;"
        "test $(grep -c t taken) -ge 3;"
        "as w \"select proctor.describe_devices(1, '$secret', 1, "
        "E'{\\\"devices\\\":[\\x1b[2J')\";"
        /* It never finishes its last one. */
        "await is 'select count(*) from proctor.episodes where lease_until > "
        "clock_timestamp()' 0;"
        "proctor work $W --device phone:2 --once >/dev/null 2>&1;"
        "is 'select count(*) >= 1 from proctor.results where worker = 2' t;"
        "proctor queue status $Q; proctor queue status --json $Q;"
        "proctor resume run;"
        "proctor judge run || test $? -le 2;"
        "proctor report run || test $? -le 2;"
        "proctor report run --json || test $? -le 2;"
        "proctor report run --html page.html || test $? -le 2;");
    assert_null(strchr(buf_cstr(&run.out), '\033'));
    assert_null(strchr(buf_cstr(&run.errors), '\033'));
    assert_null(strchr(buf_cstr(&run.out), '\007'));
    assert_null(strstr(buf_cstr(&run.out), "\342\200\256"));
    SAYS(run.errors, "is left out");
    command_run_release(&run);
}

static void worker_role_can_only_work(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN
        "sql 'drop role if exists w'; sql 'drop role if exists u';"
        "sql 'create role w login in role proctor_worker';"
        "sql 'create role u login in role proctor_user';"
        "W=\"postgresql://w@/proctor?host=$PROCTOR_PG_SOCKET\";"
        "U=\"postgresql://u@/proctor?host=$PROCTOR_PG_SOCKET\";"
        "as() { psql -X -q -A -t -h $PROCTOR_PG_SOCKET -U $1 proctor -c "
        "\"$2\"; };"
        "proctor run phone --agent gold -t settings.dark --queue $U --out run "
        "--detach 2>/dev/null;"
        "proctor work $W --once >/dev/null 2>&1;"
        "proctor resume run --queue $U >/dev/null 2>&1;"
        "for t in runs episodes results workers phones result_lines run_files "
        "worker_states; do"
        "  as w \"select * from proctor.$t\" 2>&1 | grep -q 'permission "
        "denied' || exit 92;"
        "  as w \"delete from proctor.$t\" 2>&1 | grep -q 'permission denied' "
        "|| exit 93;"
        "done;"
        "as w \"update proctor.results set ending = 'x'\" 2>&1 | grep -q "
        "'permission denied' || exit 94;"
        "as w \"update proctor.runs set suite = 'x'\" 2>&1 | grep -q "
        "'permission denied' || exit 95;"
        "as w 'select * from pg_authid' 2>&1 | grep -q 'permission denied' || "
        "exit 96;"
        "as w \"select proctor.cancel('run')\" 2>&1 | grep -q 'permission "
        "denied' || exit 97;"
        /* Another worker's name, or a guessed secret, is of no use. */
        "as w \"select proctor.finish(1, gen_random_uuid(), 1, 0, "
        "gen_random_uuid(), 'ended', '{}')\" 2>&1 | grep -q 'not registered' "
        "|| exit 98;"
        "for t in episodes results workers; do"
        "  as u \"select * from proctor.$t\" 2>&1 | grep -q 'permission "
        "denied' || exit 99;"
        "done;"
        "test $(wc -l <run/results.jsonl) = 1");
    command_run_release(&run);
}

static void secrets_of_the_address_are_not_shown(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN
        "S=\"postgresql://owner:TOPSECRET@/proctor?host=$PROCTOR_PG_SOCKET\";"
        "proctor queue init $S; proctor queue status $S;"
        "proctor run phone --agent gold -t settings.dark --queue $S --out run "
        "--detach;"
        "proctor work $S & w=$!;"
        "await is 'select count(*) from proctor_results' 1;"
        "ps -o args= -p $w; tr '\\0' ' ' </proc/$w/cmdline;"
        "kill -TERM $w; wait $w || :;"
        "proctor resume run;"
        "proctor queue status postgresql://o:TOPSECRET%zz@h/d || test $? = 2;"
        "proctor queue status postgresql://o:TOPSECRET@127.0.0.1:1/d || :;"
        "cat run/run.json; ! grep -r TOPSECRET run");
    assert_null(strstr(buf_cstr(&run.out), "TOPSECRET"));
    assert_null(strstr(buf_cstr(&run.errors), "TOPSECRET"));
    command_run_release(&run);
}

static void misuse_says_what_to_do(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 2, BEGIN "proctor run phone --agent gold --detach");
    SAYS(run.errors, "need --queue");
    command_run_release(&run);
    RUN(&run, 2, BEGIN "proctor run phone --agent human --queue $Q --out run");
    SAYS(run.errors, "needs a terminal");
    command_run_release(&run);
    RUN(&run, 2, BEGIN "test ! -e run; proctor work");
    SAYS(run.errors, "PROCTOR_QUEUE");
    command_run_release(&run);
    RUN(&run, 2, BEGIN "proctor queue cancel $Q none");
    SAYS(run.errors, "there is no run none");
    command_run_release(&run);
    RUN(&run, 2,
        BEGIN "sql 'drop schema proctor cascade' 2>/dev/null; proctor work $Q");
    SAYS(run.errors, "proctor queue init");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queued_run_ends_as_one_on_this_computer_does),
        cmocka_unit_test(workers_share_a_run_while_it_is_followed),
        cmocka_unit_test(result_of_a_lost_lease_does_not_count),
        cmocka_unit_test(killed_workers_lose_no_episode),
        cmocka_unit_test(killed_database_loses_no_episode),
        cmocka_unit_test(interrupted_worker_returns_its_episode_at_once),
        cmocka_unit_test(queued_run_is_found_after_a_kill),
        cmocka_unit_test(plan_of_a_later_version_is_left_to_others),
        cmocka_unit_test(worker_does_only_what_its_phones_can),
        cmocka_unit_test(cancelled_run_begins_nothing_more),
        cmocka_unit_test(values_in_the_database_cannot_reach_the_terminal),
        cmocka_unit_test(phone_of_a_worker_is_lost_and_returns),
        cmocka_unit_test(worker_keeps_its_emulators_between_runs),
        cmocka_unit_test(forged_results_do_not_break_the_run),
        cmocka_unit_test(hostile_worker_breaks_neither_status_nor_report),
        cmocka_unit_test(worker_role_can_only_work),
        cmocka_unit_test(secrets_of_the_address_are_not_shown),
        cmocka_unit_test(misuse_says_what_to_do),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
