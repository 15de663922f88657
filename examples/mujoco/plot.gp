# Energy of both simulations: gnuplot -c plot.gp TABLE.csv PICTURE.svg
table = ARG1
set encoding utf8
set terminal svg size 720,430 background '#ffffff' font 'sans-serif,13' fixed name 'carom'
set output ARG2
set datafile separator ','
set border 31 lw 0.8
set tics nomirror
set title 'Two links fall on a floor'
set xlabel 'time, s'
set ylabel 'energy, J'
set key top right samplen 3
plot table using (column('time')):(column('mujoco')) with lines lw 2 dt (9,6) lc rgb '#D55E00' title "MuJoCo's soft contact", \
     '' using (column('time')):(column('carom')) with lines lw 2.6 lc rgb '#0072B2' title 'carom, e = 0.8'
