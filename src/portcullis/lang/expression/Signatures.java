package portcullis.lang.expression;

/**
 * What can be called, one overload a line: {@code name(arguments) result}. {@code this} stands before the argument that
 * is written in front of the name; {@code A}, {@code B} are any types. Which lines apply is decided as cel-go does it,
 * so their order matters: what is not known yet becomes what the first line that applies makes of it.
 */
final class Signatures {
  private Signatures() {}

  static final String OPERATORS = """
      _?_:_(bool, A, A) A
      _&&_(bool, bool) bool
      _||_(bool, bool) bool
      !_(bool) bool
      _==_(A, A) bool
      _!=_(A, A) bool
      _<_(bool, bool) bool
      _<_(int, int) bool
      _<_(int, double) bool
      _<_(int, uint) bool
      _<_(uint, uint) bool
      _<_(uint, double) bool
      _<_(uint, int) bool
      _<_(double, double) bool
      _<_(double, int) bool
      _<_(double, uint) bool
      _<_(string, string) bool
      _<_(bytes, bytes) bool
      _<_(timestamp, timestamp) bool
      _<_(duration, duration) bool
      _+_(bytes, bytes) bytes
      _+_(double, double) double
      _+_(duration, duration) duration
      _+_(duration, timestamp) timestamp
      _+_(timestamp, duration) timestamp
      _+_(int, int) int
      _+_(list(A), list(A)) list(A)
      _+_(string, string) string
      _+_(uint, uint) uint
      _-_(double, double) double
      _-_(duration, duration) duration
      _-_(int, int) int
      _-_(timestamp, duration) timestamp
      _-_(timestamp, timestamp) duration
      _-_(uint, uint) uint
      _*_(double, double) double
      _*_(int, int) int
      _*_(uint, uint) uint
      _/_(double, double) double
      _/_(int, int) int
      _/_(uint, uint) uint
      _%_(int, int) int
      _%_(uint, uint) uint
      -_(double) double
      -_(int) int
      _[_](list(A), int) A
      _[_](map(A, B), A) B
      @in(A, list(A)) bool
      @in(A, map(A, B)) bool
      @in(string, networks) bool
      @in(list(string), networks) bool
      """;

  static final String CONVERSIONS = """
      dyn(A) dyn
      type(A) type(A)
      bool(bool) bool
      bool(string) bool
      bytes(bytes) bytes
      bytes(string) bytes
      double(double) double
      double(int) double
      double(string) double
      double(uint) double
      duration(duration) duration
      duration(string) duration
      int(int) int
      int(double) int
      int(duration) int
      int(string) int
      int(timestamp) int
      int(uint) int
      string(string) string
      string(bool) string
      string(bytes) string
      string(double) string
      string(duration) string
      string(int) string
      string(timestamp) string
      string(uint) string
      timestamp(timestamp) timestamp
      timestamp(int) timestamp
      timestamp(string) timestamp
      uint(uint) uint
      uint(double) uint
      uint(int) uint
      uint(string) uint
      """;

  static final String TEXTS = """
      contains(this string, string) bool
      startsWith(this string, string) bool
      endsWith(this string, string) bool
      matches(string, string) bool
      matches(this string, string) bool
      charAt(this string, int) string
      indexOf(this string, string) int
      indexOf(this string, string, int) int
      lastIndexOf(this string, string) int
      lastIndexOf(this string, string, int) int
      join(this list(string)) string
      join(this list(string), string) string
      lowerAscii(this string) string
      upperAscii(this string) string
      replace(this string, string, string) string
      replace(this string, string, string, int) string
      split(this string, string) list(string)
      split(this string, string, int) list(string)
      substring(this string, int) string
      substring(this string, int, int) string
      trim(this string) string
      reverse(this string) string
      format(this string, list(dyn)) string
      strings.quote(string) string
      regexFind(this string, string) string
      regexFindAll(this string, string) list(string)
      base64.encode(bytes) string
      base64.decode(string) bytes
      json.encode(dyn) string
      """;

