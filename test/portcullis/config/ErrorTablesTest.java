package portcullis.config;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ErrorTablesTest {
  @Test
  void saysWhatIsNoYaml() throws IOException {
    ErrorTable.check("yaml.txt", Yaml::read);
  }

  @Test
  void saysWhatDoesNotDecode() throws IOException {
    ErrorTable.check("decoders.txt",
        (file, problems) -> Yaml.read(file, problems).ifPresent(n -> Samples.thing().decode(n, problems)));
  }
}
