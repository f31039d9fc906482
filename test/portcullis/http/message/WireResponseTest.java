package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Responses of other clients than ours. */
class WireResponseTest {
  @Test
  void responseOfAnotherClientHasItsFieldsAlone() {
    WireResponse response = new WireResponse.Foreign(HttpHeaders.of(
        Map.of(":status", List.of("200"), "x-a", List.of("1", "2")), (_, _) -> true));
    assertEquals(List.of(new Field("x-a", "1"), new Field("x-a", "2")), response.fields().lines());
    assertEquals(Fields.NONE, response.trailers());
    assertEquals(Optional.empty(), response.tunnel());
  }
}
