# Velocities of the ball after the impact, Figures 14 and 15 of Jia:
# gnuplot -c plot.gp TABLE.csv PICTURE.svg
table = ARG1
set encoding utf8
set terminal svg size 1080,700 background '#ffffff' font 'sans-serif,13' fixed name 'carom'
set output ARG2
set datafile separator ','
set border 31 lw 0.8
set tics nomirror
set xzeroaxis lt 1 lw 0.8 lc rgb '#999999'
of(figure, y) = strcol('figure') eq figure ? column(y) : NaN
panel(figure) = sprintf("plot table using (column('x')):(of('%s','vx')) with lines lw 2.4 lc rgb '#0072B2' notitle, '' using (column('x')):(of('%s','omega_y')) with lines lw 2.4 lc rgb '#D55E00' notitle, '' using (column('x')):(of('%s','vx_printed')) with lines lw 1.6 dt (4,4) lc rgb '#0072B2' notitle, '' using (column('x')):(of('%s','omega_y_printed')) with lines lw 1.6 dt (4,4) lc rgb '#D55E00' notitle", figure, figure, figure, figure)

set multiplot layout 2,3 margins 0.06,0.98,0.09,0.93 spacing 0.07,0.16
set title '14(a): speed before'
set xrange [-15:15]
set xlabel 'before: V_x'
eval panel('14a')
set title '14(b): spin before'
set xrange [-10:10]
set xlabel 'before: ω_y'
eval panel('14b')

# the legend has a place of its own
unset border
unset tics
unset xzeroaxis
set title ' '
set xlabel ' '
set xrange [0:1]
set yrange [0:1]
set key at graph 0.02,0.9 top left Left reverse samplen 5 spacing 1.5
plot NaN with lines lw 2.4 lc rgb '#0072B2' title 'V_x, exact', \
     NaN with lines lw 2.4 lc rgb '#D55E00' title 'ω_y, exact', \
     NaN with lines lw 1.6 dt (4,4) lc rgb '#0072B2' title 'V_x, friction eμ in restitution', \
     NaN with lines lw 1.6 dt (4,4) lc rgb '#D55E00' title 'ω_y, friction eμ in restitution'
unset key
set border 31 lw 0.8
set tics nomirror
set xzeroaxis lt 1 lw 0.8 lc rgb '#999999'
set autoscale y

set title '15(a): friction'
set xrange [0:1]
set xlabel 'μ'
eval panel('15a')
set title '15(b): tangential compliance'
set xlabel 'η_0'
set xrange [1:3]
eval panel('15b')
set title '15(c): restitution'
set xlabel 'e'
set xrange [0:1]
eval panel('15c')
unset multiplot
