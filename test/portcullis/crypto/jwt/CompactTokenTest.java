package portcullis.crypto.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.crypto.jwt.TestTokens.encoded;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.lang.value.Value;

class CompactTokenTest {
  private static final String HEADER = encoded("{\"alg\":\"PS256\",\"kid\":\"k\"}");
  private static final String CLAIMS = encoded("{\"iss\":\"a\",\"n\":9007199254740993}");

  private static String refusal(String token) {
    TokenException error = assertThrows(TokenException.class, () -> CompactToken.parse(token));
    assertEquals(TokenException.Kind.MALFORMED, error.kind());
    assertTrue(error.getMessage().startsWith("failed to parse JWT: "), error.getMessage());
    return error.getMessage().substring("failed to parse JWT: ".length());
  }

  private static CompactToken withHeader(String json) throws TokenException {
    return CompactToken.parse(encoded(json) + "." + CLAIMS + ".AQID");
  }

  @Test
  void readsHeaderAndClaimsExactly() throws TokenException {
    CompactToken token = CompactToken.parse(HEADER + "." + CLAIMS + ".AQID");
    assertEquals(Algorithm.PS256, token.algorithm());
    assertEquals(Optional.of("k"), token.keyId());
    assertEquals(Optional.of(Value.of("k")), token.header().get("kid"));
    assertEquals(TestTokens.dict("{\"iss\":\"a\",\"n\":9007199254740993}"), token.unverifiedClaims());
  }

