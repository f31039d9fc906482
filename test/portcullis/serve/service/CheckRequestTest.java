package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.http.grpc.GrpcException;
import portcullis.http.message.Described;
import portcullis.http.message.Field;

class CheckRequestTest {
  @Test
  void hostAndPseudoHeadersAreNoHeadersOfTheRequest() throws GrpcException {
    Described described = CheckRequest.read(EnvoyCaller.request("PUT", "https", "shop.local", "/user?a", new byte[] {1},
        "host", "evil.test", ":path", "/evil", "x-a", "b"));
    assertEquals(List.of(new Field("x-a", "b")), described.fields().lines());
    assertEquals("PUT https shop.local /user?a",
        String.join(" ", described.method(), described.scheme(), described.host(),
            described.target()));
  }

  @Test
  void bytesThatAreNoMessageAreRefused() {
    assertThrows(GrpcException.class, () -> CheckRequest.read(new byte[] {0x0a, 5, 1}));
  }
}
