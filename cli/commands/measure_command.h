/* carom measure: the command line. */
#ifndef CAROM_CLI_COMMANDS_MEASURE_COMMAND_H
#define CAROM_CLI_COMMANDS_MEASURE_COMMAND_H

int measure_main(int argc, char **argv);

#endif
