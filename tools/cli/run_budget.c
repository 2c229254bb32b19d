#include "tools/cli/run_budget.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json_write.h"
#include "tools/cli/page.h"
#include "tools/cli/run_phones.h"

/* The built-in phone's, and that of many others. */
#define USUAL_SCREEN ((struct extent){1080, 2400})

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

static bool read_limits(const struct run_budget *budget, double *cost,
                        int64_t *tokens, struct err *err)
{
    return read_cost(budget->max_cost, cost, err) &&
           run_phones_number("max-tokens", budget->max_tokens, 0, JSON_INT_MAX,
                             tokens, err);
}

bool run_budget_check(const struct run_budget *budget, struct err *err)
{
    double cost;
    int64_t tokens;

    return read_limits(budget, &cost, &tokens, err);
}

bool run_budget_read(const struct run_budget *budget, struct spending *spending,
                     struct err *err)
{
    double cost = -1;
    int64_t tokens = -1;

    if (!read_limits(budget, &cost, &tokens, err))
        return false;
    spending_init(spending, cost, tokens);
    return true;
}

/* ---- what it may come to ---- */

struct estimate {
    int64_t episodes;
    int64_t steps;
    struct model_usage usage;
};

static void add_task(const struct agents *agents, const struct run_plan *plan,
                     const struct task *task, struct estimate *estimate)
{
    int steps = plan->steps ? plan->steps : task->steps;
    struct model_usage one = agents_estimate(agents, USUAL_SCREEN, steps);

    for (int i = 0; i < plan->repeats; i++) {
        estimate->episodes++;
        estimate->steps += steps;
        model_usage_add(&estimate->usage, &one);
    }
    if (one.cost < 0)
        estimate->usage.cost = -1;
}

static bool print_json(struct cli *cli, const struct estimate *estimate,
                       struct err *err)
{
    struct cJSON *line = json_new_object();
    bool done;

    json_add_int(line, "episodes", estimate->episodes);
    json_add_int(line, "steps", estimate->steps);
    json_add_int(line, "input_tokens", estimate->usage.input_tokens);
    json_add_int(line, "output_tokens", estimate->usage.output_tokens);
    if (estimate->usage.cost >= 0)
        json_add_number(line, "cost", estimate->usage.cost);
    else
        json_add_null(line, "cost");
    done = output_json(&cli->out, line, err);
    cJSON_Delete(line);
    return done;
}

static bool print_text(struct cli *cli, const struct estimate *estimate,
                       struct err *err)
{
    struct page page;
    bool done;

    page_init(&page, cli->out.fd);
    page_printf(&page,
                "at most %" PRId64 " episode%s, %" PRId64 " steps, %" PRId64
                " tokens in, %" PRId64 " out, ",
                estimate->episodes, estimate->episodes == 1 ? "" : "s",
                estimate->steps, estimate->usage.input_tokens,
                estimate->usage.output_tokens);
    if (estimate->usage.cost >= 0)
        page_printf(&page, "$%.2f\n", estimate->usage.cost);
    else
        page_text(&page, PAGE_PLAIN,
                  "at a price that is not known (--prices)\n");
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    return done;
}

bool run_budget_estimate(struct cli *cli, const struct run_budget *budget,
                         const struct run_plan *plan, const struct suite *suite,
                         struct err *err)
{
    const struct agents_options options = {.profile = plan->profile,
                                           .prices = budget->prices,
                                           .in = STDIN_FILENO,
                                           .out = STDERR_FILENO};
    struct estimate estimate = {.usage = {.cached_tokens = -1}};
    struct agents agents = {.name = NULL};
    bool done;

    if (!agents_init(&agents, plan->agent, &options, err))
        return false;
    for (size_t i = 0; i < plan->tasks.count; i++)
        add_task(&agents, plan, suite_find(suite, plan->tasks.items[i]),
                 &estimate);
    done = cli->shared.json ? print_json(cli, &estimate, err)
                            : print_text(cli, &estimate, err);
    agents_release(&agents);
    return done;
}
