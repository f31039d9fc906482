package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretTextTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln|REDACTED",
    "x eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln; b|x REDACTED; b", "idtoken.eyJhbGciOiJub25lIn0|idtoken.REDACTED",
    "Bearer xyz|Bearer REDACTED", "a, dpop  xyz, b|a, dpop  REDACTED, b", "BASIC YTpi|BASIC REDACTED",
    "Negotiate YII=|Negotiate REDACTED", "forbearer xyz|forbearer xyz", "Bearer|Bearer",
    "api_key: xyz|api_key: REDACTED", "api_key:xyz, b: c|api_key:REDACTED, b: c",
    "clientSecret : x|clientSecret : REDACTED",
    "{\"token\":\"x\\\"yz\",\"b\":\"c\"}|{\"token\":REDACTED,\"b\":\"c\"}",
    "{\"pin\": 1234}|{\"pin\": REDACTED}", "{\"accessToken\":\"x y|{\"accessToken\":REDACTED",
    "{'pass':'x y','b':1}|{'pass':REDACTED,'b':1}",
    "{\"keys\":1,\"key\":[\"x\",\"y\"],\"b\":1}|{\"keys\":1,\"key\":REDACTED",
    "{\\\"token\\\":\\\"x y\\\",\\\"b\\\":1}|{\\\"token\\\":REDACTED\\\",\\\"b\\\":1}",
    "{\"user\":{\"password\":\"hunter2\"}}|{\"user\":{\"password\":REDACTED}}",
    "{\"m\":\"x\",\"h\":[{\"api_key\":\"v\"}],\"b\":1}|{\"m\":\"x\",\"h\":[{\"api_key\":REDACTED}],\"b\":1}",
    "{\"m\":\"pin: 1\",\"b\":1}|{\"m\":\"pin: REDACTED\",\"b\":1}", "note: token: abc|note: token: REDACTED",
    "a:token:abc|a:token:REDACTED", "token: a: abc, b|token: REDACTED, b", "token: key: 'x y'|token: REDACTED",
    "token:a:b: c:d e|token:REDACTED e", "token: |token: ", "token: , pin: 1|token: , pin: REDACTED",
    "heyJude.txt, eyJude.txt|heyJude.txt, REDACTED", "a%20eyJhbGciOiJkaXIifQ..x.y.z b|a%20REDACTED b",
    "heyJ.eyJzdWIiOiJhIn0.c2ln|heyJ.REDACTED", "a%253DeyJhbGciOiJub25lIn0.x b|a%253DREDACTED b",
    "\\neyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln|\\nREDACTED", "monkeyJar|monkeyJar",
    "Authorization: Bearer xyz|Authorization: REDACTED REDACTED",
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101|Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101",
    "https://a.example:8443/monkey: 1|https://a.example:8443/monkey: 1", "12:30:00|12:30:00", "``|``"})
  void credentialsInValuesAreHidden(String value, String shown) {
    assertEquals(shown, SecretText.without(value));
  }

  /** Or a request could occupy a processor for minutes. */
  @Test
  void longValuesTakeNoMoreThanTheirLength() {
    for (String part : List.of("a", "a:", "a\":", "a:\"", "a:'", "eyJ", "a.", "bearer ", "bearer", " ", ": ", "a: ",
        "\\\"",
        "a:\\\"", "a:\"\\", "token:\"", "token:[", "token:{", "token:a:", "token: a: ", "{\"token\":", "[{\"a\":",
        "%20eyJ", "heyJ", "heyJ.", "eyJ.", "xeyJ-",
        "a_b.c-d:", "token:'", "token:''", "token: :", "token:a: ,", "token:\\\"\\")) {
      String value = "token: " + part.repeat(200_000);
      assertTimeoutPreemptively(Duration.ofSeconds(20), () -> SecretText.without(value), part);
    }
  }
}
