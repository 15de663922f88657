/* carom aim: the command line. */
#ifndef CAROM_CLI_COMMANDS_AIM_COMMAND_H
#define CAROM_CLI_COMMANDS_AIM_COMMAND_H

int aim_main(int argc, char **argv);

#endif
