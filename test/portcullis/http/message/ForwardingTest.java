package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.lang.address.Network;
import portcullis.lang.value.ParseBudget;

class ForwardingTest {
  private static final TrustedProxies PROXIES = new TrustedProxies(List.of(Network.parse("10.0.0.0/8").orElseThrow(),
      Network.parse("::ffff:192.0.2.9").orElseThrow(), Network.parse("2001:db8::/32").orElseThrow()));
  private static final String STRANGER = "127.0.0.1";
  private static final String PROXY = "10.0.0.1";

  private static Forwarding from(String peer, String... fields) throws ResponseStatusException {
    return Forwarding.of(Requests.from(peer, "Shop.example", fields), PROXIES);
  }

  private static ResponseStatusException refused(String... fields) {
    return assertThrows(ResponseStatusException.class, () -> from(PROXY, fields));
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Uri",
    "X-Forwarded-Method",
    "X-Forwarded-Path", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-User", "X-Forwarded-Whatever-It-Is",
    "Forwarded",
    "X-Original-Url", "X-Original-Method", "X-Rewrite-Url", "x-FORWARDED-for", "FORWARDED", "X_Forwarded_For",
    "x_forwarded-for",
    "X.Forwarded.Proto", "X-Forwarded_Host", "X~Forwarded-For"})
  void ignoresForwardingFieldsOfUntrustedClients(String name) throws ResponseStatusException {
    for (String value : List.of("https", "/admin", "1.2.3.4", "DELETE", "for=1.2.3.4;host=evil;proto=https", "", "a b",
        "%zz")) {
      Forwarding plain = from(STRANGER);
      Forwarding spoofed = from(STRANGER, name, value, name, value);
      assertEquals(plain.fields(), spoofed.fields());
      assertEquals(plain.clients(), spoofed.clients());
      assertEquals(List.of(plain.method(), plain.scheme(), plain.host(), plain.target()),
          List.of(spoofed.method(), spoofed.scheme(), spoofed.host(), spoofed.target()));
      assertEquals(plain.continued(plain.fields()), spoofed.continued(spoofed.fields()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Via", "X-Real-IP", "X-Http-Method-Override", "X-Client-Ip", "True-Client-Ip"})
  void otherFieldsPassAndChangeNothing(String name) throws ResponseStatusException {
    for (String peer : List.of(STRANGER, PROXY)) {
      Forwarding reported = from(peer, name, "203.0.113.9");
      assertEquals(List.of(peer), reported.clients());
      assertEquals(List.of(from(peer).method(), from(peer).scheme(), from(peer).host(), from(peer).target()),
          List.of(reported.method(), reported.scheme(), reported.host(), reported.target()));
      assertEquals(Optional.of("203.0.113.9"), reported.continued(reported.fields()).first(name));
    }
  }

  @ParameterizedTest
  @CsvSource({"10.255.255.255, true", "11.0.0.0, false", "9.255.255.255, false", "::ffff:10.1.2.3, true",
    "192.0.2.9, true", "192.0.2.8, false",
    "2001:db8::1, true", "2001:db9::1, false", "::1, false"})
  void trustGoesByThePeersAddressMappedOrNot(String peer, boolean trusted) throws ResponseStatusException {
    assertEquals(trusted ? "203.0.113.7" : AddressText.of(Requests.from(peer, "a").peer()),
        from(peer, "X-Forwarded-For", "203.0.113.7").clients().getFirst());
  }

  @Test
  void aTrustedProxySpeaksForTheClient() throws ResponseStatusException {
    Forwarding reported = from(PROXY, "X-Forwarded-Method", "POST", "X-Forwarded-Proto", "https", "X-Forwarded-Host",
        "Front.test:8443",
        "X-Forwarded-Uri", "/b/../c?x=%2F", "X-Forwarded-For", "203.0.113.7");
    Request request = reported.request(ParseBudget.DEFAULT, BodyFormat::of);
    assertEquals("POST", request.method());
    assertEquals("https://front.test:8443/c?x=%2F", request.url().text());
    assertEquals(List.of("203.0.113.7", PROXY), request.clients());
  }

  @ParameterizedTest
  @CsvSource({"/b/c?d=e, /b/c?d=e", "/b/c, /b/c?own=1", "/b?, /b?own=1", "https://other.example/b?c=d, /b?c=d",
    "/public/../admin/q, /admin/q?own=1"})
  void aForwardedUriWithoutQueryLeavesTheRequestsOwn(String uri, String seen) throws ResponseStatusException {
    assertEquals("http://shop.example" + seen,
        from(PROXY, "X-Forwarded-Uri", uri).request(ParseBudget.DEFAULT, BodyFormat::of).url().text());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "X-Forwarded-Host   | a.example, b.example", "X-Forwarded-Host | a.example;for=6.6.6.6",
    "X-Forwarded-Host | u@a.example",
    "X-Forwarded-Host   | ''", "X-Forwarded-Uri  | //admin/q", "X-Forwarded-Uri  | %zz",
    "X-Forwarded-Uri    | ''", "X-Forwarded-Uri  | /a#b", "X-Forwarded-Uri  | admin",
    "X-Forwarded-Proto  | javascript", "X-Forwarded-Proto | wsss", "X-Forwarded-Proto | gopher",
    "X-Forwarded-Proto | 'https,http'",
    "X-Forwarded-Proto  | ''", "X-Forwarded-Method | G T", "X-Forwarded-Method | ''"})
  void whatCannotBeIsRefused(String name, String value) {
    assertEquals(400, refused(name, value).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Forwarded-Host", "X-Forwarded-Uri", "X-Forwarded-Proto", "X-Forwarded-Method"})
  void writesOverriddenFieldsOnce(String name) {
    assertEquals(name + " is there twice", refused(name, "https", name, "https").getMessage());
  }

  @ParameterizedTest
  @CsvSource({"http, http", "HTTP, http", "ws, http", "WS, http", "https, https", "HTTPS, https", "wss, https",
    "WSS, https"})
  void schemesOfWebSocketsAreThoseOfHttp(String reported, String scheme) throws ResponseStatusException {
    Forwarding forwarding = from(PROXY, "X-Forwarded-Proto", reported);
    assertEquals(scheme, forwarding.scheme());
    assertEquals(List.of(scheme), forwarding.continued(forwarding.fields()).all("X-Forwarded-Proto"));
  }

  @Test
  void onlyATrustedProxyNamesTheResource() throws ResponseStatusException {
    assertTrue(Forwarding.namesResource(Requests.from(PROXY, "a", "X-Forwarded-Uri", "/"), PROXIES));
    assertFalse(Forwarding.namesResource(Requests.from(STRANGER, "a", "X-Forwarded-Uri", "/"), PROXIES));
    assertFalse(Forwarding.namesResource(Requests.from(PROXY, "a", "X-Forwarded-Host", "b"), PROXIES));
  }

  @Test
  void forwardedPathsAreMadeClearLikeAnyOther() throws ResponseStatusException {
    Forwarding reported = from(PROXY, "X-Forwarded-Uri", "/public/%2e%2e/admin/q");
    assertThrows(ResponseStatusException.class, () -> reported.request(ParseBudget.DEFAULT, BodyFormat::of));
  }

  @Test
  void rejectsRequestForServerAsAWhole() throws ResponseStatusException {
    ValidRequest in = Requests.from(PROXY, "a");
    ValidRequest server = new ValidRequest("OPTIONS", new Target.Server(), in.host(), in.fields(), in.peer(),
        in.client(), true,
        in.content(),
        in.trailers());
    assertThrows(ResponseStatusException.class, () -> Forwarding.of(server, PROXIES));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "203.0.113.7                          | 203.0.113.7, 10.0.0.1",
    "203.0.113.7, 198.51.100.2 ,10.0.0.2  | 203.0.113.7, 198.51.100.2, 10.0.0.2, 10.0.0.1",
    "203.0.113.7,, 198.51.100.2           | 203.0.113.7, 198.51.100.2, 10.0.0.1",
    "203.0.113.7, evil, 198.51.100.2      | 203.0.113.7, 10.0.0.1",
    "evil, 203.0.113.7                    | 10.0.0.1",
    "2001:db8::7, ::1                     | 2001:db8::7, ::1, 10.0.0.1"})
  void theChainOfAddressesIsContinued(String reported, String shown) throws ResponseStatusException {
    Forwarding forwarding = from(PROXY, "X-Forwarded-For", reported);
    assertEquals(shown, String.join(", ", forwarding.clients()));
    assertEquals(List.of(shown), forwarding.continued(forwarding.fields()).all("X-Forwarded-For"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "for=203.0.113.7;proto=https;host=a.example     | 203.0.113.7 | 'for=203.0.113.7;proto=https;host=a.example, '",
    "for=\"[2001:db8::7]\"                          | 2001:db8::7 | 'for=\"[2001:db8::7]\", '",
    "FOR=203.0.113.7;Proto=http                     | 203.0.113.7 | 'FOR=203.0.113.7;Proto=http, '",
    "for=203.0.113.7;host=\"a,b;for=6.6.6.6\"       | 203.0.113.7 | 'for=203.0.113.7;host=\"a,b;for=6.6.6.6\", '",
    "for=\"203.0.113.7                              | 9.9.9.9     | ''",
    "for=_hidden                                    | 9.9.9.9     | 'for=_hidden, '",
    "''                                             | 9.9.9.9     | ''"})
  void forwardedIsPreferredAndContinuedUnlessItIsBroken(String reported, String client, String kept)
      throws ResponseStatusException {
    Forwarding forwarding = from(PROXY, "Forwarded", reported, "X-Forwarded-For", "9.9.9.9");
    assertEquals(List.of(client, PROXY), forwarding.clients());
    assertEquals(List.of(kept + "for=10.0.0.1;host=\"Shop.example\";proto=http"),
        forwarding.continued(forwarding.fields()).all("Forwarded"));
  }

  @Test
  void linesOfForwardedAreJoined() throws ResponseStatusException {
    Forwarding forwarding = from(PROXY, "Forwarded", "for=203.0.113.7", "Forwarded", "for=198.51.100.2;by=x");
    assertEquals("for=203.0.113.7, for=198.51.100.2;by=x, for=10.0.0.1;host=\"Shop.example\";proto=http",
        forwarding.continued(forwarding.fields()).joined("Forwarded").orElseThrow());
  }

  @Test
  void forwardsPeerAndRequestedHost() throws ResponseStatusException {
    Fields shown = from("::1").continued(Fields.of("X-N", "2", "X-N", "1"));
    assertEquals(Fields.of("X-N", "2", "X-N", "1", "X-Forwarded-For", "::1", "X-Forwarded-Proto", "http",
        "X-Forwarded-Host", "Shop.example",
        "Forwarded", "for=\"[::1]\";host=\"Shop.example\";proto=http"), shown);
  }

  @Test
  void dropsOnlyRewrittenFieldsOfTrustedProxies() throws ResponseStatusException {
    Forwarding forwarding = from(PROXY, "X-Forwarded-Port", "443", "X-Forwarded-Method", "PUT", "X-Forwarded-Uri", "/b",
        "X-Forwarded-Path", "/p",
        "X_Forwarded_For", "6.6.6.6", "X-Forwarded_Port", "1", "X-Forwarded-Host", "FRONT.example");
    Fields shown = forwarding.continued(forwarding.fields());
    assertEquals(Optional.of("443"), shown.first("X-Forwarded-Port"));
    assertEquals(List.of("FRONT.example"), shown.all("X-Forwarded-Host"));
    for (String name : List.of("X-Forwarded-Method", "X-Forwarded-Uri", "X-Forwarded-Path", "X_Forwarded_For",
        "X-Forwarded_Port")) {
      assertFalse(shown.has(name), name);
    }
  }

  private static String sharer(String peer, String... fields) throws ResponseStatusException {
    ValidRequest in = Requests.from(peer, "Shop.example", fields);
    return sharer(in, Content.of(new byte[1]));
  }

  private static String sharer(ValidRequest in, Content content) throws ResponseStatusException {
    return Forwarding.of(new ValidRequest("POST", in.target(), in.host(), in.fields(), in.peer(), in.client(), false,
        content, in.trailers()), PROXIES).client();
  }

  @Test
  void memoryForParsingIsSharedAsConnectionsAre() throws ResponseStatusException {
    assertEquals(sharer("2a00:1:2:3::1"), sharer("2a00:1:2:3:ffff::9"), "a /64 is one peer");
    assertNotEquals(sharer("2a00:1:2:3::1"), sharer("2a00:1:2:4::1"));
    assertNotEquals(sharer("203.0.113.1"), sharer("203.0.113.2"));
    assertEquals(sharer("203.0.113.1"), sharer("203.0.113.1", "X-Forwarded-For", "203.0.113.9"));
    assertEquals(sharer("203.0.113.1"), sharer(PROXY, "X-Forwarded-For", "9.9.9.9, 203.0.113.1, 10.0.0.2"));
    assertEquals("", sharer(PROXY), "nobody's where a trusted proxy names nobody");
    ValidRequest in = Requests.from("203.0.113.1", "Shop.example");
    assertEquals("", sharer(in, Content.of(new byte[0])), "nothing is parsed");
    assertEquals(sharer("203.0.113.1"), sharer(in, Content.of(InputStream::nullInputStream, OptionalLong.empty())));
  }
}
