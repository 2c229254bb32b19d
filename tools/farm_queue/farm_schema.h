/* The tables of a queue: made, and brought to this program's version. */
#ifndef TOOLS_FARM_QUEUE_FARM_SCHEMA_H
#define TOOLS_FARM_QUEUE_FARM_SCHEMA_H

#include "tools/farm_queue/farm_db.h"

#define FARM_SCHEMA_VERSION 2

/*
 * Create the queue, or bring it to this version, in one transaction; *before is
 * the version that was found, 0: none. Fails with ERR_UNSUPPORTED for a later
 * version, and as farm_db_request.
 */
MUST_USE bool farm_schema_init(struct farm_db *db, int *before,
                               struct err *err);

/*
 * Is the queue there, in this version? Fails with ERR_NOT_FOUND,
 * ERR_UNSUPPORTED and what to do, and as farm_db_request.
 */
MUST_USE bool farm_schema_check(struct farm_db *db, struct err *err);

#endif
