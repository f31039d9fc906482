package portcullis.crypto.apikeys;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import portcullis.config.Shape;
import portcullis.fixture.KeyList;

class ApiKeyTableTest {
  private static final Shape KEY = ApiKeyTable.entry().shape();

  @Test
  void whereNothingMayNotBeWrittenIsListed() throws IOException {
    KeyList.assertRestricting("API keys", KEY);
  }

  @Test
  void boundsSecretsAndDefaultsAreListed() throws IOException {
    KeyList.assertProperties("API keys", KEY);
  }
}
