/* The names of the second copy of the solver, for processors with AVX2 and FMA: this comes before
 * everything else when its files are compiled for them (src/CMakeLists.txt). A name that is missing
 * here would be defined twice, and the linker says so. */
#ifndef CAROM_RIGID_FMA_H
#define CAROM_RIGID_FMA_H

#define curve_arrival curve_arrival_fma
#define curve_at curve_at_fma
#define curve_departure curve_departure_fma
#define curve_direct curve_direct_fma
#define curve_direction curve_direction_fma
#define curve_fade curve_fade_fma
#define curve_forecast curve_forecast_fma
#define curve_locate curve_locate_fma
#define curve_logtime curve_logtime_fma
#define curve_middle curve_middle_fma
#define curve_mismatch curve_mismatch_fma
#define curve_own_work curve_own_work_fma
#define curve_pace curve_pace_fma
#define curve_rates curve_rates_fma
#define curve_run curve_run_fma
#define curve_series curve_series_fma
#define curve_speed curve_speed_fma
#define exact_begin exact_begin_fma
#define exact_begin_singular exact_begin_singular_fma
#define exact_centrifugal exact_centrifugal_fma
#define exact_find_stick exact_find_stick_fma
#define exact_finish exact_finish_fma
#define exact_run exact_run_fma
#define exact_solve exact_solve_fma
#define gap_estimate gap_estimate_fma
#define gap_sector gap_sector_fma
#define impact_book impact_book_fma
#define impact_end impact_end_fma
#define impact_end_compression impact_end_compression_fma
#define impact_event impact_event_fma
#define impact_letter impact_letter_fma
#define impact_restart_compression impact_restart_compression_fma
#define impact_sample impact_sample_fma
#define impact_state impact_state_fma
#define impact_work impact_work_fma
#define line_run line_run_fma
#define sector_disc sector_disc_fma
#define sector_far sector_far_fma
#define sector_find sector_find_fma
#define sector_ratio sector_ratio_fma
#define slip_series_begin slip_series_begin_fma
#define slip_series_direction slip_series_direction_fma
#define slip_series_extend slip_series_extend_fma
#define spinor_build spinor_build_fma
#define spinor_build_sector spinor_build_sector_fma
#define spinor_half spinor_half_fma

#endif
