# The rack and the velocities after the break: gnuplot -c billiard_break.gp TABLE.csv PICTURE.svg
table = ARG1
set encoding utf8
set terminal svg size 640,520 background '#ffffff' font 'sans-serif,13' fixed name 'carom'
set output ARG2
set datafile separator ','
set size ratio -1
set border 31 lw 0.8
set tics nomirror
set xlabel 'x (m)'
set ylabel 'y (m)'
set xrange [-0.13:0.4]
set yrange [-0.23:0.23]
set style fill solid 0.25
r = 0.028575
scale = 0.04 # seconds: how far a ball goes in this time
set label 'arrows: the way in 0.04 s' at graph 0.02,0.96 textcolor rgb '#666666'
plot table skip 1 every ::0::0 using 1:2:(r) with circles lc rgb '#D55E00' notitle, \
     '' skip 1 every ::1 using 1:2:(r) with circles lc rgb '#0072B2' notitle, \
     '' skip 1 using 1:2:($3*scale):($4*scale) with vectors filled head lw 1.8 lc rgb '#222222' notitle
