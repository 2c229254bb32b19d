/* The commands, each in the file that bears its name. */
#ifndef TOOLS_CLI_COMMAND_LINE_ALL_COMMANDS_H
#define TOOLS_CLI_COMMAND_LINE_ALL_COMMANDS_H

#include "tools/cli/command_line/command.h"

extern const struct command cmd_ask;
extern const struct command cmd_check;
extern const struct command cmd_complete;
extern const struct command cmd_completion;
extern const struct command cmd_connect;
extern const struct command cmd_describe;
extern const struct command cmd_devices;
extern const struct command cmd_diff;
extern const struct command cmd_disconnect; /* in cmd_connect.c */
extern const struct command cmd_doctor;
extern const struct command cmd_env;
extern const struct command cmd_export;
extern const struct command cmd_forward;
extern const struct command cmd_health;
extern const struct command cmd_help;
extern const struct command cmd_install;
extern const struct command cmd_judge;
extern const struct command cmd_key; /* in cmd_act.c */
extern const struct command cmd_ls;
extern const struct command cmd_man;
extern const struct command cmd_mcp;
extern const struct command cmd_merge;
extern const struct command cmd_meter;
extern const struct command cmd_pair;
extern const struct command cmd_parse;
extern const struct command cmd_phone;
extern const struct command cmd_preflight;
extern const struct command cmd_process;
extern const struct command cmd_propose;
extern const struct command cmd_pull;
extern const struct command cmd_push;
extern const struct command cmd_queue;
extern const struct command cmd_raw;
extern const struct command cmd_reboot; /* in cmd_restart.c */
extern const struct command cmd_record;
extern const struct command cmd_report;
extern const struct command cmd_replay;
extern const struct command cmd_resume;
extern const struct command cmd_retry; /* in cmd_resume.c */
extern const struct command cmd_reverse;
extern const struct command cmd_root; /* in cmd_restart.c */
extern const struct command cmd_run;
extern const struct command cmd_screendiff;
extern const struct command cmd_selftest;
extern const struct command cmd_edit;
extern const struct command cmd_serve;
extern const struct command cmd_shell;
extern const struct command cmd_shot;
extern const struct command cmd_swipe; /* in cmd_act.c */
extern const struct command cmd_tap;   /* in cmd_act.c */
extern const struct command cmd_tasks;
extern const struct command cmd_tcpip; /* in cmd_restart.c */
extern const struct command cmd_tree;
extern const struct command cmd_type;   /* in cmd_act.c */
extern const struct command cmd_unroot; /* in cmd_restart.c */
extern const struct command cmd_work;
extern const struct command cmd_zoo;

#endif
