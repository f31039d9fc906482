package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

class RequestTest {
  private static Value member(HostObject object, String name) {
    return object.member(name).orElseThrow();
  }

  private static Value call(HostObject object, String function, String... arguments) throws ValueException {
    return object.call(function, Value.Array.ofStrings(List.of(arguments)).items());
  }

  @Test
  void hasTheMembersThatRulesRead() throws Exception {
    Request request = Requests.of("http://API.example.com:8443/r/a%20b?b=2&a=1%20");
    assertEquals(Value.of("GET"), member(request, "Method"));
    assertEquals(Value.Array.ofStrings(List.of("203.0.113.7", "127.0.0.1")), member(request, "ClientIPAddresses"));
    assertEquals(Value.EMPTY_STRING, member(request, "Body"));
    assertEquals(Optional.empty(), request.member("Nope"));
    request.members().forEach(name -> assertTrue(request.member(name).isPresent(), name));
    RequestUrl url = request.url();
    url.members().forEach(name -> assertTrue(url.member(name).isPresent(), name));
    for (String function : url.functions()) {
      if (function.equals("Parse") || function.equals("JoinPath")) {
        continue;
      }
      assertThrows(ValueException.class, () -> call(url, function, "x"));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "Scheme | http", "Host | api.example.com:8443", "Path | /r/a b/c", "RawPath | /r/a%20b%2Fc",
    "RawQuery | b=2&a=1%20", "Fragment | ''"})
  void urlMembersAreStrings(String name, String value) throws Exception {
    assertEquals(Value.of(value),
        member(Requests.of("http://API.example.com:8443/r/a%20b%2fc?b=2&a=1%20").url(), name));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "String | http://[2001:db8::1]:81/%C3%A9?q=%22", "Hostname | 2001:db8::1", "Port | 81", "EscapedPath | /%C3%A9",
    "RequestURI | /%C3%A9?q=%22"})
  void urlFunctionsAreThoseOfTheGoType(String name, String value) throws Exception {
    assertEquals(Value.of(value), call(Requests.of("http://[2001:DB8::1]:81/%c3%a9?q=%22").url(), name));
  }

  @Test
  void urlWithoutPortOrQueryHasNone() throws Exception {
    RequestUrl url = Requests.of("https://a.example/x?").url();
    assertEquals("https://a.example/x", url.text());
    assertEquals(Value.EMPTY_STRING, call(url, "Port"));
    assertEquals(Value.TRUE, call(url, "IsAbs"));
  }

  @Test
  void queryIsADictForExpressionsAndHasGetForTemplates() throws Exception {
    RequestUrl url = Requests.of("http://a/x?tag=a&full+name=Ann%20%C3%96&tag=b").url();
    Value.Array tags = Value.Array.ofStrings(List.of("a", "b"));
    assertEquals(new Value.Dict(Map.of("tag", tags, "full name", Value.Array.ofStrings(List.of("Ann Ö")))), call(url,
        "Query"));
    HostObject values = (HostObject) member(url, "Query");
    assertEquals(call(url, "Query"), ((QueryValues) values).entries().orElseThrow());
    assertEquals(Value.of("a"), call(values, "Get", "tag"));
    assertEquals(Value.EMPTY_STRING, call(values, "Get", "nope"));
    assertEquals(Value.TRUE, call(values, "Has", "tag"));
    assertEquals(Value.FALSE, call(values, "Has", "nope"));
    assertEquals(tags, member(values, "tag"));
    assertEquals(Set.of("tag", "full name"), values.members());
    assertEquals("map[full name:[Ann Ö] tag:[a b]]", values.text());
    assertThrows(ValueException.class, () -> call(values, "Get"));
  }

  @Test
  void headersShowAllValues() throws Exception {
    Request request = Requests.of("http://API.example/", "X-Tag", "a", "x-tag", "b", "X-Name", "J\u00c3\u00b6rg",
        "Host",
        "else");
    assertEquals(Value.of("a,b"), call(request, "Header", "X-TAG"));
    assertEquals(Value.of("Jörg"), call(request, "Header", "X-Name"));
    assertEquals(Value.EMPTY_STRING, call(request, "Header", "X-None"));
    assertEquals(Value.of("api.example"), call(request, "Header", "host"));
    assertEquals("{\"Host\":\"api.example\",\"X-Name\":\"Jörg\",\"X-Tag\":\"a,b\"}", JsonText.of(call(request,
        "Headers")));
    assertThrows(ValueException.class, () -> call(request, "Header"));
    assertThrows(ValueException.class, () -> request.call("Header", List.of(Value.of(1))));
    assertThrows(ValueException.class, () -> call(request, "Headers", "x"));
  }

  @Test
  void theFirstCookieOfANameCounts() throws Exception {
    Request request = Requests.of("http://a/", "Cookie", "a=1; a=2", "Cookie", "b=\"x y\"");
    assertEquals(Value.of("1"), call(request, "Cookie", "a"));
    assertEquals(Value.of("x y"), call(request, "Cookie", "b"));
    assertEquals(Value.EMPTY_STRING, call(request, "Cookie", "c"));
  }

  @Test
  void aMatchAddsCapturesAndLeavesTheRequestAsItWas() throws Exception {
    Request request = Requests.of("http://a/on/x%2Fy");
    Request matched = request.matched(request.path().withSlashesDecoded(), () -> Map.of("n", "x/y"));
    assertEquals(Value.Dict.ofStrings(Map.of("n", "x/y")), member(matched.url(), "Captures"));
    assertEquals(Value.of("/on/x/y"), member(matched.url(), "Path"));
    assertEquals("/on/x/y", matched.path().spelling());
    assertEquals(Value.Dict.EMPTY, member(request.url(), "Captures"));
    assertEquals(Value.of("/on/x%2Fy"), member(request.url(), "RawPath"));
    assertEquals(request.body(), matched.body());
  }

  @ParameterizedTest
  @CsvSource({"'', true", "sent, false"})
  void whatIsKeptForHoursCanBeDecidedAgainUnlessItHadABody(String sent, boolean readable) throws Exception {
    Request request = new Request("GET", "http", Authority.parse("a").orElseThrow(), RequestPath.read("/b"), "q",
        Fields.of("X-A", "1"), List.of("192.0.2.1"), Body.of(sent.getBytes(), ""));
    Request kept = request.repeated().lasting();
    for (Request again : List.of(kept.repeated(), kept.repeated().repeated())) {
      assertEquals(request.text() + request.fields() + request.clients() + request.client() + request.candidates(),
          again.text() + again.fields() + again.clients() + again.client() + again.candidates());
      if (readable) {
        assertEquals(0, again.body().bytes().length);
        assertNotSame(kept.body(), again.body());
      } else {
        assertThrows(UnreadableBodyException.class, () -> again.body().bytes());
      }
    }
  }

  @Test
  void hostsAreComparedInOneForm() throws Exception {
    assertEquals("a.example", Requests.of("http://A.Example.:80/").url().host().comparable("http"));
    assertEquals("a.example:443", Requests.of("http://a.example:443/").url().host().comparable("http"));
  }

  @Test
  void whatLastsKnowsCertificatesButNoConnection() throws Exception {
    TestCertificate alice = CertificateDraft.of("alice").make();
    AtomicInteger asked = new AtomicInteger();
    Supplier<List<X509Certificate>> connection = () -> {
      asked.incrementAndGet();
      return List.of(alice.certificate());
    };
    Request request = Requests.of("http://a.test/").repeated()
        .with(new PeerCertificates(connection, Optional.of("pem"), true));
    List<Request> copies = List.of(request.lasting(), request.detached(Body.none()));
    assertEquals(2, asked.get());
    for (Request copy : copies) {
      for (int i = 0; i < 2; i++) {
        PeerCertificates known = copy.certificates();
        assertEquals(List.of(alice.certificate()), known.tls().get());
        assertEquals("Optional[pem] true", known.reported() + " " + known.proxy());
      }
    }
    assertEquals(2, asked.get());
    Request none = Requests.of("http://a.test/").repeated().with(PeerCertificates.NONE).lasting();
    assertSame(PeerCertificates.NONE, none.certificates());
  }
}
