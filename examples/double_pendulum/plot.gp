# Motion and energy of the double pendulum: gnuplot -c plot.gp TABLE.csv PICTURE.svg
# The pendulum's bars have length 1, as in the example's default setting.
table = ARG1
set encoding utf8
set terminal svg size 900,430 background '#ffffff' font 'sans-serif,13' fixed name 'carom'
set output ARG2
set datafile separator ','
set border 31 lw 0.8
set tics nomirror

set multiplot layout 1,2

set title 'Motion until the bounces have died out'
set size ratio -1
set lmargin at screen 0.03
set rmargin at screen 0.47
unset xtics
unset ytics
set border 0
set xrange [-2.05:2.05]
set yrange [-0.15:3.35]
set key top left Left reverse samplen 2
bearing(h, a, b) = h - sin(a) - sin(a + b)
elbow_x(a) = cos(a)
tip_x(a, b) = cos(a) + cos(a + b)
set arrow 1 from -2.05,0 to 2.05,0 nohead lw 2 lc rgb '#777777'
# only flights: each row of the table is drawn as bearing to elbow and elbow to tip
flies(x) = strcol('phase') eq 'flight' ? x : NaN
plot table using (0):(flies(bearing(column('height'), column('q1'), column('q2')))):\
         (elbow_x(column('q1'))):(sin(column('q1'))) every 12 with vectors nohead lw 0.7 lc rgb '#9ec9e2' notitle, \
     '' using (elbow_x(column('q1'))):(flies(bearing(column('height'), column('q1'), column('q2')) + sin(column('q1')))):\
         (cos(column('q1') + column('q2'))):(sin(column('q1') + column('q2'))) every 12 with vectors nohead lw 0.7 lc rgb '#9ec9e2' notitle, \
     '' using (flies(tip_x(column('q1'), column('q2')))):(column('height')) with lines lw 1.8 lc rgb '#0072B2' title 'path of the tip', \
     '' using (0):(bearing(column('height'), column('q1'), column('q2'))) every ::0::0 with points pt 7 ps 0.7 lc rgb 'black' title 'bearing'

set title 'Energy'
unset arrow 1
set size noratio
set border 31 lw 0.8
set lmargin at screen 0.56
set rmargin at screen 0.98
set xtics
set ytics
set xrange [0:10]
set yrange [0:36]
set xlabel 'time'
set ylabel 'energy'
set key top right Left reverse samplen 3
plot table using (column('t')):(column('total')) with lines lw 2.4 lc rgb 'black' title 'total', \
     '' using (column('t')):(column('potential')) with lines lw 1.6 dt (9,6) lc rgb '#0072B2' title 'potential', \
     '' using (column('t')):(column('kinetic')) with lines lw 1.6 dt (4,4) lc rgb '#D55E00' title 'kinetic'
unset multiplot
