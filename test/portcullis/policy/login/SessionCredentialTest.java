package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Mechanism;

/** What locks and streams know of a login. */
class SessionCredentialTest {
  @TempDir
  private Path folder;
  private LoginBench bench;
  private LoginBench.Browser browser;

  @BeforeEach
  void open() {
    bench = new LoginBench(folder);
    browser = bench.new Browser();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void hasSessionOfTheProviderAndItsEnd() throws Exception {
    bench.provider.claims.put("jti", Value.of("j-1"));
    Instant begun = bench.now;
    Mechanism.Authenticator login = bench.login(bench.yaml(", absolute_timeout: 2h", ""));
    browser.signIn(login, "/");
    bench.passes(30);
    Credential known = browser.page(login).credential();
    assertEquals(bench.provider.issuer(), known.issuer());
    assertEquals("ann", known.subject());
    assertEquals("sid-1", known.session());
    assertEquals("j-1", known.tokenId());
    assertEquals(Optional.of(begun), known.authenticated());
    assertEquals(Optional.of(begun.plusSeconds(7200)), known.expires());
  }

  @Test
  void withoutSidASessionHasAnIdOfItsOwn() throws Exception {
    bench.provider.claims.put("sid", Value.NULL);
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    String own = browser.page(login).credential().session();
    assertEquals(false, own.isEmpty());
    assertEquals(own, browser.page(login).credential().session(), "the same for each request");
    LoginBench.Browser other = bench.new Browser();
    other.signIn(login, "/");
    assertEquals(false, own.equals(other.page(login).credential().session()));
  }

  @Test
  void aRefreshKeepsSessionAndItsBeginning() throws Exception {
    Instant begun = bench.now;
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    bench.provider.claims.put("sid", Value.NULL);
    bench.passes(55);
    Credential known = browser.page(login).credential();
    assertEquals(1, bench.provider.calls("/token").stream().filter(c -> c.body().contains("refresh_token")).count());
    assertEquals("sid-1", known.session());
    assertEquals(Optional.of(begun), known.authenticated());
  }
}
