/* The laboratory inside the program: the assembler includes the file unchanged. */
#include "embed.h"

__asm__(".section .rodata\n"
        ".global lab_page, lab_page_end\n"
        "lab_page: .incbin \"" CAROM_LAB_HTML "\"\n"
        "lab_page_end: .byte 0\n"
        ".previous\n");
