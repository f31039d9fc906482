package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptTest {
  private static final List<String> OFFERS = List.of("text/html", "application/json", "text/plain", "application/xml");

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "application/json                              | application/json",
    "APPLICATION/JSON                              | application/json",
    "*/*                                           | text/html",
    "''                                            | text/html",
    "application/*                                 | application/json",
    "text/*;q=0.5, application/xml;q=0.4           | text/html",
    "application/json;q=0.1, text/plain;q=0.9      | text/plain",
    "text/html;q=0.1, application/json;q=0.9       | application/json",
    "text/plain, text/html                         | text/plain",
    "*/*;q=0.1, application/xml                    | application/xml",
    "text/*, text/html;q=0                         | text/plain",
    "*/*, text/*;q=0                               | application/json",
    "text/html;q=0.1, text/html;q=0.9, text/plain;q=0.5 | text/plain",
    "'  '                                          | text/html",
    "*/*, text/html;q=0.9                          | application/json",
    "text/html;level=1;q=0.3, */*;q=0.2            | text/html",
    "application/xhtml+xml, text/html;q=0.9        | text/html",
    "image/png, */*;q=0.001                        | text/html",
    "text/plain;q=1.000, text/html;q=0.999         | text/plain",
    "text/plain; q=0.5 ,text/html ; q=0.6          | text/html"})
  void theClientsWeightsDecide(String accept, String best) {
    assertEquals(Optional.of(best), Accept.best(OFFERS, Fields.of("Accept", accept)));
  }

  @Test
  void withoutAcceptTheFirstOfferIsBest() {
    assertEquals(Optional.of("text/html"), Accept.best(OFFERS, Fields.NONE));
    assertEquals(Optional.of("text/plain"), Accept.best(OFFERS, Fields.of("Accept", "image/png", "Accept",
        "text/plain")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"image/png", "text/html;q=0", "*/*;q=0", "no-slash", ";;;,", "text/", "/html", "*/html",
    "text/html;q=2", "text/html;q=0.1234",
    "text/html;q=", "text/html;q=a", "text/html;q=1.1", "text/html;q=-1", "text/html;q=.5", "text/html, no-slash",
    "text/ht ml", "; text/html"})
  void nothingAcceptableOrNothingClearMeansNone(String accept) {
    assertEquals(Optional.empty(), Accept.best(OFFERS, Fields.of("Accept", accept)));
  }

  @Test
  void mediaTypesHaveParameters() {
    MediaType type = MediaType.parse("Text/X-Own; A=\"b;c\" ;charset=utf-8").orElseThrow();
    assertEquals("text/x-own", type.essence());
    assertEquals(Map.of("a", "b;c", "charset", "utf-8"), type.parameters());
    for (String wrong : List.of("", "a", "a/b/c", "a/b;c", "a/b;c=", "a/b;c=d;C=e", "a/b;=d", "a/b;c=\"d", ";a/b",
        "a /b")) {
      assertEquals(Optional.empty(), MediaType.parse(wrong), wrong);
    }
  }
}
