/* Measured impacts beside carom and physics engines.
 *
 *   carom_validation DIRECTORY [CUBE.csv [BARS.dat]]
 *
 * DIRECTORY has ellipse.csv and kharaz.csv, CUBE.csv is the unpacked file of cube tosses, BARS.dat
 * gets the numbers of the picture. The tables go to standard output, as Markdown. */
#include <stdio.h>

#include "parts.h"

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: carom_validation DIRECTORY [CUBE.csv [BARS.dat]]\n");
        return 2;
    }
    FILE *data = fopen(argc > 3 ? argv[3] : "/dev/null", "w");
    if (!data) {
        perror(argv[3]);
        return 2;
    }
    part_ellipse(argv[1], data);
    fclose(data);
    part_spheres(argv[1]);
    if (argc > 2) {
        part_cube(argv[2]);
        part_tosses(argv[2]);
    }
    return 0;
}
