/* carom batch. */
#ifndef CAROM_CLI_COMMANDS_BATCH_COMMAND_H
#define CAROM_CLI_COMMANDS_BATCH_COMMAND_H

/* argv[0] is the command's name. Returns the exit status. */
int batch_main(int argc, char **argv);

#endif