  @Test
  void keyIdsAreStringsAndEmptyOnesAbsent() throws TokenException {
    assertEquals(Optional.empty(), withHeader("{\"alg\":\"ES256\"}").keyId());
    assertEquals(Optional.empty(), withHeader("{\"alg\":\"ES256\",\"kid\":\"\"}").keyId());
    for (String odd : new String[] {"7", "[\"k\"]", "null", "{}", "true"}) {
      assertEquals("its kid is not a string",
          refusal(encoded("{\"alg\":\"ES256\",\"kid\":" + odd + "}") + "." + CLAIMS + ".AQID"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a.b", "a.b.c.d", "a.b.c.d.e", ".", "...", "Bearer a"})
  void refusesOtherNumbersOfParts(String token) {
    assertEquals("it does not have three parts", refusal(token));
  }

  @Test
  void rejectsTooLongTokensBeforeParsing() {
    assertEquals("it is longer than 16384 bytes", refusal(".".repeat(1_000_000)));
    assertEquals("it is longer than 16384 bytes", refusal(HEADER + "." + "A".repeat(16384) + ".AQID"));
    assertEquals("it does not have three parts", refusal(".".repeat(16384)));
    assertEquals("its payload is not base64url", refusal(HEADER + "." + "!".repeat(16000) + ".AQID"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":"})
  void rejectsTooDeepTokens(String open) {
    for (int depth : new int[] {33, 2000}) {
      String json = "{\"alg\":\"ES256\",\"x\":" + open.repeat(depth);
      String expected = " is not well-formed JSON, or it is too deep or names a member twice";
      assertEquals("its header" + expected, refusal(encoded(json) + "." + CLAIMS + ".AQID"));
      assertEquals("its payload" + expected, refusal(HEADER + "." + encoded(json) + ".AQID"));
    }
  }

  @Test
  void acceptsWhatIsAsDeepAsAllowed() throws TokenException {
    String json = "{\"x\":" + "[".repeat(31) + "]".repeat(31) + "}";
    assertTrue(CompactToken.parse(HEADER + "." + encoded(json) + ".AQID").unverifiedClaims().get("x").isPresent());
    assertTrue(refusal(HEADER + "." + encoded("{\"x\":" + "[".repeat(32) + "]".repeat(32) + "}") + ".AQID")
        .contains("too deep"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
      nonsense                                | its header is not well-formed JSON, or it is too deep or names a \
      member twice
      {"alg":"PS256","kid":"k"                | its header is not well-formed JSON, or it is too deep or names a \
      member twice
      {"alg":"PS256"} x                       | its header is not well-formed JSON, or it is too deep or names a \
      member twice
      {"alg":"PS256"}{}                       | its header is not well-formed JSON, or it is too deep or names a \
      member twice
      {"alg":"PS256","alg":"none"}            | its header is not well-formed JSON, or it is too deep or names a \
      member twice
      {"alg":"PS256","x":{"a":1,"a":1}}       | its header is not well-formed JSON, or it is too deep or names a \
      member twice
      []                                      | its header is not a JSON object
      null                                    | its header is not a JSON object
      "text"                                  | its header is not a JSON object
      {}                                      | its algorithm is not supported
      {"alg":""}                              | its algorithm is not supported
      {"alg":"none"}                          | its algorithm is not supported
      {"alg":"None"}                          | its algorithm is not supported
      {"alg":"nOnE"}                          | its algorithm is not supported
      {"alg":"RSA-OAEP"}                      | its algorithm is not supported
      {"alg":null}                            | its alg is not a string
      {"alg":0}                               | its alg is not a string
      {"alg":["PS256"]}                       | its alg is not a string
      {"alg":"PS256","crit":["exp"]}          | its header has `crit`, which is not supported
      {"alg":"PS256","crit":[]}               | its header has `crit`, which is not supported
      {"alg":"PS256","crit":null}             | its header has `crit`, which is not supported
      {"alg":"PS256","b64":false}             | its header has `b64`, which is not supported
      {"alg":"PS256","b64":true}              | its header has `b64`, which is not supported
      {"alg":"PS256","zip":"DEF"}             | its header has `zip`, which is not supported
      {"alg":"dir","enc":"A256GCM"}           | its header has `enc`, which is not supported
      """)
  void rejectsInvalidHeaders(String header, String expected) {
    assertEquals(expected, refusal(encoded(header) + "." + CLAIMS + ".AQID"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[\"a\"]", "null", "\"a\"", "7", "{", "{} x", "", "{\"iss\":\"a\",\"iss\":\"b\"}",
    "{\"a\":NaN}",
    "{'a':1}"})
  void refusesPayloads(String payload) {
    assertTrue(refusal(HEADER + "." + encoded(payload) + ".AQID").startsWith("its payload is not "));
  }

  @Test
  void refusesTextThatIsNotUtf8() {
    byte[] latin1 = "{\"sub\":\"\u00ff\"}".getBytes(StandardCharsets.ISO_8859_1);
    byte[] utf16 = "{\"sub\":\"a\"}".getBytes(StandardCharsets.UTF_16);
    byte[] overlong = {'{', '"', (byte) 0xC0, (byte) 0xA2, '"', ':', '1', '}'};
    for (byte[] payload : new byte[][] {latin1, utf16, overlong}) {
      assertEquals("its payload is not UTF-8", refusal(HEADER + "." + Base64Url.text(payload) + ".AQID"));
    }
  }

  @Test
  void refusesOtherSpellingsOfTheSameBytes() throws TokenException {
    CompactToken.parse(HEADER + "." + CLAIMS + ".AQIDBA");
    for (String signature : new String[] {"AQIDBA==", "AQIDBB", "AQID BA", "AQIDBA\n", "AQ/DBA", "AQ+DBA", "%41QID"}) {
      assertEquals("its signature is not base64url", refusal(HEADER + "." + CLAIMS + "." + signature));
    }
    assertEquals("its payload is not base64url", refusal(HEADER + ". " + CLAIMS + ".AQID"));
  }

  @Test
  void messagesHaveNothingOfTheToken() {
    String canary = "canary-7f3a";
    for (String token : new String[] {canary, canary + ".b.c",
      encoded("{\"alg\":\"" + canary + "\"}") + "." + CLAIMS + ".AQID",
      HEADER + "." + encoded(canary) + ".AQID", HEADER + "." + CLAIMS + "." + canary + "!"}) {
      assertTrue(!refusal(token).contains(canary));
    }
  }
}
