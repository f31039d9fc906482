package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
}
