package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafeUrlTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "/a/b|/a/b",
    "/a?b=1&c=|/a?b=1&c=",
    "/a?access_token=x|/a?access_token=REDACTED",
    "/a?Access_Token=x&b=2|/a?Access_Token=REDACTED&b=2",
    "/a?b=eyJhbGciOiJIUzI1NiJ9|/a?b=REDACTED",
    "/a?eyJhbGciOiJIUzI1NiJ9|/a?REDACTED",
    "/a?b|/a?b",
    "/a?|/a?",
    "/a?&&b=1=2|/a?b=1=2",
  })
  void whatMayBeACredentialIsHidden(String target, String shown) {
    assertEquals(shown, SafeUrl.target(target));
    assertEquals(shown, SafeUrl.text(target));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "android-app://x?token=secret|android-app://x?token=REDACTED",
    "app.example/x?token=secret|app.example/x?token=REDACTED",
    "?token=secret|?token=REDACTED",
    "foo;token=secret|foo;token=REDACTED",
    "http://x.example/#access_token=secret|http://x.example/#access_token=REDACTED",
    "http://x.example/?a=1#t&jwt=secret|http://x.example/?a=1#t&jwt=REDACTED",
    "http://x.example/?%74oken=secret|http://x.example/?%74oken=REDACTED",
    "http://x.example/?%zztoken=secret|http://x.example/?%zztoken=REDACTED",
    "http://x.example/?token[]=secret|http://x.example/?token[]=REDACTED",
    "http://x.example/?user.password=secret|http://x.example/?user.password=REDACTED",
    "http://x.example/?a=1&amp;token=secret|http://x.example/?a=1&amp;token=REDACTED",
    "http://x.example/?a?token=secret|http://x.example/?a?token=REDACTED",
    "http://x.example/?my-sid=s&SAMLResponse=s&otp=1|"
        + "http://x.example/?my-sid=REDACTED&SAMLResponse=REDACTED&otp=REDACTED",
    "http://u:p@x.example/?tokens=2&monkey=3|http://***@x.example/?tokens=2&monkey=3",
    "see http://x.example/?token=secret&b=2 there|see http://x.example/?token=REDACTED&b=2 there",
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101|Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101",
    "ann@a.example|ann@a.example", "a=b, c=\"d\"|a=b, c=\"d\"", "key=$1|key=REDACTED", "a=$1|a=$1", "''|''"
  })
  void textsAreShownWithoutCredentials(String text, String shown) {
    assertEquals(shown, SafeUrl.text(text));
  }

  /** Or a request could occupy a processor for minutes. */
  @Test
  void longTextsTakeNoMoreThanTheirLength() {
    String word = "a".repeat(1_000_000);
    assertEquals(word + " b=c", SafeUrl.text(word + " b=c"));
    String marks = "?".repeat(1_000_000);
    assertEquals(marks, SafeUrl.text(marks));
    String slashes = "\\".repeat(1_000_000) + "#@";
    assertEquals(slashes, SafeUrl.withoutUser(slashes));
  }
}
