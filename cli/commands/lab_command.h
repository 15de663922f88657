/* carom lab. */
#ifndef CAROM_CLI_COMMANDS_LAB_COMMAND_H
#define CAROM_CLI_COMMANDS_LAB_COMMAND_H

/* argv[0] is the command's name. Returns the exit status. */
int lab_main(int argc, char **argv);

#endif
