/* What a world is made of, by life time: what is given, the bodies with their motion and next
 * event, and the rooms to work in. world_setup.c lays all of it out in one block. */
#ifndef CAROM_WORLD_WORLD_STATE_H
#define CAROM_WORLD_WORLD_STATE_H

#include <carom/lasting.h>
#include <carom/world.h>
#include <stdbool.h>

#include "flight/hull.h"

/* Contacts touch if their gap is at most this part of the body's size: covers the rounding of
 * positions and input copied with ten digits. */
#define WORLD_TOUCH 1e-9

/* Depth up to which pressed contacts are left alone, of the body's size. */
#define WORLD_HOLD_DEPTH 1e-6

/* Speeds below this part of the larger speed are rounding: the error of impacts at many contacts.
 */
#define WORLD_CREEP 1e-10

/* Events of an impact that a visitor can see. */
#define WORLD_IMPACT_EVENTS 256

/* The event that a body waits for. */
typedef enum AwaitedKind {
    AWAITED_NOTHING,
    AWAITED_PHASE, /* its own piece of motion ends */
    AWAITED_CELL,  /* it leaves its cell */
    AWAITED_BODY,  /* it meets another body */
    AWAITED_PLANE, /* or something immovable: partner is the index */
    AWAITED_CUSHION,
    AWAITED_POCKET,
    AWAITED_LOOK /* whether it meets the other body is not known beyond this time */
} AwaitedKind;

typedef struct Awaited {
    double time;
    AwaitedKind kind;
    int partner;
    unsigned partner_count; /* changes of the other body's motion when this was found */
    int axis, side;         /* AWAITED_CELL: the face through which it leaves */
} Awaited;

/* What a convex body has beside a ball. */
typedef struct WorldConvex {
    Hull hull;        /* if there are other bodies */
    double *friction; /* of lasting contact, per plane */
    /* a step of lasting contact: convex_path.h */
    double step; /* to try next; 0: not known */
    long steps;  /* of this contact */
    double arc[3];
    double energy[2]; /* at its beginning and end */
    CaromBody goal;   /* where it ends */
    /* next touch of a plane in flight, which depends on its own motion only */
    bool touch_known;
    unsigned touch_count; /* of the motion it belongs to */
    double touch_time;
    int touch_plane;
} WorldConvex;

/* Memory of all convex bodies, which they share in their order. */
typedef struct ConvexRoom {
    WorldConvex *convex;
    double *friction; /* a plane each */
    double *numbers;  /* of hulls */
    int *ints;
} ConvexRoom;

typedef struct WorldBody {
    CaromMotion motion;
    double mass, radius; /* of a convex body: distance of the farthest vertex */
    double kappa;        /* of a ball: moment of inertia over mass radius^2 */
    bool spin_ends;      /* the piece ends where the spin does, not the phase */
    bool is_ball;
    int material;
    CaromShape shape;
    WorldConvex *convex; /* NULL: a ball */
    double inertia[9];
    int member;     /* place in the cluster of the impact in hand; -1: not in it */
    unsigned count; /* changes of the motion */
    Awaited next;
    int place;          /* in the heap */
    int cell[3];        /* of the grid */
    int before, behind; /* neighbours in the list of the cell; -1: none */
} WorldBody;

typedef struct WorldPlane {
    double point[3], normal[3];
    double pull; /* gravity into the plane */
    bool level;  /* gravity is along the normal, into it: balls can stay on it */
    int material;
} WorldPlane;

typedef struct WorldCushion {
    double point[3], normal[3];
    int material;
} WorldCushion;

/* Cells over the box low, low + count * step. The outermost reach to infinity. */
typedef struct CellGrid {
    double low[3], step[3];
    int count[3];
    int room;   /* most cells */
    int *heads; /* first body of each cell; -1: none */
} CellGrid;

/* The contacts of one impact, and room to solve it. */
typedef struct Cluster {
    int limit; /* most contacts */
    int contact_count, body_count;
    bool overflow;
    CaromTouching *touching;
    CaromSite *sites;
    CaromContact *contacts;
    int *bodies; /* indices in the world */
    CaromBody *before, *after;
    double *W, *v, *impulse, *velocity;
    CaromEvent *events;
    void *workspace;
    int *vertices; /* of a convex body that touch */
    int *moved;    /* bodies whose motion is new after the impact, and whether they have landed */
    bool *landed;
} Cluster;

struct CaromWorld {
    bool allocated, failed;
    double time;
    double gravity[3], up[3]; /* up is 0 without gravity */
    CaromModel one;
    bool several_rigid;
    double rest;
    WorldBody *bodies;
    int body_count;
    WorldPlane *planes;
    int plane_count;
    WorldCushion *cushions;
    int cushion_count;
    CaromPocket *pockets;
    int pocket_count;
    CaromSurface *surfaces;
    int material_count;
    CellGrid grid;
    int *heap; /* bodies, the earliest next event first */
    Cluster cluster;
    ConvexRoom convex_room;
    CaromPlane *flat; /* the planes as lasting contact takes them */
    double *lasting_room;
    long since_fit; /* events since the grid was fitted */
    long at_once;   /* impacts since time went on */
};

/* The coefficients of two materials. */
static inline const CaromSurface *world_surface(const CaromWorld *world, int first, int second) {
    int low = first < second ? first : second, high = first < second ? second : first;
    return &world->surfaces[(size_t)low * (size_t)world->material_count + (size_t)high];
}

#endif
