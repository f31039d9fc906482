package portcullis.crypto.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.keys.Algorithm;

class ClaimsValidatorTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000, 500_000_000);
  private static final Expectations ANYTHING = expectations(List.of(), List.of(), ScopesMatcher.NONE, 0);

  private static Expectations expectations(List<String> issuers, List<String> audience, ScopesMatcher scopes,
      long leeway) {
    return new Expectations(issuers, audience, scopes, Set.of(), Duration.ofSeconds(leeway));
  }

  private static String outcome(String claims, Expectations expected) {
    try {
      ClaimsValidator.check(TestTokens.dict(claims), expected, NOW);
      return "met";
    } catch (ClaimsValidator.InvalidClaimException e) {
      return e.getMessage();
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
      {"iss":"iss-a"}                 | met
      {"iss":"https://issuer.test/b"} | met
      {"iss":"https://issuer.test/b/"} | issuer https://issuer.test/b/ is not trusted
      {"iss":"iss-x"}                 | issuer iss-x is not trusted
      {"iss":"ISS-A"}                 | issuer ISS-A is not trusted
      {"iss":"iss-"}                  | issuer iss- is not trusted
      {"iss":"iss-ab"}                | issuer iss-ab is not trusted
      {}                              | issuer  is not trusted
      {"iss":null}                    | issuer  is not trusted
      {"iss":""}                      | issuer  is not trusted
      {"iss":["iss-a"]}               | `iss` is not a string
      {"iss":7}                       | `iss` is not a string
      {"iss":{"iss-a":true}}          | `iss` is not a string
      {"iss":"a\\nb"}                 | issuer a?b is not trusted
      """)
  void acceptsListedIssuersOnly(String claims, String expected) {
    List<String> issuers = List.of("iss-a", "https://issuer.test/b");
    assertEquals(expected, outcome(claims, expectations(issuers, List.of(), ScopesMatcher.NONE, 0)));
  }

  @Test
  void laterChangesOfListsOfExpectationsHaveNoEffect() {
    List<String> names = new ArrayList<>(List.of("a"));
    Set<Algorithm> algorithms = EnumSet.of(Algorithm.ES256);
    Expectations expected = new Expectations(names, names, ScopesMatcher.NONE, algorithms, Duration.ZERO);
    names.clear();
    algorithms.clear();
    assertEquals(new Expectations(List.of("a"), List.of("a"), ScopesMatcher.NONE, Set.of(Algorithm.ES256),
        Duration.ZERO), expected);
  }

  @Test
  void ofLongIssuers100CharactersAreShown() {
    Expectations none = expectations(List.of("a"), List.of(), ScopesMatcher.NONE, 0);
    String most = "x".repeat(100);
    assertEquals("issuer " + most + " is not trusted", outcome("{\"iss\":\"" + most + "\"}", none));
    assertEquals("issuer " + most + "\u2026 is not trusted", outcome("{\"iss\":\"" + most + "y\"}", none));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
      {"aud":"shop"}           | met
      {"aud":"cart"}           | met
      {"aud":"other shop"}     | met
      {"aud":["other","shop"]} | met
      {"aud":"other"}          | no expected audience present
      {"aud":["a","b"]}        | no expected audience present
      {"aud":["other shop"]}   | no expected audience present
      {"aud":[]}               | no expected audience present
      {"aud":""}               | no expected audience present
      {"aud":" "}              | no expected audience present
      {"aud":null}             | no expected audience present
      {}                       | no expected audience present
      {"aud":"Shop"}           | no expected audience present
      {"aud":"sho"}            | no expected audience present
      {"aud":5}                | `aud` is neither a string nor a list of strings
      {"aud":["shop",5]}       | `aud` is neither a string nor a list of strings
      {"aud":{"shop":1}}       | `aud` is neither a string nor a list of strings
      """)
  void acceptsExpectedAudiencesAsStringAndList(String claims, String expected) {
    assertEquals(expected, outcome(claims, expectations(List.of(), List.of("shop", "cart"), ScopesMatcher.NONE, 0)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
      {}                       | met
      {"exp":1000060}          | met
      {"exp":999991}           | met
      {"exp":999990}           | expired
      {"exp":0}                | expired
      {"exp":-1}               | expired
      {"exp":999991.9}         | met
      {"exp":999990.9}         | expired
      {"exp":4102444800.75}    | met
      {"exp":1e300}            | met
      {"exp":-1e300}           | expired
      {"exp":9223372036854775807} | met
      {"exp":-9223372036854775808} | expired
      {"exp":99999999999999999999} | met
      {"exp":null}             | met
      {"exp":"4102444800"}     | `exp` is not a number
      {"exp":true}             | `exp` is not a number
      {"exp":{}}               | `exp` is not a number
      {"exp":[4102444800]}     | `exp` is not a number
      {"nbf":1000010}          | met
      {"nbf":1000011}          | not yet valid
      {"nbf":1e300}            | not yet valid
      {"nbf":-1}               | met
      {"nbf":"1"}              | `nbf` is not a number
      {"iat":1000010}          | met
      {"iat":1000011}          | issued in the future
      {"iat":9223372036854775807} | issued in the future
      {"iat":""}               | `iat` is not a number
      {"nbf":1000060,"exp":1}  | not yet valid
      """)
  void timesCountWithALeewayOfTenSeconds(String claims, String expected) {
    assertEquals(expected, outcome(claims, ANYTHING));
  }

  @Test
  void leewayIsAsConfiguredAndZeroStandsForTen() {
    assertEquals("expired", outcome("{\"exp\":999998}", expectations(List.of(), List.of(), ScopesMatcher.NONE, 1)));
    assertEquals("met", outcome("{\"exp\":999998}", ANYTHING));
    Expectations wide = expectations(List.of(), List.of(), ScopesMatcher.NONE, 120);
    assertEquals("met", outcome("{\"exp\":999900,\"nbf\":1000100,\"iat\":1000100}", wide));
    assertEquals("expired", outcome("{\"exp\":999800}", wide));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
      {"scope":"read write"}               | met
      {"scope":"admin write extra read"}   | met
      {"scope":["read","write"]}           | met
      {"scp":["write","read"]}             | met
      {"scp":"read write"}                 | met
      {"scp":null,"scope":"read write"}    | met
      {"scp":[],"scope":"read write"}      | met
      {"scp":["other"],"scope":"read write"} | required scope read is missing
      {}                                   | required scope read is missing
      {"scope":"read"}                     | required scope write is missing
      {"scope":"READ write"}               | required scope read is missing
      {"scope":"readwrite"}                | required scope read is missing
      {"scope":"read,write"}               | required scope read is missing
      {"scope":"*"}                        | required scope read is missing
      {"scope":""}                         | required scope read is missing
      {"scope":7}                          | `scope` is neither a string nor a list of strings
      {"scope":["read","write",1]}         | `scope` is neither a string nor a list of strings
      {"scope":{"read":1,"write":1}}       | `scope` is neither a string nor a list of strings
      """)
  void everyRequiredScopeIsThere(String claims, String expected) {
    ScopesMatcher both = new ScopesMatcher(ScopesMatcher.Strategy.EXACT, List.of("read", "write"));
    assertEquals(expected, outcome(claims, expectations(List.of(), List.of(), both, 0)));
  }

  @Test
  void wrongTypesAreRefusedAlsoWhereNothingIsExpected() {
    assertEquals("met",
        outcome("{\"iss\":\"x\",\"aud\":\"y\",\"scope\":\"z\",\"sub\":\"a\",\"other\":[1,{}]}", ANYTHING));
    for (String name : List.of("iss", "sub")) {
      assertEquals("`" + name + "` is not a string", outcome("{\"" + name + "\":7}", ANYTHING));
    }
    for (String name : List.of("aud", "scp", "scope")) {
      assertEquals("`" + name + "` is neither a string nor a list of strings",
          outcome("{\"" + name + "\":7}", ANYTHING));
    }
  }
}
