package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Expected;
import portcullis.lang.address.Address;
import portcullis.lang.address.Network;
import portcullis.lang.value.ParseBudget;

/** What the parts of a message are read as, at the edges of their grammars above all. */
class MessageTablesTest {
  private interface Reader {
    Object read(String input) throws ResponseStatusException;
  }

  private static void assertTable(String section, Reader reader, String... inputs) {
    Expected.assertSection("messages.txt", section, Stream.of(inputs)
        .map(input -> shown(input) + " | " + shown(result(reader, input))).collect(Collectors.joining("\n")));
  }

  private static String result(Reader reader, String input) {
    try {
      Object out = reader.read(input);
      return out instanceof Optional<?> optional ? optional.map(Object::toString).orElse("-") : out.toString();
    } catch (ResponseStatusException refusal) {
      return refusal.status() + " " + refusal.getMessage();
    }
  }

  /** With escapes for what is not printable ASCII. */
  private static String shown(String text) {
    return text.chars().mapToObj(c -> c < ' ' || c > '~' ? "\\u%04x".formatted(c) : Character.toString(c))
        .collect(Collectors.joining());
  }

  /** The characters of which something holds, as {@code - 0-9 A-Z}. */
  private static String characters(IntPredicate holds) {
    StringBuilder out = new StringBuilder();
    for (int c = 0; c < 0x300; c++) {
      if (holds.test(c)) {
        int from = c;
        while (c < 0x300 && holds.test(c)) {
          c++;
        }
        out.append(out.isEmpty() ? "" : " ").append(shown(Character.toString(from)))
            .append(c - from > 1 ? "-" + shown(Character.toString(c - 1)) : "");
      }
    }
    return out.toString();
  }

  @Test
  void characterClasses() {
    String lines = Stream.of(
        "token: " + characters(c -> Grammar.isTokenCharacter((char) c)),
        "field value: " + characters(c -> Grammar.isFieldValue("a" + (char) c + "a")),
        "end of a field value: " + characters(c -> Grammar.isFieldValue("a" + (char) c)),
        "begin of a field value: " + characters(c -> Grammar.isFieldValue((char) c + "a")),
        "path: " + characters(c -> Escapes.isPathCharacter((char) c)),
        "unreserved: " + characters(c -> c < 256 && Escapes.isUnreserved(c)),
        "same if escaped: " + characters(c -> c < 256 && Escapes.isSameEscaped(c)),
        "escaped in a path: " + characters(c -> Escapes.path(Character.toString(c)).length() > 1),
        "begin of a host: " + characters(c -> Authority.parse((char) c + "a").isPresent()),
        "within a host: " + characters(c -> Authority.parse("a" + (char) c + "1").isPresent()),
        "target: " + characters(c -> isRead(() -> Target.readOrigin("/" + (char) c))),
        "path of a request: " + characters(c -> isRead(() -> RequestPath.read("/a" + (char) c + "b"))),
        "escape in a path of a request: "
            + characters(c -> c < 256 && isRead(() -> RequestPath.read("/a%%%02x".formatted(c)))),
        "value of a cookie: " + characters(c -> Cookies.pair("a", "b" + (char) c + "b").isPresent()),
        "quoted value of a cookie: "
            + characters(c -> Cookies.pair("a", "b" + (char) c + "b").orElse("").endsWith("\"")),
        "ignored before the name of a cookie: "
            + characters(c -> CookieNames.of(List.of("user")).covers((char) c + "user")),
        "ignored behind the name of a cookie: "
            + characters(c -> CookieNames.of(List.of("user")).covers("user" + (char) c)),
        "same as an underscore in a field: " + characters(c -> NameSet.areSame("a_b", "a" + (char) c + "b")))
        .collect(Collectors.joining("\n"));
    Expected.assertSection("messages.txt", "character classes", lines);
  }

  private interface Read {
    void run() throws ResponseStatusException;
  }

  private static boolean isRead(Read read) {
    try {
      read.run();
      return true;
    } catch (ResponseStatusException _) {
      return false;
    }
  }

