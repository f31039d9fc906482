package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import portcullis.http.grpc.Code;
import portcullis.http.message.Response;

class CheckResponseTest {
  @Test
  void aDenialNeverHasTheCodeOfAPermission() {
    Response answer = Response.of(403);
    assertThrows(IllegalArgumentException.class, () -> CheckResponse.denied(Code.OK, answer));
    assertTrue(CheckResponse.denied(Code.PERMISSION_DENIED, answer).length > 0);
  }

  /** Such fields are for one connection (RFC 9110, section 7.6.1), which is that of Envoy and its client. */
  @Test
  void aDenialHasNoFieldsOfAConnection() {
    Response answer = Response.of(403).with("Connection", "close").with("X-Reason", "late");
    String bytes = new String(CheckResponse.denied(Code.PERMISSION_DENIED, answer), StandardCharsets.ISO_8859_1);
    assertTrue(bytes.toLowerCase(Locale.ROOT).contains("x-reason"), bytes);
    assertFalse(bytes.toLowerCase(Locale.ROOT).contains("connection"), bytes);
  }
}
