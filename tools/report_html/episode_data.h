/* One episode as the page shows it: screenshots, descriptions, verdict. */
#ifndef TOOLS_REPORT_HTML_EPISODE_DATA_H
#define TOOLS_REPORT_HTML_EPISODE_DATA_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "judge/report/judged_runs.h"
#include "tasks/trajectory/trajectory.h"
#include "tools/report_html/thumbnails.h"

struct episode_data {
    struct trajectory trajectory;
    bool loaded;
    struct err trouble;  /* why it cannot be read */
    char **descriptions; /* owned: per step; NULL where there are none */
    size_t description_count;
    bool shown; /* it has pictures, and replies */
};

/*
 * Read an episode; trouble says why it cannot be read. The descriptions are
 * those that the judge read, or those of process.jsonl when it is not judged.
 */
void episode_data_load(struct episode_data *episode_data,
                       const struct judged_run *run,
                       const struct judged_attempt *entry);
void episode_data_release(struct episode_data *episode_data);

/* The number of its screens that are not requested yet. */
size_t episode_data_wants(const struct episode_data *episode_data,
                          const struct thumbnails *thumbnails);

/*
 * Prepare it for display: request its screens, and describe its steps if no
 * judge did yet.
 */
void episode_data_show(struct episode_data *episode_data,
                       struct thumbnails *thumbnails);

/* All data that is shown on demand; page.js reads it. */
struct cJSON *episode_data_json(const struct episode_data *episode_data,
                                const struct judged_run *run,
                                const struct judged_attempt *entry,
                                const struct thumbnails *thumbnails);

#endif