  @Test
  void authorities() {
    assertTable("authorities", text -> Authority.parse(text).map(a -> a + " host " + a.host() + " port " + a.port()
        + " http " + a.comparable("http") + " https " + a.comparable("https") + " ws " + a.comparable("ws") + " lower "
        + a.lower()),
        "", "a", "A.Test", "a.test.", ".a", "a..b", "-a", "_a", "a-", "a_b", "a:", "a:0", "a:1", "a:080", "a:80",
        "a:443", "A:00443", "a:65535", "a:65536", "a:99999", "a:123456", "a:-1", "a:x", "a:80:80", "[::1]", "[::1]:80",
        "[::1]80", "[::1", "[]", "[1.2.3.4]", "[::1%25lo]", "[x]", "1.2.3.4", "u@a", "a b", "a,b",
        "a".repeat(261), "a".repeat(262));
  }

  @Test
  void targets() {
    String[] inputs = {"*", "/", "/a?b", "/a?", "//a", "", "a", "http://a.test/x", "HTTP://A.test:80",
      "http://a.test?q",
      "https://a.test:443/x", "https://a.test:80/x", "http://b.test/", "http:///", "ftp://a.test/", "://a.test/",
      "http://a.test:x/", "/a#b", "/a b", "http://a.test/a?b?c"};
    for (String method : List.of("GET", "OPTIONS")) {
      assertTable("targets of " + method, raw -> Target.read(raw, method, Authority.parse("A.test")), inputs);
    }
    assertTable("targets without host", raw -> Target.read(raw, "GET", Optional.empty()), "/", "http://a.test/");
    assertTable("forwarded targets", Target::readForwarded, inputs);
    assertTable("origin targets", Target::readOrigin, inputs);
    assertTable("targets in logs", raw -> Target.readOrigin(raw).text(), "/a%20b%2Fc", "/%zz?a%20");
  }

  @Test
  void urlsOfRequests() {
    InetAddress peer = Address.parse("127.0.0.1").orElseThrow();
    assertTable("urls of requests", url -> {
      ValidRequest incoming = ValidRequest.of("GET", url, Fields.of("Host", "other", "A", "b"), peer, new byte[0]);
      assertEquals(Fields.NONE, incoming.trailers().get());
      return incoming.target() + " " + incoming.host() + " " + incoming.scheme() + " " + incoming.fields();
    }, "http://a.test", "https://a.test/x?y", "http://A.test:81?y=1", "http://a.test#f", "http://a.test/x#f", "a.test",
        "/a", "ftp://a", "http://", "https:///x", "http://a:0/");
    assertTable("methods of requests",
        method -> ValidRequest.of(method, "http://a", Fields.NONE, peer, new byte[0]).method(), "GET", "", "A B",
        "x-y");
  }

  @Test
  void typesOfMedia() {
    assertTable("media types", MediaType::parse, "", "/", "a/b", "A/B; C=d; e=\"f;g\"", "a", "a/", "/b", "a/b/c",
        "a/b;",
        "a/b;c", "a/b;c=", "a/b; =d", "a/b;c=d;C=e", ";a/b", "a b/c", "a/b;c=\"d", "*/*;q=0.5", " a/b ");
    assertTable("accepted types", accept -> Accept.best(List.of("text/html", "application/json", "text/plain"),
        Fields.of("Accept", accept)), "", " ", "*/*", "text/*", "text/plain", "TEXT/PLAIN",
        "application/json, text/html",
        "text/html;q=0.5, text/plain;q=0.6", "text/html;q=0.500, text/plain;q=0.5", "text/*;q=0.1, text/html;q=0",
        "*/*;q=0.1, text/*;q=0", "text/html;q=0, */*", "image/png", "image/*", "*/html", "text/html;q=1.001",
        "text/html;q=1.000", "text/html;q=0.0001", "text/html;q=", "text/html;q=.5", "text/html;q=2", "text/html;q=0.",
        "text/html;q=1.", "text/html;q=00", "text/html;q=0,5", "text/html;q=a", "text/html;q=0.a", "text/html;q=0/1",
        "text/html;q=0.:", "nothing", "text/html, bad", "application/json;q=0.999, text/plain;q=1");
    assertTable("formats of bodies", type -> BodyFormat.of(type).map(f -> f == BodyFormat.JSON ? "JSON" : "form"),
        "application/json", "APPLICATION/vnd.api+JSON; charset=utf-8", "application/x-www-form-urlencoded",
        "text/plain", "text/plain; a=json", "");
    assertTable("types of calls", type -> GrpcCall.is(Fields.of("Content-Type", type)), "application/grpc",
        "application/grpc+proto", "application/grpc;a=b", "application/grpc x", "application/grpc-web",
        "application/grpcx", "text/plain");
  }

