package portcullis.fuzz;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import portcullis.serve.runtime.TextFuzz;

/** A little of what {@link Fuzz} does, the same at each run unless another seed is named. */
class FuzzTest {
  private static final int COUNT = Integer.getInteger("portcullis.fuzz", 100);
  private final Random random = new Random(Long.getLong("portcullis.fuzz.seed", 4));

  @Test
  void textsEndWithAResultOrWithProblems() throws Exception {
    TextFuzz texts = new TextFuzz(random);
    assertDoesNotThrow(() -> {
      for (int i = 0; i < COUNT; i++) {
        texts.once();
      }
    });
    assertTrue(texts.sound() > COUNT / 20, "only " + texts.sound() + " were sound");
  }

  @Test
  void pathsAreOnePathForAll() {
    PathFuzz paths = new PathFuzz(random);
    assertDoesNotThrow(() -> {
      for (int i = 0; i < 100 * COUNT; i++) {
        paths.once();
      }
    });
    assertTrue(paths.passed() > COUNT, "only " + paths.passed() + " passed");
    assertTrue(paths.decoded() > 0 && paths.strayed() > 0,
        paths.decoded() + " were decoded, " + paths.strayed() + " strayed");
  }
}
