package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryTest {
  @Test
  void parametersAreDecodedAndListed() {
    assertEquals(Map.of(), Query.parameters(""));
    assertEquals(Map.of("a", List.of("1", "2"), "b", List.of("")), Query.parameters("a=1&b&a=2"));
    assertEquals(Map.of("full name", List.of("Ann Ö")), Query.parameters("full+name=Ann%20%C3%96"));
    assertEquals(Map.of("", List.of("b", ""), "a", List.of("")), Query.parameters("&&a=&=b&="));
    assertEquals(Map.of("a", List.of("1;b=2?/")), Query.parameters("a=1;b=2?/"));
    assertEquals(Map.of("a", List.of("%zz"), "b", List.of("%")), Query.parameters("a=%zz&b=%"));
    assertEquals(Map.of("a", List.of("%2541".substring(0, 1) + "41")), Query.parameters("a=%2541"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "token=1&x=2         | x=2",
    "token=1&x=2&token=3 | x=2",
    "token=1             | ''",
    "%74oken=1&x=2       | x=2",
    "a+b=1&a%20b=2&c=3   | c=3",
    "Token=1             | Token=1",
    "z=1&b=%7e&a=x+y&b=2 | a=x+y&b=~&b=2&z=1",
    "''                  | ''",
    "x&=1&token          | =1&x=",
    "token=%zz&x=%       | x=%25",
    "%zz=1&token=2&%C3%A4=%ff | %25zz=1&%C3%A4=%FF",
    "a=1;token=2         | a=1%3Btoken%3D2"})
  void stripsNamedParametersAndWritesTheRest(String raw, String stripped) {
    assertEquals(stripped, Query.without(raw, List.of("token", "a b")));
  }

  @Test
  void withoutNamesTheQueryIsUntouched() {
    assertEquals("z=1&&b=%7e&%zz", Query.without("z=1&&b=%7e&%zz", List.of()));
  }

  @Test
  void brokenNamesAreStrippedAsTheyStand() {
    assertEquals("x=1", Query.without("%zz=1&x=1", List.of("%zz")));
    assertEquals("x=1", Query.without("%C3%A4=1&x=1", List.of("ä")));
  }
}
