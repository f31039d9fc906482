package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which fields only a trusted proxy may send, and which of those go no further. */
class ForwardedFamilyTest {
  @ParameterizedTest
  @CsvSource({"Forwarded, true, true", "X-Forwarded-For, true, true", "x-forwarded-proto, true, true",
    "X-Forwarded-Host, true, true", "X-FORWARDED-METHOD, true, true", "X-Forwarded-Uri, true, true",
    "X-Forwarded-Path, true, true", "X-Forwarded-Client-Cert, true, false", "X-Forwarded-Port, true, false",
    "X_Forwarded_Port, true, true", "x.forwarded.for, true, true", "X-Original-URL, true, false",
    "X-Original-Method, true, false", "x-rewrite-url, true, false", "X_Rewrite_Url, true, false",
    "Client-Cert, true, false", "Client-Cert-Chain, true, false", "client_cert, true, true",
    "Client.Cert-Chain, true, true", "Forwarded-For, false, false", "X-Forwarded, false, false",
    "X-Originals, false, false", "X-Rewrite-Urls, false, false", "Client-Certs, false, false",
    "Client-Cert-Chains, false, false", "From, false, false", "X-F, false, false", "Cookie, false, false"})
  void namesAreKnownInAllSpellings(String name, boolean trusted, boolean ends) {
    assertEquals(trusted, ForwardedFamily.has(name));
    assertEquals(ends, ForwardedFamily.endsHere(name));
  }
}
