package portcullis.lang.template;

import org.junit.jupiter.api.Test;

/** Edge cases of functions that the corpora may lack. */
final class FunctionsTest {
  @Test
  void stringsAreBytes() {
    Rows.check("""
        {{ len "é世" }} {{ trunc 3 "é世" }} {{ trunc -3 "é世" }} {{ substr 2 5 "é世" }} => 5 é\ufffd 世 世
        {{ trunc 1 "é" | b64enc }} {{ b64dec "/w==" | quote }} {{ b64enc (b64dec "//79") }} => ww== "\\xff" //79
        [{{ cat " a" nil 1 "b " }}] [{{ cat nil }}] => [ a 1 b ] []
        {{ cat (trunc 1 "é") "x" | len }} {{ print (trunc 1 "é") (trunc -1 "é") }} => 3 é
        {{ initials "étoile b" }} {{ nospace "a\\u00a0b" }} {{ upper "ß ı" }} {{ lower "İ" }} => Ãb aÂb ß I i
        {{ title "it's a-b c_d" }} {{ untitle "Ab Cd" }} {{ swapcase "aB cD" }} => It'S A-B C_d ab cd Ab Cd
        {{ snakecase "HTTP2xx Bld4Floor aB" }} {{ kebabcase "XMLHttp_x" }} {{ camelcase "_a--b c" }} {{ camelcase \
        "GOLANG_x" }} => http_2xx_bld4_floor_a_b xml-http-x _A-BC GolangX
        {{ toJson (trunc 1 "é") }} {{ .s | trunc 2 | toJson }} => "\\ufffd" "te"
        {{ quote "a\\tb\\"\\u200b" 1 nil }} {{ squote "it's" }} {{ repeat 3 "ab" }} => "a\\tb\\"\\u200b" "1" 'it's' \
        ababab
        {{ replace "" "-" "ab" }} {{ indent 2 `a⏎b` }} {{ wrapWith 3 "|" "abcdefg hi" }} => -a-b-   a⏎  b abc|def|g|hi
        """);
  }

  @Test
  void numbersOfTheDataAreFloats() {
    Rows.check("""
        {{ .n }} {{ .f }} {{ .big }} {{ toJson .big }} {{ int64 .big }} {{ printf "%T" .n }} => 3 1.5 \
        9007199254740993 9007199254740993 9007199254740993 float64
        {{ list .big }} {{ quote .big }} {{ .big | printf "%.0f" }} {{ eq .big 9007199254740992.0 }} => \
        [9.007199254740992e+15] "9007199254740993" 9007199254740992 true
        {{ .huge }} {{ toJson .huge }} {{ quote .huge }} {{ printf "%v" .huge }} {{ printf "%T" .huge }} => \
        12345678901234567891 12345678901234567891 "12345678901234567891" 12345678901234567891 float64
        {{ list .huge }} {{ .huge | printf "%.0f" }} {{ int64 .huge }} {{ float64 .huge }} => \
        [1.2345678901234567e+19] 12345678901234567168 -9223372036854775808 1.2345678901234567e+19
        {{ toJson (dict "a" .huge) }} {{ eq .huge 12345678901234567890.0 }} {{ addf .huge 1 }} => \
        {"a":12345678901234567891} true 1.2345678901234567e+19
        {{ eq .n 3.0 }} {{ eq (int .n) 3 }} {{ add .n 1 }} {{ 1000000.0 }} {{ toJson 1e20 }} => true true 4 1e+06 \
        100000000000000000000
        {{ eq .n 3 }} => FAILS 1:4: `eq`: float64 and int cannot be compared: numbers of the data are float64, \
        compare them with numbers such as `42.0`
        {{ index .list .n }} => FAILS 1:4: `index`: a list is indexed by integers, not by float64
        {{ trunc .n "abcdef" }} => FAILS 1:10: expected int, found float64: convert it with `int`
        {{ range .n }}x{{ end }} => FAILS 1:10: range cannot go over float64
        {{ int "12.9" }} {{ int "0x1F" }} {{ int "08" }} {{ int "x" }} {{ int64 1e30 }} {{ atoi \
        "99999999999999999999" }} => 12 31 0 0 -9223372036854775808 9223372036854775807
        {{ addf 0.1 0.2 }} {{ divf 1 3 }} {{ round -123.5 0 }} {{ round 0.285 2 }} {{ floor -0.5 }} => 0.3 \
        0.3333333333333333 -124 0.28 -1
        {{ div 7 -2 }} {{ mod -7 3 }} {{ add 9223372036854775807 1 }} => -3 -1 -9223372036854775808
        """);
  }

