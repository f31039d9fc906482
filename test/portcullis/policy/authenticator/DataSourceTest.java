package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Yaml;
import portcullis.http.message.Request;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.mechanism.Failure;

class DataSourceTest {
  private static List<DataSource> sources(String yaml, Problems problems) {
    return Yaml.read(new SourceFile("f", yaml), problems).flatMap(node -> DataSource.list(false).decode(node, problems))
        .orElse(List.of());
  }

  /** What is found, or why nothing is. */
  private static String found(String yaml, Request request) {
    try {
      return "<" + DataSource.first(sources(yaml, new Problems()), request, "nothing") + ">";
    } catch (Failure e) {
      return e.report();
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      {header: X-Key}                         | k                   | <k>
      {header: x-key}                         | ' k '               | <k>
      {header: X-Key}                         | a,b                 | <a,b>
      {header: X-Key, scheme: Token}          | Token t             | <t>
      {header: X-Key, scheme: Token}          | Token    t          | <t>
      {header: X-Key, scheme: Token}          | Token a b           | <a b>
      {header: X-Key, scheme: Token}          | token t             | argument error: 'X-Key' header present, but \
      without required 'Token' scheme: upper and lower case differ
      {header: X-Key, scheme: Token}          | Token               | argument error: 'X-Key' header present, but \
      without required 'Token' scheme
      {header: X-Key, scheme: Token}          | Tokent              | argument error: 'X-Key' header present, but \
      without required 'Token' scheme
      {header: X-Other}                       | k                   | argument error: no 'X-Other' header present
      {header: X-Key}                         | ''                  | argument error: what is there is empty
      """)
  void readsHeaders(String source, String value, String outcome) {
    assertEquals(outcome.replace("argument", "authentication error: nothing: argument"),
        found("[" + source + "]", Bench.with("X-Key", value)));
  }

  @Test
  void readsStringsOfBytes() {
    assertEquals("<zoë>", found("[{header: X-Key}]", Bench.with("X-Key", "zo\u00c3\u00ab")));
    assertEquals("<zoë>", found("[{cookie: sid}]", Bench.with("Cookie", "sid=zo\u00c3\u00ab")));
    assertEquals("<zo\u00eb>", found("[{header: X-Key}]", Bench.with("X-Key", "zo\u00eb")), "no UTF-8: Latin-1");
  }

  @Test
  void controlCharactersAreNoCredentials() {
    String sources = "[{query_parameter: t}, {header: X-Key}]";
    assertEquals("<k>", found(sources, Bench.request("/?t=a%0Ab", "", "X-Key", "k")), "the next source counts");
    for (String value : new String[] {"a%0Ab", "a%00", "%7Fa", "a%0D%0AX-User:%20b", "a%09b"}) {
      assertEquals("authentication error: nothing: argument error: credentials contain a control character; "
          + "no 'X-Key' header present", found(sources, Bench.request("/?t=" + value, "")));
    }
    assertEquals("<a b>", found(sources, Bench.request("/?t=a%20b", "")));
  }

  @Test
  void severalLinesAreOneValue() {
    assertEquals("<a,b>", found("[{header: X-Key}]", Bench.with("X-Key", "a", "X-Key", "b")));
    assertEquals("<a,Token b>",
        found("[{header: X-Key, scheme: Token}]", Bench.with("X-Key", "Token a", "X-Key", "Token b")));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
      sid=a               | <a>
      x=1;sid=a           | <a>
      sid=a; sid=b        | <a>
      sid="a b"           | <a b>
      sid=a=b==           | <a=b==>
      sid=a%20b           | <a%20b>
      SID=a; xsid=b       | authentication error: nothing: argument error: no 'sid' cookie present
      sid=; sid=b         | authentication error: nothing: argument error: what is there is empty
      sid=""              | authentication error: nothing: argument error: what is there is empty
      """)
  void readsTheFirstCookie(String cookies, String outcome) {
    assertEquals(outcome, found("[{cookie: sid}]", Bench.with("Cookie", cookies)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      /?k=a               | <a>
      /?k=a&k=b           | <a>
      /?k=%20a%2Bb+c%20   | <a+b c>
      /?K=a               | authentication error: nothing: argument error: no 'k' query parameter present
      /?k=                | authentication error: nothing: argument error: what is there is empty
      """)
  void readsTheFirstParameterOfTheQuery(String target, String outcome) {
    assertEquals(outcome, found("[{query_parameter: k}]", Bench.request(target, "")));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
      application/json                  | {"k": "a"}        | <a>
      application/json                  | {"k": ["a"]}      | <a>
      application/json                  | {"k": " a "}      | <a>
      application/json                  | {"k": [" a "]}    | <a>
      application/json                  | {"k": ["a", "b"]} | k request body parameter is present multiple times
      application/json                  | {"k": []}         | unexpected type for k request body parameter
      application/json                  | {"k": 7}          | unexpected type for k request body parameter
      application/json                  | {"j": "a"}        | no k parameter present in request body
      application/json                  | {"k": "a"         | no usable body present
      application/json                  | ["k"]             | no usable body present
      application/x-www-form-urlencoded | x=1&k=a+b         | <a b>
      application/x-www-form-urlencoded | k=a&k=b           | k request body parameter is present multiple times
      application/yaml                  | k: a              | no usable body present
      text/plain                        | k=a               | no usable body present
      ``                                | k=a               | no usable body present
      """)
  void readsMembersOfBodies(String type, String body, String outcome) {
    String all = outcome.startsWith("<") ? outcome : "authentication error: nothing: argument error: " + outcome;
    assertEquals(all, found("[{body_parameter: k}]", Bench.request("/?", body, "Content-Type", type)));
  }

  @Test
  void theFirstThatIsThereCounts() {
    String all = "[{header: A, scheme: X}, {header: B}, {cookie: c}, {query_parameter: d}]";
    Request everything = Bench.request("/?d=4", "", "A", "X 1", "B", "2", "Cookie", "c=3");
    assertEquals("<1>", found(all, everything));
    assertEquals("<2>", found(all, Bench.request("/?d=4", "", "A", "Y 1", "B", "2", "Cookie", "c=3")));
    assertEquals("<3>", found(all, Bench.request("/?d=4", "", "B", "", "Cookie", "c=3")));
    assertEquals("<4>", found(all, Bench.request("/?d=4", "")));
    assertEquals("authentication error: nothing: argument error: no 'A' header present; no 'B' header present; no "
        + "'c' cookie present;"
        + " no 'd' query parameter present", found(all, Bench.with()));
  }

  @Test
  void bearerTokensStandInThreePlaces() throws Failure {
    assertEquals("a", DataSource.first(DataSource.bearer(), Bench.bearer("a"), ""));
    assertEquals("b", DataSource.first(DataSource.bearer(), Bench.request("/?access_token=b", ""), ""));
    assertEquals("c", DataSource.first(DataSource.bearer(),
        Bench.request("/?", "{\"access_token\": \"c\"}", "Content-Type", "application/json"), ""));
    assertThrows(Failure.class,
        () -> DataSource.first(DataSource.bearer(), Bench.with("Cookie", "access_token=d"), ""));
    assertEquals(Optional.of("Bearer"), ((DataSource.Header) DataSource.bearer().getFirst()).scheme());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      [{cookie: a}]                 | ^^
      []                            | f:1:1: must contain at least 1 item, each a mapping
      {cookie: a}                   | f:1:1: this is a mapping, a list is needed, each item begins with `- `
      [{cookie: a, header: b}]      | f:1:2: [0]: a source is one place, one of: header, cookie, query_parameter, \
      body_parameter
      [{cookie: a, scheme: b}]      | f:1:2: [0]: `scheme` belongs to `header`, one of: header, cookie, \
      query_parameter, body_parameter
      [{}]                          | f:1:2: [0]: a source is one place, one of: header, cookie, query_parameter, \
      body_parameter
      [{cookies: a}]                | f:1:3: [0]: unknown key `cookies`, did you mean `cookie`?
      [{header: ""}]                | f:1:12: [0].header: must not be empty
      [{header: 7}]                 | f:1:11: [0].header: `7` is a number, a string is needed, put it in quotes
      """)
  void refusesWhatIsNoSource(String yaml, String reported) {
    Problems problems = new Problems();
    sources(yaml, problems);
    assertEquals(reported, problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; ")));
  }

  @ParameterizedTest
  @CsvSource({"Bearer, false, false, false", "Bearer, false, true, false", "DPoP, false, false, false",
    "DPoP, false, true, true", "dpop, false, true, true", "DPoP, true, false, true", "DPoP, true, true, true"})
  void aKeyIsNeededWithDpopAndWhereThereIsAProof(String scheme, boolean bound, boolean proof,
      boolean needed) {
    DataSource source = new DataSource.Header("Authorization", Optional.of(scheme), bound);
    assertEquals(needed, new DataSource.Found("t", source).needsKey(proof ? Bench.with("DPoP", "p") : Bench.with()));
  }

  @Test
  void configuredHeadersAreNotBoundToAKey() {
    assertEquals(List.of(new DataSource.Header("Authorization", Optional.of("DPoP"), false)),
        sources("[{header: Authorization, scheme: DPoP}]", new Problems()));
  }

  @Test
  void placesWithoutASchemeNeedNoKey() {
    for (DataSource source : List.of(new DataSource.Header("DPoP", Optional.empty()), new DataSource.Cookie("DPoP"))) {
      assertEquals(false, new DataSource.Found("t", source).needsKey(Bench.with("DPoP", "p")));
    }
  }
}
