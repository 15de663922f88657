/* The laboratory as one HTML file, inside the program. */
#ifndef CAROM_LAB_EMBED_H
#define CAROM_LAB_EMBED_H

/* Its bytes, up to the end; no zero follows. */
extern const char lab_page[], lab_page_end[];

#endif