  @Test
  void comparesListsAndMapsByTypeAndValue() {
    Rows.check("""
        {{ has 1 (list 1.0) }} {{ has "a" .list }} {{ uniq (list 1 1.0 "1" 1) }} {{ without .list "a" }} => false \
        true [1 1 1] [b c]
        {{ rest (list) | toJson }} {{ list | toJson }} {{ slice (list 1 2 3) 1 }} {{ chunk 2 (list 1 2 3) }} => null \
        [] [2 3] [[1 2] [3]]
        {{ typeOf (splitList "," "a") }} {{ typeOf (until 1) }} {{ typeOf (chunk 1 (list 1)) }} => []string []int \
        [][]interface {}
        {{ typeOf .list }} {{ typeOf .map }} {{ typeOf .Values }} {{ kindOf .Subject }} {{ kindOf now }} => \
        []interface {} map[string]interface {} map[string]string ptr struct
        {{ toJson (merge (dict "a" 0 "b" (dict "x" 1)) (dict "a" 1 "b" (dict "x" 2 "y" 3))) }} => \
        {"a":1,"b":{"x":1,"y":3}}
        {{ toJson (mergeOverwrite (dict "a" 1 "l" (list 1)) (dict "a" "" "l" (list 2))) }} => {"a":"","l":[2]}
        {{ dig "a" "x" "d" .map }} {{ dig "a" "z" "d" .map }} {{ get .map "no" }}| => y d |
        {{ keys .map | sortAlpha }} {{ pick .map "b" }} {{ omit .map "a" "b" }} {{ pluck "b" .map (dict) }} => [a b \
        k-k] map[b:2] map[k-k:1] [2]
        {{ get .Values "tenant" }} => FAILS 1:8: expected map[string]interface {}, found map[string]string
        {{ set .no "a" 1 }} => FAILS 1:4: `set`: there is no map to set `a` in
        {{ atIndex -1 .list }} {{ atIndex 0 (list) }} {{ first "x" }} => FAILS 1:50: `first`: string is not a list
        """);
  }

  @Test
  void runsRegularExpressionsOfRe2() {
    Rows.check("""
        {{ regexMatch "(" "x" }} {{ regexMatch "^a.c$" "abc" }} {{ regexFind "a??" "aa" }}| => false true |
        {{ regexReplaceAll "a(?P<n>x*)b" "axxb" "${n}-$1-$1W-$$-$" }} {{ regexReplaceAllLiteral "a" "a" "$0" }} => \
        xx-xx--$-$ $0
        {{ regexFindAll "a*" "baac" -1 | toJson }} {{ regexSplit "z+" "pizza" -1 }} {{ regexSplit "" "abc" 2 }} => \
        ["","aa",""] [pi a] [a bc]
        {{ regexReplaceAll "" "ab" "-" }} {{ regexReplaceAll "(?P<a>x)|(?P<a>y)" "xy" "<$a>" }} => -a-b- <x><y>
        {{ regexFind "(?=a)" "a" }} => FAILS 1:4: `regexFind`: invalid regular expression `(?=`: invalid or \
        unsupported Perl syntax
        {{ regexFind "((a{100}){100}){100}" "a" }} => FAILS 1:4: `regexFind`: the regular expression is too large
        {{ regexQuoteMeta "a.b[c]" }} => a\\.b\\[c\\]
        """);
  }

