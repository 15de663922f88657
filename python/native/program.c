/* The program, for `python -m carom`: its main() by another name. */
#define main carom_program_main
#include "main.c"
#undef main

#include "native.h"

int program_main(int argc, char **argv) {
    return carom_program_main(argc, argv);
}