  static final String LISTS = """
      size(bytes) int
      size(list(A)) int
      size(map(A, B)) int
      size(string) int
      size(this bytes) int
      size(this list(A)) int
      size(this map(A, B)) int
      size(this string) int
      last(this list(A)) A
      at(this list(A), int) A
      slice(this list(A), int, int) list(A)
      flatten(this list(list(A))) list(A)
      flatten(this list(dyn), int) list(dyn)
      distinct(this list(A)) list(A)
      reverse(this list(A)) list(A)
      sort(this list(int)) list(int)
      sort(this list(uint)) list(uint)
      sort(this list(double)) list(double)
      sort(this list(bool)) list(bool)
      sort(this list(duration)) list(duration)
      sort(this list(timestamp)) list(timestamp)
      sort(this list(string)) list(string)
      sort(this list(bytes)) list(bytes)
      @sortBy(this list(A), list(int)) list(A)
      @sortBy(this list(A), list(uint)) list(A)
      @sortBy(this list(A), list(double)) list(A)
      @sortBy(this list(A), list(bool)) list(A)
      @sortBy(this list(A), list(duration)) list(A)
      @sortBy(this list(A), list(timestamp)) list(A)
      @sortBy(this list(A), list(string)) list(A)
      @sortBy(this list(A), list(bytes)) list(A)
      lists.range(int) list(int)
      sets.contains(list(A), list(A)) bool
      sets.equivalent(list(A), list(A)) bool
      sets.intersects(list(A), list(A)) bool
      networks(string) networks
      networks(list(string)) networks
      """;

  static final String NUMBERS = """
      math.@max(double) double
      math.@max(int) int
      math.@max(uint) uint
      math.@max(double, double) double
      math.@max(int, int) int
      math.@max(uint, uint) uint
      math.@max(int, uint) dyn
      math.@max(int, double) dyn
      math.@max(double, int) dyn
      math.@max(double, uint) dyn
      math.@max(uint, int) dyn
      math.@max(uint, double) dyn
      math.@max(list(double)) double
      math.@max(list(int)) int
      math.@max(list(uint)) uint
      math.ceil(double) double
      math.floor(double) double
      math.round(double) double
      math.trunc(double) double
      math.abs(double) double
      math.abs(int) int
      math.abs(uint) uint
      math.sign(double) double
      math.sign(int) int
      math.sign(uint) uint
      math.sqrt(double) double
      math.sqrt(int) double
      math.sqrt(uint) double
      math.isNaN(double) bool
      math.isInf(double) bool
      math.isFinite(double) bool
      math.bitAnd(int, int) int
      math.bitAnd(uint, uint) uint
      math.bitOr(int, int) int
      math.bitOr(uint, uint) uint
      math.bitXor(int, int) int
      math.bitXor(uint, uint) uint
      math.bitNot(int) int
      math.bitNot(uint) uint
      math.bitShiftLeft(int, int) int
      math.bitShiftLeft(uint, int) uint
      math.bitShiftRight(int, int) int
      math.bitShiftRight(uint, int) uint
      """;

  static final String TIMES = """
      getFullYear(this timestamp) int
      getMonth(this timestamp) int
      getDayOfYear(this timestamp) int
      getDate(this timestamp) int
      getDayOfMonth(this timestamp) int
      getDayOfWeek(this timestamp) int
      getHours(this timestamp) int
      getMinutes(this timestamp) int
      getSeconds(this timestamp) int
      getMilliseconds(this timestamp) int
      getFullYear(this timestamp, string) int
      getMonth(this timestamp, string) int
      getDayOfYear(this timestamp, string) int
      getDate(this timestamp, string) int
      getDayOfMonth(this timestamp, string) int
      getDayOfWeek(this timestamp, string) int
      getHours(this timestamp, string) int
      getMinutes(this timestamp, string) int
      getSeconds(this timestamp, string) int
      getMilliseconds(this timestamp, string) int
      getHours(this duration) int
      getMinutes(this duration) int
      getSeconds(this duration) int
      getMilliseconds(this duration) int
      """;

  /** The functions of {@code Request} and {@code Request.URL}. */
  static final String OBJECTS = """
      Header(this heimdall.Request, string) string
      Cookie(this heimdall.Request, string) string
      Body(this heimdall.Request) dyn
      String(this heimdall.URL) string
      Query(this heimdall.URL) map(string, list(string))
      Hostname(this heimdall.URL) string
      Port(this heimdall.URL) string
      """;

  static final String VARIABLES = """
      Request dyn
      Subject dyn
      Payload dyn
      Outputs map(string, dyn)
      Values map(string, dyn)
      Error error
      """;
}
