/* The program: builds the structs, passes them down, says how it ended. */
#ifndef TOOLS_CLI_PROGRAM_H
#define TOOLS_CLI_PROGRAM_H

/* Everything that main does with the commands it has; the exit status. */
int program_main(int argc, char **argv);

#endif
