#include "tools/cli/run/run_budget.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "tools/cli/run/run_phones.h"
#include "tools/cli/terminal/text_page.h"

/* The built-in phone's, and that of many others. */
#define DEFAULT_SCREEN ((struct extent){1080, 2400})

/* What a phone's facts may add to an instruction. */
#define FACTS_BYTES 500

static bool read_cost(const char *text, double *cost, struct err *err)
{
    char *end;
    double found;

    if (!text)
        return true;
    found = strtod(text, &end);
    if (end == text || *end || !(found >= 0) || found > 1e9)
        return err_set(err, ERR_INVALID,
                       "--max-cost %.40s: expected dollars, such as 2.50",
                       text);
    *cost = found;
    return true;
}

bool run_budget_set(const struct run_budget *budget, struct run_plan *plan,
                    struct err *err)
{
    if (!read_cost(budget->max_cost, &plan->max_cost, err) ||
        !run_phones_number("max-tokens", budget->max_tokens, 0, JSON_INT_MAX,
                           &plan->max_tokens, err))
        return false;
    plan->limits_cost |= budget->max_cost != NULL;
    plan->limits_tokens |= budget->max_tokens != NULL;
    if (budget->prices) {
        free(plan->prices);
        plan->prices = mem_dup(budget->prices);
    }
    return true;
}

void run_budget_init(const struct run_plan *plan, struct spending *spending)
{
    spending_init(spending, plan->limits_cost ? plan->max_cost : -1,
                  plan->limits_tokens ? plan->max_tokens : -1);
}

/* ---- what it may come to ---- */

struct estimate {
    int64_t episodes;
    int64_t steps;
    int64_t attempts; /* with those that end void and are made again */
    struct model_usage usage;
    bool unbounded; /* replies may have any length */
};

static size_t instruction_bytes(const struct task *task)
{
    const char *const texts[] = {task->instruction.any, task->instruction.en,
                                 task->instruction.zh};
    size_t longest = 0;

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        size_t length = texts[i] ? strlen(texts[i]) : 0;

        longest = length > longest ? length : longest;
    }
    return longest + FACTS_BYTES;
}

static void add_task(const struct agent_factory *agents,
                     const struct run_plan *plan, const struct task *task,
                     struct estimate *estimate)
{
    struct episode_policy policy;
    struct agent_estimate episode = {
        .screen = DEFAULT_SCREEN,
        .mode = plan->mode,
        .steps = plan->steps ? plan->steps : task->steps,
        .instruction_bytes = instruction_bytes(task),
    };
    struct model_usage one;

    policy_init(&policy, plan->preset);
    episode.requests_per_step = policy.ask_again ? 2 : 1;
    one = agent_factory_estimate(agents, &episode);
    estimate->episodes += plan->repeats;
    estimate->steps += (int64_t)plan->repeats * episode.steps;
    estimate->unbounded |= one.output_tokens < 0;
    for (int i = 0; i < plan->repeats * (1 + plan->retries); i++) {
        estimate->attempts++;
        model_usage_add(&estimate->usage, &one);
    }
    if (one.cost < 0)
        estimate->usage.cost = -1;
}

static bool print_json(struct cli_context *cli, const struct estimate *estimate,
                       struct err *err)
{
    struct cJSON *line = json_new_object();
    bool done;

    json_add_int(line, "episodes", estimate->episodes);
    json_add_int(line, "steps", estimate->steps);
    json_add_int(line, "attempts", estimate->attempts);
    if (!estimate->unbounded) {
        json_add_int(line, "input_tokens", estimate->usage.input_tokens);
        json_add_int(line, "output_tokens", estimate->usage.output_tokens);
    }
    if (estimate->usage.cost >= 0 && !estimate->unbounded)
        json_add_number(line, "cost", estimate->usage.cost);
    else
        json_add_null(line, "cost");
    done = output_stream_json(&cli->out, line, err);
    cJSON_Delete(line);
    return done;
}

static bool print_text(struct cli_context *cli, const struct estimate *estimate,
                       struct err *err)
{
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    text_page_printf(&page,
                     "%" PRId64 " episode%s of at most %" PRId64
                     " steps in all; with retries at most %" PRId64
                     " attempts: ",
                     estimate->episodes, estimate->episodes == 1 ? "" : "s",
                     estimate->steps, estimate->attempts);
    if (estimate->unbounded)
        text_page_add(&page, TEXT_STYLE_PLAIN,
                      "no upper bound, as the profile does not limit replies "
                      "(sampling.max_tokens)\n");
    else
        text_page_printf(
            &page, "at most %" PRId64 " tokens in, %" PRId64 " out, ",
            estimate->usage.input_tokens, estimate->usage.output_tokens);
    if (!estimate->unbounded && estimate->usage.cost >= 0)
        text_page_printf(&page, "$%.2f\n", estimate->usage.cost);
    else if (!estimate->unbounded)
        text_page_add(&page, TEXT_STYLE_PLAIN,
                      "at a price that is not known (--prices)\n");
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

bool run_budget_estimate(struct cli_context *cli, const struct run_plan *plan,
                         const struct suite *suite, struct err *err)
{
    const struct agent_factory_options options = {.profile = plan->profile,
                                                  .prices = plan->prices,
                                                  .in = STDIN_FILENO,
                                                  .out = STDERR_FILENO};
    struct estimate estimate = {.usage = {.cached_tokens = -1}};
    struct agent_factory agents = {.name = NULL};
    bool done;

    if (!agent_factory_init(&agents, plan->agent, &options, err))
        return false;
    for (size_t i = 0; i < plan->tasks.count; i++)
        add_task(&agents, plan, suite_find(suite, plan->tasks.items[i]),
                 &estimate);
    done = cli->shared.json ? print_json(cli, &estimate, err)
                            : print_text(cli, &estimate, err);
    agent_factory_release(&agents);
    return done;
}
