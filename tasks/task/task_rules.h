/* The formats of the texts in a task. */
#ifndef TASKS_TASK_TASK_RULES_H
#define TASKS_TASK_TASK_RULES_H

#include "tasks/json/text_rule.h"

extern const struct text_rule task_rule_id;    /* of tasks and truths */
extern const struct text_rule task_rule_name;  /* of needs, probes and facts */
extern const struct text_rule task_rule_label; /* category, tags: a line */
extern const struct text_rule task_rule_package; /* com.example.app */
extern const struct text_rule task_rule_permission;
extern const struct text_rule task_rule_locale;    /* en, zh-CN */
extern const struct text_rule task_rule_date;      /* 2026-11-16 */
extern const struct text_rule task_rule_version;   /* 12.3.4 */
extern const struct text_rule task_rule_beside;    /* a file beside the suite */
extern const struct text_rule task_rule_on_phone;  /* a file on the phone */
extern const struct text_rule task_rule_transform; /* of a picture */
extern const struct text_rule task_rule_node_path; /* 0/1/3 */
extern const struct text_rule
    task_rule_plain; /* not a placeholder: used as it is */
extern const struct text_rule
    task_rule_comment; /* a comment for readers of the file */
extern const struct text_rule task_rule_typed; /* what gold types and answers */
extern const struct text_rule task_rule_pattern; /* PCRE2 */
extern const struct text_rule task_rule_command; /* in the phone's shell */

#endif
