package portcullis.config;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FaultsTest {
  @Test
  void saysWhatIsNoYaml() throws IOException {
    FaultTable.check("yaml.txt", Yaml::read);
  }

  @Test
  void saysWhatDoesNotDecode() throws IOException {
    FaultTable.check("decoders.txt",
        (file, problems) -> Yaml.read(file, problems).ifPresent(n -> Samples.thing().decode(n, problems)));
  }
}
