package portcullis.crypto.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IssuerPatternTest {
  private static final List<String> REALMS = List.of("https://idp.test/realms/*", "exact");

  @ParameterizedTest
  @ValueSource(strings = {"https://idp.test/realms/red", "https://idp.test/realms/Red-1_2.x~",
    "https://idp.test/realms/a%20b",
    "https://idp.test/realms/%C3%BC", "https://idp.test/realms/..a", "exact"})
  void aStarIsOneSegment(String issuer) {
    assertTrue(IssuerPattern.isAmong(REALMS, issuer));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://idp.test/realms/", "https://idp.test/realms", "https://idp.test/realms/red/",
    "https://idp.test/realms/a/b",
    "https://idp.test/realms/*", "https://idp.test/realms/.", "https://idp.test/realms/..",
    "https://idp.test/realms/%2e%2e",
    "https://idp.test/realms/a%2Fb", "https://idp.test/realms/a%2fb", "https://idp.test/realms/a%5Cb",
    "https://idp.test/realms/a\\b",
    "https://idp.test/realms/a?x=1", "https://idp.test/realms/a#x", "https://idp.test/realms/a b",
    "https://idp.test/realms/a%",
    "https://idp.test/realms/a%00", "https://idp.test/realms/a%25", "https://idp.test/realms/a\n",
    "https://idp.test/realms/ü",
    "https://IDP.test/realms/a", "http://idp.test/realms/a", "https://evil.test/realms/a",
    "https://idp.test.evil.test/realms/a",
    "https://idp.test@evil.test/realms/a", "https://idp.test/x/realms/a", "https:/idp.test/realms/a", "exact/", "",
    "*"})
  void nothingElseFits(String issuer) {
    assertFalse(IssuerPattern.isAmong(REALMS, issuer));
  }

  @Test
  void segmentsAreBounded() {
    assertTrue(IssuerPattern.isAmong(REALMS, "https://idp.test/realms/" + "a".repeat(255)));
    assertFalse(IssuerPattern.isAmong(REALMS, "https://idp.test/realms/" + "a".repeat(256)));
    assertFalse(IssuerPattern.isAmong(REALMS, "https://idp.test/realms/" + "%20".repeat(100_000)));
  }

  @Test
  void starsMayStandAmongSegments() {
    List<String> tenants = List.of("https://login.test/*/v2.0");
    assertTrue(IssuerPattern.isAmong(tenants, "https://login.test/tenant/v2.0"));
    assertFalse(IssuerPattern.isAmong(tenants, "https://login.test/tenant/v1.0"));
    assertFalse(IssuerPattern.isAmong(tenants, "https://login.test/tenant"));
  }

  @ParameterizedTest
  @CsvSource({"https://idp.test/realms/*,true", "http://idp.test:8080/*/v2.0,true", "https://idp.test/*/*,true",
    "plain,true",
    "https://*/realms,false", "https://*.idp.test/realms/a,false", "https://idp.test/realms/a*,false",
    "https://idp.test/realms/**,false",
    "https://idp.test/a?x=*,false", "*,false", "realms/*,false", "ftp://idp.test/*,false"})
  void onlyWholeSegmentsMayBeStars(String expected, boolean valid) {
    assertEquals(valid ? Optional.empty() : Optional.of("`*` stands for one whole segment of the path"),
        IssuerPattern.error(expected));
  }
}
