package portcullis.lang.template;

import org.junit.jupiter.api.Test;

/** {@code printf} and how values print. */
final class FormatTest {
  @Test
  void formatsVerbsAndFlagsAsGo() {
    Rows.check("""
        {{ printf "%5d|%-5d|%05d|%+d|% d|%x|%X|%o|%O|%b|%c|%q|%U" 42 42 -42 42 42 255 255 8 8 5 65 65 65 }} =>    \
        42|42   |-0042|+42| 42|ff|FF|10|0o10|101|A|'A'|U+0041
        {{ printf "%#x %#o %#b %#U %.3d %x" 255 8 5 128512 7 -255 }} => 0xff 010 0b101 U+1F600 '😀' 007 -ff
        {{ printf "%f|%.2f|%8.3f|%-8.1f|%08.2f|%+.1e|%g|%G|%x" 1.5 2.345 1.0 1.0 -1.5 12345.678 1e21 1e-7 1.5 }} => \
        1.500000|2.35|   1.000|1.0     |-0001.50|+1.2e+04|1e+21|1E-07|0x1.8p+00
        {{ printf "%.0f %.0f %.0f %.3g %.10g %#g %#.3g" 0.5 1.5 2.5 100000.0 100000.0 1.0 1.0 }} => 0 2 2 1e+05 \
        100000 1.00000 1.00
        {{ printf "%s|%10s|%-10s|%.2s|%q|%+q|%#q|%x|% x|%#x" "é" "é" "é" "été" "é" "é" "é" "é" "é" "é" }} => é\
        |         é|é         |ét|"é"|"\\u00e9"|`é`|c3a9|c3 a9|0xc3a9
        {{ printf "%v %+v %#v %T" .map .list .list .f }} => map[a:map[x:y] b:2 k-k:1] [a b c] []interface {}{"a", \
        "b", "c"} float64
        {{ printf "%d|%s|%z|%t|%" "x" 1 2 true }} => %!d(string=x)|%!s(int=1)|%!z(int=2)|true|%!(NOVERB)
        {{ printf "%d %d" 1 }} {{ printf "%d" 1 2 "x" nil }} => 1 %!d(MISSING) 1%!(EXTRA int=2, string=x, <nil>)
        {{ printf "%[2]s %[1]s" "a" "b" }} {{ printf "%[3]d" 1 }} {{ printf "%*d|%-*d|%.*f" 4 1 3 2 1 3.14159 }} => b \
        a %!d(BADINDEX)    1|2  |3.1
        {{ printf "%v %d %s %#v" nil nil .no nil }} {{ printf "%s" (list nil 1) }} => <nil> %!d(<nil>) %!s(<nil>) \
        <nil> [<nil> %!s(int=1)]
        {{ printf "%6.2f%%|%5t|%5v|%-5v|" 12.3456 true 1 2 }} =>  12.35%| true|    1|2    |
        {{ $m := (toDate "2006" "2024").Month }}{{ printf "%v %s %d %03d" $m $m $m $m }} => January January 1 001
        """);
  }

  @Test
  void printsValuesAsGo() {
    Rows.check("""
        {{ list 1 "a" nil 1.5 true (list) (dict "k" nil) }} => [1 a <nil> 1.5 true [] map[k:<nil>]]
        {{ print 1 2 "a" 3 4 }} {{ println "a" 1 }}| {{ print nil }} => 1 2a3 4 a 1⏎| <nil>
        {{ .Subject }} {{ list .Subject }} => subject alice [subject alice]
        {{ 1e6 }} {{ 123456.0 }} {{ 1e-5 }} {{ 5e-324 }} {{ 1e100 }} {{ 0.1 }} {{ -0.0 }} => 1e+06 123456 1e-05 \
        5e-324 1e+100 0.1 -0
        """);
  }
}
