/*
 * What an episode needs and what a phone offers: sets of words such as
 * "kind:builtin", "lang:en", "app:com.android.settings" or "agent:openai". A
 * phone can do an episode if it offers all that the episode needs.
 */
#ifndef TOOLS_FARM_QUEUE_FARM_NEEDS_H
#define TOOLS_FARM_QUEUE_FARM_NEEDS_H

#include <cjson/cJSON.h>

#include "runner/device/device_info.h"
#include "runner/run/run_file.h"
#include "tasks/task/task.h"

/*
 * Can workers run this plan? Fails with ERR_INVALID for an agent that needs
 * the terminal of this computer, and devices that are not all of one kind.
 */
MUST_USE bool farm_needs_check(const struct run_plan *plan, struct err *err);

/* The needs of a task of the plan: a JSON array, which the caller deletes. */
struct cJSON *farm_needs_of(const struct run_plan *plan,
                            const struct task *task);

/* What all phones of a worker offer, by its environment and options. */
void farm_offer_agents(struct cJSON *offers, bool commands);

/* What a built-in phone offers, and another one. */
void farm_offer_builtin(struct cJSON *offers);
void farm_offer_phone(struct cJSON *offers, const char *serial,
                      const struct device_info *info);

/* The packages in the output of `pm list packages`. */
void farm_offer_packages(struct cJSON *offers, const char *output);

#endif
