#include "tools/farm_page/farm_snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"

#define REQUEST_MS 60000

/* A part of the snapshot: what it is called, and the request for its rows. */
struct farm_list {
    const char *name;
    const char *sql;
    const char *columns; /* a letter for each: t text, i integer, n number, b
                            bool */
    const char *const *names;
};

/*
 * recent: results of the last five minutes (recent_s, if the run is younger).
 * troubled: attempts of the last hour that were void, and a reason of them.
 */
static const char *const run_names[] = {
    "name",     "agent",    "submitter", "cancelled",   "recordings",
    "age_s",    "episodes", "waiting",   "taken",       "ended",
    "void",     "dropped",  "cost",      "max_cost",    "recent",
    "recent_s", "troubled", "trouble",   "unmet_needs",
};
static const char run_sql[] =
    "SELECT s.name, s.agent, s.submitter, s.cancelled, s.recordings, "
    "extract(epoch FROM clock_timestamp() - s.created), s.episodes, s.waiting, "
    "s.taken, s.ended, s.void, s.dropped, s.cost, s.max_cost, x.recent, "
    "least(300, extract(epoch FROM clock_timestamp() - s.created)), "
    "x.troubled, x.trouble, left(u.needs, 300) "
    "FROM (SELECT * FROM proctor.run_states ORDER BY id DESC LIMIT 100) s "
    "LEFT JOIN (SELECT run, count(*) FILTER (WHERE ended > clock_timestamp() "
    "- interval '5 minutes') AS recent, count(*) FILTER (WHERE ending = "
    "'void') AS troubled, max(reason) FILTER (WHERE ending = 'void') AS "
    "trouble FROM public.proctor_results WHERE ended > clock_timestamp() - "
    "interval '1 hour' GROUP BY run) x ON x.run = s.name "
    "LEFT JOIN proctor.unmet_needs u ON u.run = s.name ORDER BY s.id DESC";

static const char *const worker_names[] = {
    "name", "role", "phones", "taken", "silent_s", "trouble",
};
static const char worker_sql[] =
    "SELECT name, role, phones, taken, silent_s, trouble "
    "FROM proctor.worker_states WHERE NOT stopped OR taken > 0 "
    "ORDER BY name, id LIMIT 1000";

static const char *const phone_names[] = {
    "worker", "serial", "kind",    "alive",   "run",
    "task",   "repeat", "attempt", "lease_s",
};
/*
 * Workers that stopped leave their phones for a day, and the next one may have
 * the same name.
 */
static const char phone_sql[] =
    "SELECT DISTINCT ON (worker, length(serial), serial) worker, serial, "
    "CASE WHEN offers ? 'kind:builtin' THEN 'builtin' "
    "WHEN offers ? 'kind:emulator' THEN 'emulator' "
    "WHEN offers ? 'kind:real' THEN 'real' END, alive, run, task, repeat, "
    "attempt, extract(epoch FROM lease_until - clock_timestamp()) "
    "FROM public.proctor_phones WHERE worker IN (SELECT name FROM "
    "proctor.worker_states WHERE NOT stopped OR taken > 0) AND (alive OR seen "
    "> clock_timestamp() - interval '1 hour') "
    "ORDER BY worker, length(serial), serial, seen DESC LIMIT 4000";

static const char *const episode_names[] = {
    "run",   "task",        "repeat", "attempt", "ending", "reason",
    "steps", "duration_ms", "cost",   "worker",  "phone",  "age_s",
};
static const char episode_sql[] =
    "SELECT run, task, repeat, attempt, ending, left(reason, 300), steps, "
    "duration_ms, cost, worker, phone, "
    "extract(epoch FROM clock_timestamp() - ended) "
    "FROM public.proctor_results ORDER BY ended DESC LIMIT 300";

static const struct farm_list parts[] = {
    {"runs", run_sql, "tttbtniiiiiinninitt", run_names},
    {"workers", worker_sql, "ttiint", worker_names},
    {"phones", phone_sql, "tttbttiin", phone_names},
    {"episodes", episode_sql, "ttiittiinttn", episode_names},
};

static void add_value(struct cJSON *into, const char *name, char kind,
                      const struct farm_rows *rows, size_t row, size_t column)
{
    if (!farm_rows_text(rows, row, column))
        return;
    switch (kind) {
    case 'i':
        json_add_int(into, name, farm_rows_int(rows, row, column));
        break;
    case 'n':
        json_add_number(into, name, farm_rows_number(rows, row, column));
        break;
    case 'b':
        json_add_bool(into, name, farm_rows_bool(rows, row, column));
        break;
    default:
        json_add_string(into, name, farm_rows_text(rows, row, column));
        break;
    }
}

static bool add_part(struct farm_db *db, const struct farm_list *part,
                     struct cJSON *tree, struct err *err)
{
    const struct farm_request request = {.sql = part->sql};
    struct cJSON *list = json_add_array(tree, part->name);
    struct farm_rows *rows;

    if (!farm_db_request(db, &request, deadline_in_ms(REQUEST_MS), &rows, err))
        return false;
    for (size_t i = 0; i < farm_rows_count(rows); i++) {
        struct cJSON *item = json_add_object(list, NULL);

        for (size_t j = 0; part->columns[j]; j++)
            add_value(item, part->names[j], part->columns[j], rows, i, j);
    }
    farm_rows_release(rows);
    return true;
}

bool farm_snapshot_read(struct farm_db *db, struct buf *json, struct err *err)
{
    struct cJSON *tree = json_new_object();
    bool done = true;

    json_add_string(tree, "queue", farm_db_name(db));
    for (size_t i = 0; done && i < ARRAY_LEN(parts); i++)
        done = add_part(db, &parts[i], tree, err);
    if (done)
        json_format(tree, json);
    cJSON_Delete(tree);
    return done;
}
