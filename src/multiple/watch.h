/* The first event of a piece: zeros of series, none of which can be skipped. */
#ifndef CAROM_MULTIPLE_WATCH_H
#define CAROM_MULTIPLE_WATCH_H

#include "multiple/network.h"

/* Find the first event of the piece, piece->moment; 1 if there is none. */
void crm_watch(Network *network);

/* Something happens at this moment of the piece; up to which moment is it of interest? */
void crm_watch_for(Piece *piece, int i, LinkWatch what, double moment);
double crm_watch_limit(const Piece *piece);
void crm_watch_clear(LinkPiece *link);

/* Where the series, positive or rising from 0, first vanishes again; INFINITY: not up to limit. */
double crm_series_zero(const double *series, int terms, double limit);

/* A series in x = t/step, its slope, and its integral from 0. */
double crm_series_at(const double *series, double x);
double crm_series_slope(const double *series, double x);
double crm_series_integral(const double *series, double x);

#endif
