package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.lang.value.Value;
import portcullis.policy.endpoint.CallOptions;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/** Which keys are remembered where there is room for two addresses. */
class RemoteKeysTest {
  private static final KeyLifetimes TIMES = new KeyLifetimes(Duration.ofMinutes(10), Duration.ofHours(1));

  private final Bench bench = new Bench();
  private final StubIssuer issuer = new StubIssuer();
  private final MechanismContext context = bench.context(Enforcement.NONE);
  private final RemoteKeys keys = new RemoteKeys(2);

  @AfterEach
  void close() {
    bench.close();
    issuer.close();
  }

  private KeyEndpoint endpoint(String path) throws Failure {
    return new KeyEndpoint(Endpoint.at(URI.create(issuer.url(path)), CallOptions.DEFAULT), new Value.Dict(Map.of()),
        TIMES.life(), context);
  }

  private IssuerKeys at(String path) throws Failure {
    return keys.at(endpoint(path), context);
  }

  private IssuerKeys fetched(String path) throws Failure {
    issuer.answer(path, Issuer.jwks(Issuer.of("k")));
    IssuerKeys out = at(path);
    out.find(TIMES, endpoint(path));
    return out;
  }

  @Test
  void keysOfOneAddressAreRemembered() throws Failure {
    IssuerKeys a = at("/a");
    assertSame(a, at("/a"));
    IssuerKeys b = at("/b");
    assertNotSame(a, b);
    assertSame(a, at("/a"), "there is room for both");
    assertSame(b, at("/b"));
    keys.clear();
    assertNotSame(a, at("/a"));
  }

  @Test
  void addressesWithoutKeysAreEvictedFirst() throws Failure {
    IssuerKeys a = fetched("/a");
    IssuerKeys madeUp = at("/made-up");
    at("/made-up-too");
    assertSame(a, at("/a"));
    assertNotSame(madeUp, at("/made-up"));
    assertSame(a, at("/a"));
  }

  @Test
  void moreAddressesThanHaveRoomBeginAgain() throws Failure {
    IssuerKeys a = fetched("/a");
    IssuerKeys b = fetched("/b");
    assertSame(a, at("/a"), "what is known is found where there is no room");
    IssuerKeys c = at("/c");
    assertSame(c, at("/c"));
    assertNotSame(a, at("/a"));
    assertNotSame(b, at("/b"));
  }

  @Test
  void keysAreUnknownUntilFetched() throws Failure {
    IssuerKeys a = at("/a");
    assertTrue(a.isUnknown());
    assertEquals("GET /a", fetched("/a").isUnknown() ? "" : issuer.receivedCalls());
    assertFalse(a.isUnknown());
  }
}