  @Test
  void addresses() {
    assertTable("addresses", text -> Address.parse(text).map(AddressText::of), "1.2.3.4", "::", "::1", "1::",
        "1:0:0:2::3",
        "1:0:0:2:0:0:0:3", "1:0:2:0:3:0:4:5", "2001:DB8::A", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "0:0:1::",
        "1:2:3:4:5:6:7:0", "1:2:3:4:5:6::");
    assertTable("clients of X-Forwarded-For", line -> ForwardedChain.forwardedFor(List.of(line, "9.9.9.9")), "1.1.1.1",
        "1.1.1.1, ::1", "", "1.1.1.1, x, 2.2.2.2", "unknown", "1.1.1.1:80", "[::1]");
    assertTable("clients of Forwarded", line -> ForwardedChain.forwarded(List.of(line)), "", "for=1.1.1.1",
        "For=1.1.1.1;proto=http, for=\"[::1]\"", "for=unknown, for=_x, for=2.2.2.2", "for=UNKNOWN",
        "for=1.1.1.1;for=2.2.2.2", "for=\"::1\"", "for=\"[1.1.1.1]\"", "for=\"1.1.1.1:80\"", "for=[::1]", "for", "=a",
        "for=", "for=\"1.1.1.1", "proto=http", "for=1.1.1.1; ;by=x", "for=\"[::1\"", "for=\"::1]\"", "a b=c");
  }

