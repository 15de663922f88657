/* The derivatives of one rigid contact are compiled once as they are and, on x86-64, once more for
 * AVX2 and FMA with contraction of a*b+c, with CAROM_FMA_COPY defined (src/CMakeLists.txt): these
 * are the names of that copy. rigid_choice.c chooses between the two. */
#ifndef CAROM_DERIVATIVE_COPIES_H
#define CAROM_DERIVATIVE_COPIES_H

#ifdef CAROM_FMA_COPY
#define crm_rigid_slope_copy crm_rigid_slope_fma
#define crm_planar_slope_copy crm_planar_slope_fma
#define crm_follow_begin crm_follow_begin_fma
#define crm_follow_piece crm_follow_piece_fma
#define crm_follow_event crm_follow_event_fma
#define crm_slope_begin crm_slope_begin_fma
#define crm_slope_mark crm_slope_mark_fma
#define crm_slope_piece crm_slope_piece_fma
#define crm_slope_stop crm_slope_stop_fma
#define crm_slope_log_time crm_slope_log_time_fma
#define crm_slope_nodes crm_slope_nodes_fma
#define crm_slope_rule crm_slope_rule_fma
#endif

#endif
