package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import portcullis.lang.value.ParseMemory;

class CountedBodyTest {
  @Test
  void whatIsReadCountsAndItsEndDoesNot() throws IOException {
    try (ParseMemory.Lease memory = ParseMemory.PROCESS.lease("192.0.2.1")) {
      CountedBody body = new CountedBody(new ByteArrayInputStream(new byte[] {1, 2, 3}), memory, 10);
      assertEquals(1, body.read());
      assertEquals(10, memory.held());
      assertEquals(2, body.read(new byte[5], 0, 5));
      assertEquals(30, memory.held());
      assertEquals(-1, body.read());
      assertEquals(-1, body.read(new byte[5], 0, 5));
      assertEquals(30, memory.held());
    }
  }
}
