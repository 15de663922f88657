/* carom fit: the command line. */
#ifndef CAROM_CLI_COMMANDS_FIT_COMMAND_H
#define CAROM_CLI_COMMANDS_FIT_COMMAND_H

int fit_main(int argc, char **argv);

#endif
