/* The program: builds the structs, passes them down, reports the result. */
#ifndef TOOLS_CLI_CLI_MAIN_H
#define TOOLS_CLI_CLI_MAIN_H

/* Everything that main does with the commands it has; the exit status. */
int cli_main(int argc, char **argv);

#endif
