# Energy ratios of all impacts, sorted: gnuplot -c plot.gp TABLE.csv PICTURE.svg
table = ARG1
set encoding utf8
set terminal svg size 720,430 background '#ffffff' font 'sans-serif,13' fixed name 'carom'
set output ARG2
set datafile separator ','
set border 31 lw 0.8
set tics nomirror
set title '1000 box corners on a plane, e = 1, μ = 0.8'
set xlabel 'impacts, sorted by what is left of the energy'
set ylabel 'energy after / energy before'
set xrange [0:1000]
set yrange [0:2]
set key top left Left reverse samplen 3
set object 1 rectangle from graph 0, first 1 to graph 1, first 2 behind fillcolor rgb '#fbeae2' fillstyle solid noborder
set label 1 'energy from nothing' at 480,1.5 center textcolor rgb '#a33f00'
plot table using (column('rank')):(column('step')) with lines lw 2 dt (9,6) lc rgb '#D55E00' title 'ODE, dWorldStep', \
     '' using (column('rank')):(column('quick_step')) with lines lw 2 dt (4,4) lc rgb '#CC79A7' title 'ODE, dWorldQuickStep', \
     '' using (column('rank')):(column('carom')) with lines lw 2.6 lc rgb '#0072B2' title 'carom'
