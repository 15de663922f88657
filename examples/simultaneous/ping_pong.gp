# Velocities of the two ping-pong balls after the collision over the unknown ratio of stiffnesses:
# gnuplot -c ping_pong.gp TABLE.csv PICTURE.svg
table = ARG1
set encoding utf8
set terminal svg size 760,420 background '#ffffff' font 'sans-serif,13' fixed name 'carom'
set output ARG2
set datafile separator ','
set border 31 lw 0.8
set tics nomirror
set grid lt 1 lw 0.5 lc rgb '#dddddd'
set logscale x
set xrange [0.1:100]
set yrange [0:1]
set xlabel 'k_2/k_1, block over balls'
set ylabel 'speed after, over the speed before'
set key at graph 0.98,0.55 Left reverse samplen 3
do for [ratio in '2.25 2.7'] {
    set arrow from first ratio, graph 0 to first ratio, graph 1 nohead lw 1.2 dt (4,4) lc rgb '#888888'
}
set label 'guessed: 2.25 and 2.7' at first 2.1, graph 0.06 right textcolor rgb '#666666'
plot table using (column('ratio')):(column('v1')) with lines lw 2.4 lc rgb '#0072B2' title 'upper ball, v_1/|v_0|', \
     '' using (column('ratio')):(column('v2')) with lines lw 2.4 lc rgb '#D55E00' title 'lower ball, v_2/|v_0|'
