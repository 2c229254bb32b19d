/* What a farm does at one moment, as JSON for its page. */
#ifndef TOOLS_FARM_PAGE_FARM_SNAPSHOT_H
#define TOOLS_FARM_PAGE_FARM_SNAPSHOT_H

#include "base/buf.h"
#include "base/err.h"
#include "tools/farm_queue/farm_db.h"

/*
 * Append
 *
 *     {"queue", "runs": […], "workers": […], "phones": […], "episodes": […]}
 *
 * with the newest runs and episodes. All texts of the database are untrusted;
 * JSON keeps them apart, and the page shows them as text. Members of rows are
 * the columns of the requests in farm_snapshot.c. Fails as farm_db_request.
 */
MUST_USE bool farm_snapshot_read(struct farm_db *db, struct buf *json,
                                 struct err *err);

#endif