  @Test
  void writesTimesInGoLayouts() {
    Rows.check("""
        {{ date "Mon Jan _2 15:04:05 2006 MST Z07:00 .000 __2" 0 }} => Thu Jan  1 00:00:00 1970 UTC Z .000   1
        {{ dateInZone "2006-01-02 15:04 MST -0700" 1690000000 "America/New_York" }} {{ dateInZone "MST" 0 "No/Such" \
        }} => 2023-07-22 00:26 EDT -0400 UTC
        {{ range list "Asia/Kolkata" "America/Sao_Paulo" "Etc/GMT+5" "+05:00" "UTC" "" }}{{ dateInZone "15:04 MST|" 0 \
        . }}{{ end }} => 05:30 IST|21:00 -03|19:00 -05|00:00 UTC|00:00 UTC|00:00 UTC|
        {{ toDate "2006-01-02T15:04:05Z07:00" "2024-02-29T12:00:00.5+02:00" }} => 2024-02-29 12:00:00.5 +0200 +0200
        {{ (toDate "2006-01-02" "2024-01-31").AddDate 0 1 0 | date "2006-01-02" }} => 2024-03-02
        {{ $d := toDate "2006-01-02 MST" "2024-01-01 CEST" }}{{ $d }} {{ $d.Month }} {{ $d.Weekday }} {{ $d.Unix }} \
        => 2024-01-01 00:00:00 +0000 CEST January Monday 1704067200
        {{ toDate "2006-01-02" "2023-02-29" }} {{ kindOf (now.Sub now) }} {{ now.Location }} => 0001-01-01 00:00:00 \
        +0000 UTC int64 UTC
        {{ duration "3661" }} {{ duration 3661 }} {{ durationRound "26h" }} {{ (toDate "2006" "2024").Add 1500000 }} \
        => 1h1m1s 0s 1d 2024-01-01 00:00:00.0015 +0000 UTC
        {{ toDate "2006-01-02" "2024-01-31" | dateModify "-1.5h" | date "15:04 PM pm 3 03" }} => 22:30 PM pm 10 10
        {{ mustToDate "2006-01-02" "x" }} => FAILS 1:4: `mustToDate`: the time does not match its layout at character 1
        """);
  }

  @Test
  void parsesStrictly() {
    Rows.check("""
        {{ urlParse "https://u:p%20s@h:8/a%2Fb?x#f" }} => map[fragment:f host:h:8 hostname:h opaque: path:/a/b \
        query:x scheme:https userinfo:u:p%20s]
        {{ urlJoin (dict "scheme" "s" "host" "h" "path" "a b" "query" "q") }} {{ urlenc "a b~é" }} {{ urlenc 1 }}| => \
        s://h/a%20b?q a+b~%C3%A9 |
        {{ urlParse "http://a b/" }} => FAILS 1:4: `urlParse`: the URL has an invalid character in its host
        {{ semverCompare "^1.2 || >=3.0-0 <4" "3.1.0-a" }} {{ semverCompare ">=1.0" "1.5.0-a" }} {{ (semver \
        "v1.2-rc.1").IncPatch }} => true false 1.2.0
        {{ b64dec "aGk" }} {{ b32dec "NBSWY3DP" }} {{ b32enc "hi" }} {{ adler32sum "abc" }} => illegal base64 data at \
        input byte 0 hello NBUQ==== 38600999
        {{ clean "/a/../../b/./c" }} {{ base "/" }} {{ dir "a" }} {{ ext ".x.y" }} {{ isAbs "/a" }} => /b/c / . .y true
        {{ fromJson "{\\"b\\":[1,{}],\\"a\\":null}" | toPrettyJson }} => {⏎  "a": null,⏎  "b": [⏎    1,⏎    {}⏎  ]⏎}
        {{ fromJson "{" }} {{ toJson (float64 "NaN") }}| {{ html "<a>'\\"" }} {{ js "a'<=" }} => <no value> | \
        &lt;a&gt;&#39;&#34; a\\'\\u003C\\u003D
        {{ default "d" .empty }} {{ coalesce .no .empty 0 "x" }} {{ ternary 1 2 .yes }} {{ empty (dict) }} => d x 1 true
        {{ encryptAES "k" "plain" | decryptAES "k" }} {{ uuidv4 | len }} {{ randAlphaNum 5 | len }} => plain 36 5
        """);
  }
}
