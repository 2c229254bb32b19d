/* Sizes and times as people read them. */
#ifndef TOOLS_CLI_TERMINAL_HUMAN_UNITS_H
#define TOOLS_CLI_TERMINAL_HUMAN_UNITS_H

#include <stdint.h>

#define HUMAN_UNITS_MAX 32

/* "512 B", "1.5 KiB", "64.0 MiB" */
void human_units_size(double bytes, char text[HUMAN_UNITS_MAX]);

/* "0.42 s", "12.3 s", "4:05", "1:02:03" */
void human_units_time(double seconds, char text[HUMAN_UNITS_MAX]);

#endif
