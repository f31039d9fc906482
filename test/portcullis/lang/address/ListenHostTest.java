package portcullis.lang.address;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenHostTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "0.0.0.0", "127.0.0.1", "::", "::1", "[::1]", "fe80::1%eth0", "[fe80::1%2]",
    "::ffff:10.0.0.1", "localhost",
    "app.local", "app.local.", "a-b.c1", "3com.example", "xn--bcher-kva.example"})
  void acceptsAddressesAndNames(String text) {
    assertEquals(Optional.empty(), ListenHost.advice(text));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
    "http://app.local|write `app.local`",
    "https://127.0.0.1:4456/x|write `127.0.0.1`, the port is set by `port`",
    "app.local:80|write `app.local`, the port is set by `port`",
    "[::1]:80|write `[::1]`, the port is set by `port`",
    "app.local/x|write `app.local`",
    ":4456|FORMS", "*|FORMS", "300.1.1.1|FORMS", "1.2.3|FORMS", "8080|FORMS", "\" \"|FORMS", "a b|FORMS", "-a|FORMS",
    "a-|FORMS", "a..b|FORMS",
    ".|FORMS", "under_score|FORMS", "bücher.example|FORMS", "[app]|FORMS", "::1%|FORMS", "1::2::3|FORMS",
    "[127.0.0.1]|FORMS", "http://|FORMS",
  })
  void rejectsOtherStringsWithAdvice(String text, String advice) {
    String forms = "as `127.0.0.1`, `::1` or `app.local`, or empty for all addresses";
    assertEquals(Optional.of(advice.replace("FORMS", forms)), ListenHost.advice(text));
  }

  @ParameterizedTest
  @ValueSource(ints = {63, 64})
  void boundsLabels(int length) {
    assertEquals(length > 63, ListenHost.advice("a".repeat(length) + ".example").isPresent());
  }
}
