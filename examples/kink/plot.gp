# gnuplot -c plot.gp TABLE.csv OUT.svg
set terminal svg size 640,420 enhanced background rgb 'white' font 'Helvetica,13' name 'kink'
set output ARG2
set datafile separator ','
set xlabel 'coefficient of restitution e'
set ylabel 'sliding velocity after the impact'
set y2label 'its derivative by e'
set ytics nomirror
set y2tics
set key top left
plot ARG1 using 1:2 skip 1 with lines lw 2.5 lc rgb '#0072b2' title 'velocity v_{t1}', \
     ARG1 using 1:3 skip 1 axes x1y2 with lines lw 2 dt 2 lc rgb '#d55e00' title 'derivative (right axis)'
