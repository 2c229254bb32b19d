#include "tools/farm_queue/farm_schema.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/embedded.h"

#define SCRIPT_MAX ((size_t)1 << 20)
#define MIGRATION_MS 600000
#define CHECK_MS 30000

extern const struct embedded farm_files;

/*
 * One program at a time. While a change of a table waits for a lock that
 * another program holds long, such as a backup, all workers wait for it: not
 * for longer than a lease.
 */
static const char begin[] =
    "BEGIN; SELECT pg_advisory_xact_lock(20, 1); "
    "SET LOCAL lock_timeout = '10s'; "
    "CREATE SCHEMA IF NOT EXISTS proctor; "
    "CREATE TABLE IF NOT EXISTS proctor.schema_version (version int PRIMARY "
    "KEY, applied timestamptz NOT NULL DEFAULT clock_timestamp())";

static bool read_version(struct farm_db *db, int *version, struct err *err)
{
    const struct farm_request request = {
        .sql = "SELECT max(version) FROM proctor.schema_version"};
    struct farm_rows *rows;

    if (!farm_db_request(db, &request, deadline_in_ms(CHECK_MS), &rows, err))
        return false;
    *version = (int)farm_rows_int(rows, 0, 0);
    farm_rows_release(rows);
    return true;
}

static bool fail_later(int version, struct err *err)
{
    return err_set(err, ERR_UNSUPPORTED,
                   "the queue was made by a later proctor: its version is %d, "
                   "this program knows %d; install that proctor here",
                   version, FARM_SCHEMA_VERSION);
}

static bool migrate(struct farm_db *db, int version, struct err *err)
{
    struct buf script = BUF_INIT(SCRIPT_MAX);
    char name[32];
    bool done;

    snprintf(name, sizeof(name), "schema/%d.sql", version);
    buf_text(&script, embedded_get(&farm_files, name)->text);
    buf_printf(&script,
               "; INSERT INTO proctor.schema_version (version) VALUES (%d)",
               version);
    done = farm_db_script(db, buf_cstr(&script), deadline_in_ms(MIGRATION_MS),
                          err);
    buf_release(&script);
    return done;
}

static bool migrate_all(struct farm_db *db, int *before, struct err *err)
{
    if (!read_version(db, before, err))
        return false;
    if (*before > FARM_SCHEMA_VERSION)
        return fail_later(*before, err);
    for (int version = *before + 1; version <= FARM_SCHEMA_VERSION; version++) {
        if (!migrate(db, version, err))
            return false;
    }
    return farm_db_script(db, "COMMIT", deadline_in_ms(MIGRATION_MS), err);
}

bool farm_schema_init(struct farm_db *db, int *before, struct err *err)
{
    struct err ignored; /* the first one counts */

    if (farm_db_script(db, begin, deadline_in_ms(MIGRATION_MS), err) &&
        migrate_all(db, before, err))
        return true;
    (void)!farm_db_script(db, "ROLLBACK", deadline_in_ms(CHECK_MS), &ignored);
    return false;
}

bool farm_schema_check(struct farm_db *db, struct err *err)
{
    int version = 0;
    bool read = read_version(db, &version, err);

    if (!read && err->code != ERR_NOT_FOUND)
        return false;
    if (!version)
        return err_set(err, ERR_NOT_FOUND,
                       "there is no queue at %s; create it with: proctor queue "
                       "init",
                       farm_db_name(db));
    if (version > FARM_SCHEMA_VERSION)
        return fail_later(version, err);
    return version == FARM_SCHEMA_VERSION ||
           err_set(err, ERR_UNSUPPORTED,
                   "the queue at %s is of version %d, this program needs %d; "
                   "run: proctor queue init",
                   farm_db_name(db), version, FARM_SCHEMA_VERSION);
}
