package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NameSetTest {
  private static final List<String> MANAGED = List.of("X-User", "Remote-User", "Authorization", "X-Auth.Level", "a_b",
      "X-Forwarded-For");

  @Test
  void containsEverySpellingOfAName() {
    NameSet set = NameSet.of(MANAGED);
    Random random = new Random(19);
    for (int i = 0; i < 5_000; i++) {
      String name = respelled(MANAGED.get(random.nextInt(MANAGED.size())), random);
      assertTrue(set.has(name), name);
    }
  }

  /** Any letter case, any character that a token may have as separator. */
  private static String respelled(String name, Random random) {
    StringBuilder out = new StringBuilder();
    for (char c : name.toCharArray()) {
      boolean letter = Character.isLetterOrDigit(c);
      char other = "-_.!#$%&'*+^`|~".charAt(random.nextInt(15));
      out.append(letter ? random.nextBoolean() ? Character.toUpperCase(c) : Character.toLowerCase(c) : other);
    }
    return out.toString();
  }

  @Test
  void othersDoNot() {
    NameSet set = NameSet.of(MANAGED);
    for (String name : List.of("", "X", "XUser", "X-Users", "X-Use", "X--User", "-X-User", "X-User-", "User-X", "a-c",
        "ab", "Y-User")) {
      assertFalse(set.has(name), name);
    }
    assertFalse(NameSet.EMPTY.has(""));
    assertFalse(NameSet.EMPTY.has("X-User"));
  }

  @Test
  void namesDifferInAnyCharacterThatIsNoSeparator() {
    assertTrue(NameSet.areSame("X-User", "x_uSER"));
    for (String other : List.of("Y-User", "X-Vser", "X-Uses", "X-Use", "X-Users", "XXUser")) {
      assertFalse(NameSet.areSame("X-User", other), other);
    }
  }

  @Test
  void holdsManyNames() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      names.add("X-Name-" + i);
    }
    NameSet set = NameSet.of(names);
    names.forEach(name -> assertTrue(set.has(name.replace('-', '_'))));
    assertFalse(set.has("X-Name-500"));
  }

  @Test
  void dropsLookAlikesOfProtectedFields() {
    Fields fields = Fields.of("X-User", "root", "x_user", "root", "X.USER", "root", "X-Other", "1", "X-LEVEL", "2");
    assertEquals(Fields.of("X-Other", "1", "X-LEVEL", "2"),
        fields.without(field -> NameSet.of(List.of("X-User")).has(field.name())));
  }

  @Test
  void trailersOfTrustedNamesAreDropped() {
    Fields trailers = Fields.of("X-Late", "1", "X-User", "root", "x_user", "root", "X-Forwarded-For", "6.6.6.6",
        "Forwarded", "x", "Host", "b",
        "Content-Length", "1", "Transfer-Encoding", "chunked", "Authorization", "x", "Cookie", "a=b", "Connection",
        "X-Late", "grpc-status", "0");
    assertEquals(Fields.of("X-Late", "1", "grpc-status", "0"), Trailers.passedOn(trailers,
        NameSet.of(List.of("X-User"))));
  }
}
