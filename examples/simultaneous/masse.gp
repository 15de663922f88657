# The ball's path after the massé shot, from above: gnuplot -c masse.gp TABLE.csv PICTURE.svg
table = ARG1
set encoding utf8
set terminal svg size 1080,470 background '#ffffff' font 'sans-serif,13' fixed name 'carom'
set output ARG2
set datafile separator ','
set border 31 lw 0.8
set tics nomirror
set size ratio -1
set xlabel 'x (m)'
set ylabel 'y (m)'
set grid lt 1 lw 0.5 lc rgb '#dddddd'
of(name, y) = strcol('path') eq name ? column(y) : NaN
line(name, style, title) = sprintf("table using (of('%s','x')):(of('%s','y')) with lines %s title '%s'", name, name, style, title)

set multiplot layout 1,2 margins 0.08,0.985,0.12,0.92 spacing 0.06,0.1
set title 'Measured, printed and predicted'
set xrange [-2.4:0.1]
set yrange [-1.5:1]
set key top left Left reverse samplen 3 spacing 1.2
eval 'plot '.line('measured', "lw 2.6 lc rgb '#000000'", 'from the measured velocities (56)').', '.line('printed', "lw 2.2 dt (6,4) lc rgb '#888888'", 'printed prediction (57)').', '.line('7', "lw 2.4 lc rgb '#D55E00'", 'exact, η_1^2 = 7 as in the paper').', '.line('1', "lw 2.4 lc rgb '#0072B2'", 'exact, η_1^2 = 1')
set title 'Exact, with the stiffness ratio η_1^2 at the cue'
set ylabel ' '
set key bottom right Right noreverse
eval 'plot '.line('measured', "lw 2.6 lc rgb '#000000'", 'measured').', '.line('1', "lw 2 lc rgb '#0072B2'", '1').', '.line('2', "lw 2 lc rgb '#56B4E9'", '2').', '.line('3', "lw 2 lc rgb '#009E73'", '3').', '.line('4', "lw 2 lc rgb '#B8A800'", '4').', '.line('5', "lw 2 lc rgb '#E69F00'", '5').', '.line('6', "lw 2 lc rgb '#CC79A7'", '6').', '.line('7', "lw 2 lc rgb '#D55E00'", '7')
unset multiplot
