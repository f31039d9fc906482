package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.CorpusTables;
import portcullis.lang.value.Value;

class ForwardedChainTest {
  @TestFactory
  List<DynamicTest> agreesWithTheTableOfForwarded() throws Exception {
    return rows("forwarded_rfc7239", (lines, row) -> {
      Optional<List<String>> wanted = CorpusTables.member(row, "wantErr").equals(Value.TRUE) ? Optional.empty()
          : Optional.of(wanted(row));
      assertEquals(wanted, ForwardedChain.forwarded(lines));
    });
  }

  @TestFactory
  List<DynamicTest> agreesWithTheTableOfForwardedFor() throws Exception {
    return rows("x_forwarded_for", (lines, row) -> assertEquals(wanted(row), ForwardedChain.forwardedFor(lines)));
  }

  private interface Check {
    void run(List<String> lines, Value row);
  }

  private static List<DynamicTest> rows(String label, Check check) throws Exception {
    return CorpusTables.rows(label).stream().map(row -> {
      Value data = CorpusTables.member(row, "case");
      return DynamicTest.dynamicTest(CorpusTables.text(CorpusTables.member(row, "name")),
          () -> check.run(CorpusTables.texts(CorpusTables.member(data, "values")), data));
    }).toList();
  }

  /** The tables append to a list that may hold something before. */
  private static List<String> wanted(Value row) {
    List<String> before = CorpusTables.texts(CorpusTables.member(row, "dst"));
    List<String> all = CorpusTables.texts(CorpusTables.member(row, "want"));
    return all.subList(Math.min(before.size(), all.size()), all.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"203.0.113.7:1234", "fe80::1%eth0", "203.0.113", "203.0.113.256", "010.0.0.1", "localhost",
    "[::1]", "\"1.2.3.4\"", "1.2.3.4 x", "x::1]"})
  void whatIsNoAddressEndsTheChain(String element) {
    assertEquals(List.of("10.1.1.1"), ForwardedChain.forwardedFor(List.of("10.1.1.1, " + element + ", 10.2.2.2",
        "10.3.3.3")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"for", "for=1.2.3.4;for=5.6.7.8", "for=\"2001:db8::1\"", "for=\"[1.2.3.4]\"", "f or=1.2.3.4",
    "=1.2.3.4",
    "for=1.2.3.4;host=a:80", "for=1.2.3.4;proto=", "for=\"1.2.3.4\"x", "for=\"x::1]\"", "for=\"[::1\""})
  void brokenElementsDiscardTheWhole(String element) {
    assertEquals(Optional.empty(), ForwardedChain.forwarded(List.of("for=10.1.1.1", element)));
  }

  @Test
  void hiddenClientsAreLeftOut() {
    assertEquals(Optional.of(List.of("203.0.113.7")),
        ForwardedChain.forwarded(List.of("for=unknown, for=UNKNOWN, for=_secret, for=\"_x.y\", for=203.0.113.7")));
    assertEquals(Optional.of(List.of()), ForwardedChain.forwarded(List.of("by=x;proto=https")));
    assertEquals(Optional.of(List.of("203.0.113.7")), ForwardedChain.forwarded(List.of("x=y;for=203.0.113.7")));
  }
}
