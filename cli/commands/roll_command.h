/* carom roll: a ball on a table after an impact. */
#ifndef CAROM_CLI_COMMANDS_ROLL_COMMAND_H
#define CAROM_CLI_COMMANDS_ROLL_COMMAND_H

/* argv[0] is "roll". Returns the exit status. */
int roll_main(int argc, char **argv);

#endif
