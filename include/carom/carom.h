/* carom: what happens when rigid bodies hit each other.
 *
 * This header includes the whole public interface. Data flows one way:
 *
 *   bodies ──> contact space (W, v) ──> solver ──> result ──> bodies
 *   body.h     problem.h                rigid.h, compliant.h  body.h
 *
 * Conventions, everywhere: a contact joins a first and a second body; its frame is
 * orthonormal and right-handed, (t1, t2, n), with n pointing out of the second body into
 * the first. The contact velocity v is that of the first body's point minus the second's, so
 * v_n < 0 means approaching. The impulse I acts on the first body, -I on the second. Any
 * consistent set of units will do.
 *
 * Every function is a pure function of its arguments: no globals, no input or output, and no
 * allocation unless more than CAROM_STACK_CONTACTS contacts are solved without a workspace; safe to
 * call from any number of threads. A world (world.h) is the exception: it changes as it goes on. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include <carom/batch.h>
#include <carom/body.h>
#include <carom/chain.h>
#include <carom/collide.h>
#include <carom/compliant.h>
#include <carom/derivative.h>
#include <carom/flight.h>
#include <carom/hodograph.h>
#include <carom/lasting.h>
#include <carom/material.h>
#include <carom/mesh.h>
#include <carom/planar.h>
#include <carom/problem.h>
#include <carom/result.h>
#include <carom/rigid.h>
#include <carom/rolling.h>
#include <carom/sequence.h>
#include <carom/solid.h>
#include <carom/solve.h>
#include <carom/status.h>
#include <carom/strike.h>
#include <carom/system.h>
#include <carom/trace.h>
#include <carom/world.h>

#endif
