/* carom merge. */
#ifndef CAROM_CLI_COMMANDS_MERGE_COMMAND_H
#define CAROM_CLI_COMMANDS_MERGE_COMMAND_H

int merge_main(int argc, char **argv);

#endif
