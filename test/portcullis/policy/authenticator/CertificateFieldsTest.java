package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.http.message.Fields;

class CertificateFieldsTest {
  @Test
  void aBlankFieldIsNoCertificate() throws KeyMaterialException {
    assertEquals(List.of(), CertificateFields.envoy(Fields.of("X-Forwarded-Client-Cert", " ")));
    assertEquals(List.of(), CertificateFields.envoy(Fields.NONE));
    assertEquals(List.of(), CertificateFields.standard(Fields.of("Client-Cert-Chain", ":AAAA:")));
  }

  @ParameterizedTest
  @CsvSource({"a%2Bb+c, a+b+c", "%2d%2D, --", "'', ''", "%7e, ~", "x%41, xA"})
  void percentEncodingIsDecodedAlone(String encoded, String decoded) throws KeyMaterialException {
    assertEquals(decoded, CertificateFields.percentDecoded(encoded));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "%4", "a%4", "%g1", "%1g", "%%41"})
  void brokenPercentEncodingIsAnError(String encoded) {
    assertThrows(KeyMaterialException.class, () -> CertificateFields.percentDecoded(encoded));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "By=a;Hash=b|"
        + "`X-Forwarded-Client-Cert` has neither `Cert` nor `Chain`, which the proxy has to be configured to send",
    "Cert=a;Cert=b|`X-Forwarded-Client-Cert` has two certificates in an element",
    "Chain=a;chain=b|`X-Forwarded-Client-Cert` has two certificates in an element",
    "Cert=\"a|a quote in `X-Forwarded-Client-Cert` is not closed",
    "Cert=\"a\"junk|`X-Forwarded-Client-Cert` has a quote within a value",
    "Cert=a\"b\"|`X-Forwarded-Client-Cert` has a quote within a value",
    "Cert=\"a\"\"b\"|`X-Forwarded-Client-Cert` has a quote within a value",
    "\"Cert\"=a|`X-Forwarded-Client-Cert` has a quote within a value",
    "URI=\"u\" x;Cert=a|`X-Forwarded-Client-Cert` has a quote within a value",
    "Cert= \"a\"|`X-Forwarded-Client-Cert` has a quote within a value",
    "Cert=a;b|`X-Forwarded-Client-Cert` has something that is not a pair",
    "Cert=a,By=b|"
        + "`X-Forwarded-Client-Cert` has neither `Cert` nor `Chain`, which the proxy has to be configured to send",
    "Cert=%4|the percent encoding of the certificate is broken",
    ";URI=u;URI=v;Cert=%4;|the percent encoding of the certificate is broken",
    "URI=\"u\" ; Cert=\"%4\" |the percent encoding of the certificate is broken",
    "URI=\"\";Cert=%4|the percent encoding of the certificate is broken",
    "URI=\"a\\\";Cert=b\";Cert=\"%4\"|the percent encoding of the certificate is broken",
  })
  void errorsOfEnvoysFieldSayWhatIsWrong(String value, String message) {
    assertEquals(message, assertThrows(KeyMaterialException.class,
        () -> CertificateFields.envoy(Fields.of("X-Forwarded-Client-Cert", value))).getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"AAAA", ":AAAA", "AAAA:", "::", ":", ":?:"})
  void standardFieldIsBase64BetweenColons(String value) {
    assertEquals("`Client-Cert` is not a byte sequence in base64 between colons (RFC 9440, 2.1)",
        assertThrows(KeyMaterialException.class, () -> CertificateFields.standard(Fields.of("Client-Cert", value)))
            .getMessage());
  }

  @Test
  void standardFieldIsThereOnce() {
    assertEquals("`Client-Cert` is there twice", assertThrows(KeyMaterialException.class,
        () -> CertificateFields.standard(Fields.of("Client-Cert", ":AAAA:", "Client-Cert", ":AAAA:"))).getMessage());
  }
}
