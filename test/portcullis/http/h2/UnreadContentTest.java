package portcullis.http.h2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UnreadContentTest {
  @Test
  void comesOutAsItCameIn() {
    Random random = new Random(42);
    UnreadContent content = new UnreadContent();
    ByteArrayOutputStream in = new ByteArrayOutputStream();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] into = new byte[9000];
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(3) > 0) {
        byte[] piece = new byte[random.nextBoolean() ? 1 + random.nextInt(8) : 1 + random.nextInt(9000)];
        random.nextBytes(piece);
        in.writeBytes(piece);
        content.add(piece.clone());
      } else if (content.size() > 0) {
        out.write(into, 0, content.take(into, 0, 1 + random.nextInt(into.length)));
      }
      assertEquals(in.size() - out.size(), content.size());
    }
    while (content.size() > 0) {
      out.write(into, 0, content.take(into, 0, into.length));
    }
    assertArrayEquals(in.toByteArray(), out.toByteArray());
  }

  @Test
  void singleBytesTakeLittleMoreMemoryThanThemselves() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] one = {'x'};
    UnreadContent content = new UnreadContent();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < Inbound.WINDOW; i++) {
      content.add(one);
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertEquals(Inbound.WINDOW, content.size());
    assertTrue(allocated < 2 * Inbound.WINDOW, allocated + " bytes for " + Inbound.WINDOW);
  }

  @Test
  void clearedContentIsGone() {
    UnreadContent content = new UnreadContent();
    content.add(new byte[] {1, 2});
    content.add(new byte[] {3});
    assertEquals(3, content.clear());
    assertEquals(0, content.size());
    content.add(new byte[] {4});
    byte[] into = new byte[4];
    assertEquals(1, content.take(into, 0, 4));
    assertEquals(4, into[0]);
  }
}
