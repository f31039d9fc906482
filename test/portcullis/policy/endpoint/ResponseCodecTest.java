package portcullis.policy.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpHeaders;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResponseCodecTest {
  private static EndpointResponse reply() {
    HttpHeaders headers = HttpHeaders
        .of(Map.of("X-A", List.of("1", "zo\u00c3\u00ab", ""), "Content-Type", List.of("text/plain")), (_, _) -> true);
    return new EndpointResponse(203, headers, new byte[] {0, (byte) 0xff, 10});
  }

  @Test
  void whatIsWrittenIsReadAsItWas() {
    EndpointResponse read = ResponseCodec.FORM.read(ResponseCodec.FORM.write(reply())).orElseThrow();
    assertEquals(203, read.status());
    assertEquals(reply().headers().map(), read.headers().map());
    assertArrayEquals(reply().body(), read.body());
  }

  @Test
  void unknownBytesAreNoReply() {
    byte[] good = ResponseCodec.FORM.write(reply());
    for (int length = 0; length < good.length - reply().body().length; length++) {
      assertTrue(ResponseCodec.FORM.read(Arrays.copyOf(good, length)).isEmpty(), "length " + length);
    }
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      byte[] changed = good.clone();
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      ResponseCodec.FORM.read(changed);
    }
    assertTrue(ResponseCodec.FORM.read("{\"status\":200}".getBytes(UTF_8)).isEmpty());
  }
}
