#include "tools/cli/judge/propose_page.h"

#include "judge/rules/answer_check.h"
#include "tools/cli/terminal/text_table.h"

static void line(struct text_page *page, const char *name, const char *text)
{
    text_page_printf(page, "%-12s", name);
    text_page_untrusted(page, TEXT_STYLE_PLAIN, text ? text : "");
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
}

static void list_needs(struct text_page *page, const struct task *task)
{
    for (size_t i = 0; i < task->need_count; i++)
        line(page, i ? "" : "checks",
             bilingual_text_in(&task->needs[i].say, NULL));
}

static void list_answer(struct text_page *page, const struct task *task)
{
    char text[256];

    if (task->answer.kind == TASK_ANSWER_NONE)
        return;
    answer_describe(&task->answer, text, sizeof(text));
    line(page, "answer", text);
}

static void list_merged(struct text_page *page,
                        const struct merged_gold *merged)
{
    struct text_table table;

    if (!merged->recording_count)
        return;
    text_page_add(page, TEXT_STYLE_BOLD, "\nmerged\n");
    text_table_init(&table, 3);
    for (size_t i = 0; i < merged->count; i++) {
        const struct merged_step *step = &merged->steps[i];

        text_table_cell(&table, TEXT_STYLE_PLAIN, merged_kind_name(step->kind));
        text_table_cell(&table, TEXT_STYLE_PLAIN,
                        step->free ? "any order" : "");
        text_table_cell(&table, TEXT_STYLE_PLAIN, step->say);
    }
    text_table_write(&table, page);
    text_table_release(&table);
    for (size_t i = 0; i < merged->recording_count; i++) {
        if (!merged->accepted[i])
            text_page_printf(page,
                             "recording %zu is not accepted by the merged "
                             "checks\n",
                             i + 1);
    }
}

void propose_page_task(struct text_page *page,
                       const struct recording_task *made)
{
    const struct task *task = &made->task;

    text_page_untrusted(page, TEXT_STYLE_BOLD, task->id);
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    line(page, "instruction", bilingual_text_in(&task->instruction, NULL));
    line(page, "app", task->apps.count ? task->apps.items[0] : "");
    line(page, "kind", task_kind_name(task->kind));
    text_page_printf(page, "%-12sL%d\n", "level", task->level);
    text_page_printf(page, "%-12s%d steps\n", "budget", task->steps);
    text_page_printf(page, "%-12s%zu steps\n", "gold", task->gold.count);
    list_answer(page, task);
    list_needs(page, task);
    list_merged(page, &made->merged);
    for (size_t i = 0; i < made->warnings.count; i++) {
        text_page_add(page, TEXT_STYLE_YELLOW, i ? "" : "\n");
        text_page_untrusted(page, TEXT_STYLE_YELLOW, made->warnings.items[i]);
        text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    }
}

static void row(struct text_table *table, bool right, const char *verdict,
                const char *what, const char *reason)
{
    text_table_cell(table, right ? TEXT_STYLE_GREEN : TEXT_STYLE_RED, verdict);
    text_table_cell(table, TEXT_STYLE_PLAIN, what);
    text_table_cell(table, TEXT_STYLE_DIM, reason);
}

void propose_page_proof(struct text_page *page, const struct proof *proof)
{
    struct text_table table;

    text_page_add(page, TEXT_STYLE_BOLD, "\nproof\n");
    text_table_init(&table, 3);
    row(&table, proof->accepted, proof->accepted ? "accepted" : "refused",
        "the recording", proof->accepted ? "" : proof->reason);
    for (size_t i = 0; i < proof->count; i++) {
        const struct proof_row *twin = &proof->rows[i];

        row(&table, twin->refused, twin->refused ? "refused" : "accepted",
            twin->description, twin->refused ? "" : twin->reason);
    }
    text_table_write(&table, page);
    text_table_release(&table);
    text_page_printf(page, "%zu of %zu wrong twins are refused\n",
                     proof->refused, proof->count);
}

void propose_page_runs(struct text_page *page, const struct twin_runs *runs)
{
    struct text_table table;

    text_page_add(page, TEXT_STYLE_BOLD, "\ncarried out\n");
    text_table_init(&table, 3);
    for (size_t i = 0; i < runs->count; i++) {
        const struct twin_run *run = &runs->items[i];

        row(&table, run->right == run->accepted,
            run->accepted ? "accepted" : "refused",
            run->right ? "is right" : "is wrong", run->description);
    }
    text_table_write(&table, page);
    text_table_release(&table);
    text_page_printf(page, "%zu of %zu twins are judged as the truth says\n",
                     runs->agreed, runs->count);
}