  @Test
  void namesOfFields() {
    NameSet ours = NameSet.of(List.of("X-User"));
    assertTable("families of fields", name -> Stream.of(
        ForwardedFamily.has(name) ? "forwarded" : "", ForwardedFamily.endsHere(name) ? "written again" : "",
        Forwarding.isContinued(name) ? "continued" : "",
        ConnectionFields.isConnectionSpecific(name) ? "connection" : "",
        ConnectionFields.isWrittenByConnection(name) ? "framing" : "", ConnectionFields.endsHere(name) ? "ends" : "",
        ConnectionFields.isReadAlike(name) ? "alike" : "", ours.has(name) ? "ours" : "",
        Trailers.passedOn(Fields.of(name, "a"), ours).isEmpty() ? "no trailer" : "").filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", ")),
        "Forwarded", "forwarded", "FORWARDED", "Forwarde", "Forwardeds", "X-Forwarded-For", "X_Forwarded_For",
        "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Method", "X-Forwarded-Uri", "X-Forwarded-Path",
        "X-Forwarded-Port", "X.Forwarded.Port", "X-Forwarded-", "X-Forwarded", "X-Original-Url", "x_original_method",
        "X-Original", "X-Rewrite-Url", "X.Rewrite.Url", "X-Rewrite-Uri", "Y-Forwarded-For", "Upgrade", "Connection",
        "Keep-Alive", "Keep_Alive", "Proxy-Connection", "Transfer-Encoding", "Transfer_Encoding", "TE", "Te", "Trailer",
        "Content-Length", "Content_Length", "content.length", "HTTP2-Settings", "HTTP2_Settings", "Proxy-Authenticate",
        "Proxy_Authenticate", "Proxy-Authorization", "Proxy_Authorization", "Proxy", "proxy", "Content-Type",
        "Content_Type", "content-type", "Content-Encoding", "Content_Encoding", "Content-Range", "Host",
        "Authorization",
        "WWW-Authenticate", "Cookie", "Set-Cookie", "Expect", "Cache-Control", "Max-Forwards", "Pragma", "Range", "Age",
        "Expires", "Location", "Retry-After", "Vary", "X-User", "x_user", "X.USER", "X-Users", "XUser", "X-Checksum",
        "Via", "a", "ab", "abcdefg", "abcdefghij", "abcdefghijklmn", "abcdefghijklmnop", "abcdefghijklmnopq",
        "abcdefghijklmnopqr", "abcdefghijklmnopqrs");
    String longest = "x".repeat(70);
    assertTable("sets of names", name -> NameSet.of(List.of(longest, "a", "B-c")).has(name), longest, "x".repeat(63),
        "x".repeat(71), "A", "b_C", "b", "bc", "");
  }

  @Test
  void fieldsOfAConnection() {
    assertTable("fields of a request that go on", text -> ConnectionFields.endToEndOfRequest(fields(text)),
        "A: 1", "A: 1|Connection: a, Host|Host: h|B: 2", "TE: trailers, gzip", "TE: Trailers", "TE: gzip", "TE:",
        "A: 1|TE: trailers|A: 2", "Connection: b|Connection: c|B: 1|C: 2|D: 3", "Content_Length: 5|Content-Length: 6",
        "Upgrade: x|Proxy: y|Keep-Alive: z");
    assertTable("protocols of upgrades", text -> ConnectionFields.upgrade(fields(text)), "Upgrade: chat",
        "Upgrade: websocket|Connection: upgrade", "Upgrade: chat/2|Connection: a, Upgrade",
        "Upgrade: a|Upgrade: b|Connection: upgrade", "Upgrade: a/b/c|Connection: upgrade", "Connection: upgrade",
        "Upgrade: h2c|Connection: upgrade", "Upgrade: H2|Connection: upgrade", "Upgrade: HTTP/2.0|Connection: upgrade",
        "Upgrade: TLS/1.0|Connection: upgrade", "Upgrade: httpx|Connection: upgrade", "Upgrade:|Connection: upgrade",
        "Upgrade: chat|Connection: upgrade|Content-Length: 0", "Upgrade: chat|Connection: upgrade|Content-Length: 1",
        "Upgrade: chat|Connection: upgrade|Transfer-Encoding: chunked");
    assertTable("lengths", text -> ConnectionFields.contentLength(fields(text)), "A: 1", "Content-Length: 0",
        "Content-Length: 12", "Content-Length: 1|Content-Length: 1", "Content-Length: -1", "Content-Length:",
        "Content-Length: 123456789012345678", "Content-Length: 1234567890123456789", "Content-Length: 1a");
    assertTable("values of a field", text -> fields(text).joined("a") + " " + fields(text).first("A") + " "
        + fields(text).all("a") + " " + fields(text).count("a") + fields(text).has("a") + " "
        + fields(text).without("a") + " " + fields(text).with("Z", "9").size(), "A: 1", "B: 1", "a: 1|B: 2|A: 3",
        "B: 1|A: 2", "A: 1|A: 2");
  }

  private static Fields fields(String text) {
    return Fields.of(Stream.of(text.split("\\|")).flatMap(line -> Stream.of(line.split(":", 2)).map(String::strip))
        .toArray(String[]::new));
  }

  @Test
  void valuesOfFields() {
    assertTable("lists", Grammar::list, "", " ", "a", " a , b,,c ", "\"a,b\",c", "\"a\\\",b\",c", "a,\"b", ",",
        "a\\,b");
    assertTable("quoted strings", Grammar::unquoted, "", "\"", "\"\"", "\"a\"", "\"a\\\"b\"", "\"a\\\\\"", "\"a\\\"",
        "\"a\"b\"", "a\"", "\"a", "ab");
    assertTable("trimmed", text -> "[" + Grammar.trimmed(text) + "]", "", " ", "\t a b\t ", "a", "\na ");
    assertTable("texts of bytes", (String wire) -> Grammar.text(wire), "a", "\u00c3\u00bc", "\u00fc", "\u007f",
        "\u0080");
    assertTable("bytes of strings", Grammar::wire, "a", "\u00fc", "\u007f", "\u0080", "\u20ac");
    assertTable("first cookies", line -> Cookies.first(Fields.of("X", "a=0", "Cookie", line, "Cookie", "a=last"), "a"),
        "a=1", "b=1; a=2; a=3", " a = 4 ;", "a", "a=", "b", "aa=1", "a=\"x\"", "a=b=c");
    assertTable("unquoted cookies", Cookies::unquoted, "", "\"", "\"\"", "\"a\"", "a\"", "\"a", "ab");
    assertTable("pairs of cookies", value -> Cookies.pair("sid", value), "", "a", "a b", "a,b", "a\"b c", " a", "a;b",
        "\u00fc", "a\u007f", "a\nb");
    assertTable("names of cookies that are written", name -> Cookies.pair(name, "v"), "", "a", "a b", "a=b", "a;");
  }

  @Test
  void cookiesThatAreRemoved() {
    CookieNames names = CookieNames.of(List.of("x_user", "sid"));
    assertTable("names of cookies", names::covers, "x_user", "X-USER", "x.user", "x user", "x[user", "xuser", "x_users",
        "%78_user", "sid[]", "sid[a]", "[sid]", "sid%00x", " sid", "\"sid\"", "sid=", "=sid", "+sid", "si d", "", "%",
        "%73id", "s%69d[", "sid.", "sid;", " ", "\"\"", " = ");
    assertTable("cookies that are left", line -> "[" + names.without(line) + "]", "a=1", "a=1; sid=2; b=3", "sid=1",
        "sid=1; a=2", "a=1; sid=2", "sid", "SID=1", "a=1, sid=2; b=3", "a=1 sid=2; b=3", "a=1,sid =2", "a=sid; b=1",
        "a=1,b=2", "; sid=1;", ";;a=1", "a=1; ;b=2", ",sid=1", "a, sid", "a sid x=1", "a=1,\tsid\t=2;c", "sid=a; sid=b",
        "", " ", "a=1;", "=sid=1", "a=sid=1; b=2", "a=1 x sid = 2", "a=1 , sid\t = 2", "a=sid , b", "a=sid",
        "a=1 xsid=2");
    assertTable("lines of cookies",
        line -> Cookies.without(Fields.of("A", "1", "Cookie", line, "Cookie", "b=2"), names), "sid=1", "a=1",
        "sid=1; a=1");
  }

  @Test
  void escapes() {
    assertTable("decoded escapes", Escapes::bytes, "", "a", "%41", "%4", "%", "a%2fb", "%zz", "%4g%41", "%C3%BC",
        "%%41");
    assertTable("decoded texts", text -> Escapes.text(text, ""), "a", "%C3%BC", "%FF", "%2F", "%", "\u00c3\u00bc");
    assertTable("decoded texts but slashes", text -> Escapes.text(text, "%2F"), "%2F%2f%41", "a%2", "%2F");
    assertTable("escaped paths", Escapes::path, "/a b", "/%41%zz", "\u00fc/;", "a?b#c");
    assertTable("forms", Escapes::form, "a b", "a+b", "-._~*", "\u00c3", "&=");
  }

  @Test
  void queries() {
    assertTable("parameters", Query::parameters, "", "a", "a=1&a=2&b", "&&a=1&", "=1", "a+b=c+d%2B", "a=b=c", "%61=%zz",
        "%C3%BC=%FF", "a=1;b=2");
    assertTable("queries without names", query -> Query.without(query, List.of("b", "\u00fc")), "a=1&b=2", "b",
        "c=1&a=2&a=1",
        "%62=1&a", "%C3%BC=1&a=b+c", "");
    assertTable("queries without nothing", query -> Query.without(query, List.of()), "b=1&a=%zz");
    assertTable("queries with a name", query -> Query.with(query, "b", "x y"), "a=1&b=2&b=3&c=4", "", "b");
    assertTable("sound queries", Query::isSound, "", "%41", "a%4", "a%41%", "%zz", "%41%4g");
  }

  @Test
  void paths() {
    String[] raw = {"/", "/a", "/a/", "//a", "/a//b", "/a/./b", "/a/../b", "/..", "/../..", "/.", "/a/.", "/a/..",
      "/...",
      "/a.", "/a./b", "/.a", "/..a/b", "/a%2Fb", "/a%2fb", "/a%5Cb", "/a%5cb", "/%2e", "/%2E%2e/a", "/a/%2e./b",
      "/..;x/a", "/.;/a", "/a/..%2fb", "/a%2F..", "/a%5C..%5Cb", "/a\\b", "/a;x=1", "/a;x=1/b", "/a%3Bx", "/A", "/a.;x",
      "/a%20", "/a%20/b", "/a%09;", "/a%0A", "/a%0e", "/a%20b", "/a%2Fb.", "/a.%2Fb", "/a.%5Cb", "/a.%3Bb", "/%c3%bc",
      "/%7f", "/%80", "/%41%7e%2a", "/a%", "/a%4", "/a%zz", "/a%00", "/a b", "/a?b", "/a#b", "", "a", "*",
      "/~!$&'()*+,=:@",
      "/a[b]", "/a|b", "/\u00fc"};
    assertTable("paths", path -> described(RequestPath.read(path)), raw);
    assertTable("unresolved paths", path -> described(RequestPath.readUnresolved(path)), "/a/./b", "/a/../b", "/a//b",
        "/a%2Fb", "/");
    assertTable("paths with slashes decoded", path -> described(RequestPath.read(path).withSlashesDecoded()), "/a%2Fb",
        "/a%2f%2Fb", "/a", "/a%2F%252E", "/a/b%2f");
    assertTable("paths with backslashes", path -> {
      RequestPath.read(path).refuseBackslashes();
      return "fine";
    }, "/a", "/a%5Cb", "/a%5cb", "/a%255C");
    assertTable("normalized parts", RequestPath::normalized, "a b", "%41%2f%zz", "\u00fc", "%", ";%3b");
  }

  private static String described(RequestPath path) {
    return path + " spelled " + path.spelling() + " text " + path.text() + " readings ["
        + Reading.text(Reading.of(path.otherReadings())) + "] slash " + path.hasEncodedSlash();
  }

  @Test
  void otherReadingsOfPaths() {
    String[] raw = {"/a", "/a/", "/a;x/b", "/a%3Bx/b;y", "/a%2Fb", "/a%5C..%5Cb", "/a./b.", "/a%20", "/a.%20.",
      "/..;x/b",
      "/a/...", "/.%20/a", "/a/..%20/b", "/;x", "/a%2F", "/%20", "/a%0A%0D", "/a%0e.", "/b/%2F..%2Fc"};
    for (Set<Reading> readings : List.of(Set.<Reading>of(), EnumSet.of(Reading.SLASHES),
        EnumSet.of(Reading.BACKSLASHES),
        EnumSet.of(Reading.SEMICOLONS), EnumSet.of(Reading.PARAMETERS), EnumSet.of(Reading.TRAILING_DOT),
        EnumSet.of(Reading.TRAILING_SLASH), EnumSet.allOf(Reading.class))) {
      assertTable("paths read with " + (readings.size() > 7 ? "all" : Reading.text(readings)), path -> {
        try {
          return RequestPath.read(path).read(readings, 0);
        } catch (ResponseStatusException refusal) {
          return PathReadings.read(path, readings, 0);
        }
      }, raw);
    }
    Set<Reading> parameters = EnumSet.of(Reading.PARAMETERS);
    assertTable("paths read from the fourth character on", path -> RequestPath.read(path).read(parameters, 3), "/a/b;x",
        "/a;/b;x", "/a", "/a/", "/a/;x");
  }

  @Test
  void rewrittenPaths() {
    for (List<String> rewrite : List.of(List.of("", ""), List.of("/a", ""), List.of("/a/", "/p"), List.of("", "/p/"),
        List.of("/a%20", "p"), List.of("/\u00fc", "/\u00fc ?"), List.of("/a", "/.."))) {
      assertTable("paths without '" + rewrite.getFirst() + "' behind '" + rewrite.getLast() + "'",
          path -> RequestPath.read(path).rewritten(rewrite.getFirst(), rewrite.getLast()), "/", "/a", "/a/b", "/ab",
          "/a%20b", "/%61/c", "/x", "/%c3%bc/d");
    }
  }

  @Test
  void forwardedRequests() {
    TrustedProxies proxies = new TrustedProxies(List.of(Network.parse("10.0.0.0/8").orElseThrow()));
    String[] fields = {"A: 1", "X-Forwarded-For: 1.1.1.1, 2.2.2.2", "X-Forwarded-Proto: https",
      "X-Forwarded-Proto: HTTP",
      "X-Forwarded-Proto: wss", "X-Forwarded-Proto: WS", "X-Forwarded-Proto: WSS", "X-Forwarded-Proto: HTTPS",
      "X-Forwarded-Proto: ws", "X-Forwarded-Proto: ftp", "X-Forwarded-Host: b.test:81", "X-Forwarded-Host: b b",
      "X-Forwarded-Host: a|X-Forwarded-Host: b", "X-Forwarded-Method: PUT", "X-Forwarded-Method: P T",
      "X-Forwarded-Uri: /u?v", "X-Forwarded-Uri: /u", "X-Forwarded-Uri: //u", "X-Forwarded-Uri: /u|X-Forwarded-Uri: /v",
      "Forwarded: for=3.3.3.3|X-Forwarded-For: 1.1.1.1", "Forwarded: for=x y", "Forwarded: for=\"[::1]\"",
      "Forwarded: for=1.1.1.1|Forwarded: by=2", "X-Original-Url: /x|X-Forwarded-Port: 81|X.Forwarded.Host: y"};
    for (String peer : List.of("10.0.0.1", "192.0.2.1", "2001:db8::1")) {
      assertTable("requests of " + peer, text -> {
        ValidRequest incoming = Requests.from(peer, "shop.test", fieldsOf(text));
        Forwarding forwarding = Forwarding.of(incoming, proxies);
        return forwarding.method() + " " + forwarding.scheme() + " " + forwarding.host() + " " + forwarding.target()
            + " "
            + forwarding.clients() + " " + forwarding.continued(forwarding.fields()) + " "
            + proxies.client(incoming.peer(), incoming.fields()).map(AddressText::of) + " "
            + Forwarding.namesResource(incoming, proxies);
      }, fields);
    }
  }

  private static String[] fieldsOf(String text) {
    return fields(text).stream().flatMap(field -> Stream.of(field.name(), field.value())).toArray(String[]::new);
  }

  @Test
  void describedRequests() {
    assertTable("described requests", text -> {
      String[] parts = text.split(" ", -1);
      Request request = new ReportedRequest(parts[0], parts[1], parts[2], parts[3], fields(parts[4].replace("_", ": ")),
          new byte[0], "").request(Fields.of("X-Forwarded-For", "1.1.1.1"), parts[5].equals("trusted"),
              ParseBudget.DEFAULT,
              BodyFormat::of);
      return request.text() + " " + request.fields() + " " + request.clients();
    }, "GET http a.test /a A_1 no", "GET https A.test:81 /a?b X-Forwarded-Host_h trusted",
        "GET https a.test /a?b X-Forwarded-Host_h no", "G,T http a.test /a A_1 no", "GET ws a.test /a A_1 no",
        "GET http a,b /a A_1 no", "GET http a.test //a A_1 no", "GET http a.test /a/../b A_1 no",
        "GET http a.test a A_1 no",
        "GET http a.test /a A,B_1 no", "GET http a.test /a A_\u0001 no");
  }

  @Test
  void selectedBits() {
    Expected.assertSection("messages.txt", "bits of readings", IntStream.range(0, Reading.values().length)
        .mapToObj(i -> Reading.values()[i] + " " + Reading.values()[i].bit()).collect(Collectors.joining("\n")));
  }
}
