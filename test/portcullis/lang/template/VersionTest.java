package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.lang.value.ValueException;

class VersionTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      0.0.4                          | 0.0.4
      1.2.3                          | 1.2.3
      v1.2.3                         | 1.2.3
      1                              | 1.0.0
      1.2                            | 1.2.0
      01.002.03                      | 1.2.3
      1.2-rc                         | 1.2.0-rc
      1-0                            | 1.0.0-0
      1.1.2-prerelease+meta          | 1.1.2-prerelease+meta
      1.1.2+meta                     | 1.1.2+meta
      1.1.2+meta-valid               | 1.1.2+meta-valid
      1.0.0-alpha.0valid             | 1.0.0-alpha.0valid
      1.0.0-alpha-a.b-c-long+build.1 | 1.0.0-alpha-a.b-c-long+build.1
      1.2.3----RC-SNAPSHOT.12.9.1--. | FAULT
      1.2.3----RC-SNAPSHOT.12.9.1--  | 1.2.3----RC-SNAPSHOT.12.9.1--
      1.0.0+0.build.1-rc.10000aaa.01 | 1.0.0+0.build.1-rc.10000aaa.01
      1.0.0-0A.is.legal              | 1.0.0-0A.is.legal
      9223372036854775807.0.0        | 9223372036854775807.0.0
      """)
  void parsesByTheSemverGrammar(String text, String expected) throws ValueException {
    if (expected.equals("FAULT")) {
      assertThrows(ValueException.class, () -> Version.read(text));
    } else {
      assertEquals(expected, Version.read(text).text());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "v", "V1.2.3", "vv1", " 1.2.3", "1.2.3 ", "1.", "1..2", ".1", "1.2.", "1.2.3.4", "-1",
    "+1", "a", "x", "1.x", "*", "1.2.3-", "1.2.3+", "1.2.3-+b", "1.2.3-a+", "1.2.3-a..b", "1.2.3-.a", "1.2.3-a.",
    "1.2.3-a_b",
    "1.2.3+a+b", "1.2.3+ä", "1.2.3-ä", "1.2.3-01", "1.2.3-a.00", "1٢", "9223372036854775808",
    "1.99999999999999999999",
    "1.2.3\n"})
  void rejectsInvalidVersions(String text) {
    assertThrows(ValueException.class, () -> Version.read(text), text);
  }

  @Test
  void boundsTheLengthOfAVersion() throws ValueException {
    assertEquals(1, Version.read("1.2.3-" + "a".repeat(250)).major());
    assertEquals("a version of more than 256 characters",
        assertThrows(ValueException.class, () -> Version.read("1.2.3-" + "a".repeat(251))).getMessage());
  }

  @Test
  void errorsHaveTheirPlace() {
    assertEquals("unexpected character at position 4 of the version, write it as `1.2.3-rc.1+build`",
        assertThrows(ValueException.class, () -> Version.read("1.2_3")).getMessage());
    assertEquals("the version ends too early, write it as `1.2.3-rc.1+build`",
        assertThrows(ValueException.class, () -> Version.read("1.2.")).getMessage());
  }

  /** The example of semver.org, 11.4.4. */
  @Test
  void ordersByPrecedence() throws ValueException {
    List<String> ascending = List.of("1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
        "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1-0", "1.0.1", "1.1.0", "2.0.0");
    for (int i = 0; i < ascending.size(); i++) {
      for (int j = 0; j < ascending.size(); j++) {
        int compared = Version.read(ascending.get(i)).compare(Version.read(ascending.get(j)));
        assertEquals(Integer.compare(i, j), Integer.signum(compared));
      }
    }
    assertEquals(0, Version.read("1.0.0+a").compare(Version.read("1+b")));
  }

  private static boolean holds(String constraint, String version) throws ValueException {
    return VersionConstraint.holds(VersionConstraint.read(constraint), Version.read(version));
  }

  /** Versions for which a constraint holds, and after the bar those for which it does not. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      1.2.3            | 1.2.3 v1.2.3+meta      | 1.2.4 1.2.3-rc
      =1.2.3           | 1.2.3                  | 1.2.4
      1.2              | 1.2.0 1.2.9            | 1.3.0 1.1.9
      !=1.2.3          | 1.2.4                  | 1.2.3
      !=1.2            | 1.3.0 2.2.0            | 1.2.0 1.2.7
      !=1.x            | 2.0.0 0.9.0            | 1.0.0 1.9.9
      >1.2             | 1.3.0 2.0.0            | 1.2.9 1.0.0
      >1               | 2.0.0                  | 1.9.9
      >1.2.3           | 1.2.4                  | 1.2.3
      >=1.2            | 1.2.0 3.0.0            | 1.1.9
      =>1.2            | 1.2.0                  | 1.1.9
      <1.2             | 1.1.9                  | 1.2.0
      <=1.2            | 1.2.9 0.1.0            | 1.3.0
      =<1.2.3          | 1.2.3                  | 1.2.4
      <=1              | 1.9.9                  | 2.0.0
      ~1.2.3           | 1.2.3 1.2.9            | 1.3.0 1.2.2
      ~>1.2            | 1.2.9                  | 1.3.0
      ~1               | 1.9.9                  | 2.0.0 0.9.9
      ^1.2.3           | 1.2.3 1.9.9            | 2.0.0 1.2.2
      ^0.2.3           | 0.2.9                  | 0.3.0 1.0.0
      ^0.0.3           | 0.0.3                  | 0.0.4
      ^0.0             | 0.0.9                  | 0.1.0
      ^0               | 0.9.9                  | 1.0.0
      *                | 0.0.1 9.9.9            | 1.0.0-rc
      1.X              | 1.0.0 1.9.9            | 2.0.0
      1.*.7            | 1.0.0 1.9.9            | 2.0.0
      1.2 - 1.4        | 1.2.0 1.4.9            | 1.1.9 1.5.0
      1.2 - 1.4, !=1.3 | 1.2.0 1.4.0            | 1.3.5
      >=1, <2          | 1.0.0 1.9.9            | 2.0.0
      >=1 <2           | 1.5.0                  | 0.9.0
      >=1,<2           | 1.5.0                  | 2.0.0
      >= 1 , < 2       | 1.5.0                  | 2.0.0
      >=1.0.0-0        | 1.0.0-rc 1.0.0 2.0.0-a | 0.9.0-rc
      >=1-0 <2         | 1.5.0-rc               | 0.9.0
      >=1+meta         | 1.0.0                  | 0.9.0
      """)
  void comparesByConstraints(String constraint, String good, String bad) throws ValueException {
    for (String version : good.trim().split(" +")) {
      assertTrue(holds(constraint, version), constraint + " should hold for " + version);
    }
    for (String version : bad.trim().split(" +")) {
      assertTrue(!holds(constraint, version), constraint + " should not hold for " + version);
    }
  }

  @Test
  void matchesOneOfTheAlternatives() throws ValueException {
    for (String constraint : List.of("<1 || >=2", "<1||>=2", " <1|| 2 - 3 ")) {
      assertTrue(holds(constraint, "0.5.0") && holds(constraint, "2.0.0") && !holds(constraint, "1.5.0"), constraint);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ">", ">>1", "==1", "><1", "1 >", ">=1,", ",>=1", ">=1,,<2", "1||", "||1", "1|2",
    "1 | 2",
    "1 || || 2", "1 -2", "1 - ", "1 - >2", ">1 - 2", "1 - 2 - 3", "1.2.3.4", "1x", "x1", "1.x2", "a", "1-",
    "1-01", ">=1<2",
    "9223372036854775808"})
  void rejectsInvalidConstraints(String text) {
    assertThrows(ValueException.class, () -> VersionConstraint.read(text), text);
  }

  @Test
  void boundsTheLengthOfAConstraint() throws ValueException {
    assertEquals(1, VersionConstraint.read(" ".repeat(1023) + "1").size());
    assertThrows(ValueException.class, () -> VersionConstraint.read(" ".repeat(1024) + "1"));
  }
}
