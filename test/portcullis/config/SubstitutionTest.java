package portcullis.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.value.ValueFault;

class SubstitutionTest {
  @Test
  void substitutesAsHeimdallsLibrary() throws IOException, ValueFault {
    assumeTrue(Files.isRegularFile(GoldenRows.file()), "there is no " + GoldenRows.file());
    assertEquals(List.of(), GoldenRows.run().misses());
  }
}
