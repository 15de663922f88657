/* carom plot: the process of one impact as a picture. */
#ifndef CAROM_CLI_PLOT_H
#define CAROM_CLI_PLOT_H

/* The command; argv[0] is its name. Answers with the exit status: 0 the picture is written; 1 the
 * scene could not be solved; 2 bad input or usage, gnuplot missing, or the file not writable (then
 * a file that was there before is untouched). */
int plot_main(int argc, char **argv);

#endif
