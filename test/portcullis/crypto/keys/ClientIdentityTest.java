package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.CertificateDraft;

class ClientIdentityTest {
  private static ClientIdentity of(String... names) throws KeyMaterialException {
    return ClientIdentity.of(CertificateDraft.of("orders").hosts(names).make().certificate());
  }

  @Test
  void namesAreApartByTheirKind() throws Exception {
    ClientIdentity all = of("a.test", "192.0.2.7", "spiffe://shop.example/orders", "ann@a.test", "b.test", "10.0.0.1");
    assertEquals(List.of("a.test", "b.test"), all.dnsNames());
    assertEquals(List.of("192.0.2.7", "10.0.0.1"), all.addresses());
    assertEquals(List.of("spiffe://shop.example/orders"), all.uris());
    assertEquals(List.of("ann@a.test"), all.emails());
    assertEquals(Optional.of("spiffe://shop.example/orders"), all.spiffeId());
    assertEquals(Optional.of("shop.example"), all.trustDomain());
    assertEquals(Optional.of("orders"), all.commonName());
    assertEquals("CN=orders", all.distinguishedName());
  }

  @Test
  void certificatesWithoutOtherNamesHaveTheirSubjectAlone() throws Exception {
    ClientIdentity bare = of();
    assertEquals(List.of(), bare.dnsNames());
    assertEquals(Optional.empty(), bare.spiffeId());
    assertEquals(Optional.empty(), bare.trustDomain());
    assertEquals("CN=orders", bare.distinguishedName());
  }

  @Test
  void namesWithControlCharactersDoNotCount() throws Exception {
    assertEquals(List.of("b.test"), of("a\u0007.test", "b.test").dnsNames());
    ClientIdentity odd = ClientIdentity.of(CertificateDraft.of("a\u0007b").make().certificate());
    assertEquals(Optional.empty(), odd.commonName());
    assertEquals("", odd.distinguishedName());
  }

  /** SPIFFE-ID, 2.1 and 2.3: a trust domain has at most 255 characters, an ID at most 2048. */
  @ParameterizedTest
  @CsvSource({"255, 300, true", "256, 300, false", "1, 2048, true", "1, 2049, false"})
  void spiffeIdsHaveLimitedLengths(int domain, int length, boolean valid) throws Exception {
    String start = "spiffe://" + "d".repeat(domain) + "/";
    String id = start + "p".repeat(length - start.length());
    assertEquals(valid ? Optional.of(id) : Optional.empty(), of(id).spiffeId());
  }

  @Test
  void severalUrisAreNoSpiffeId() throws Exception {
    assertEquals(Optional.empty(), of("spiffe://a.test/x", "spiffe://a.test/y").spiffeId());
  }
}
