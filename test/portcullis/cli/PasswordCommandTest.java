package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.passwords.PasswordHash;

class PasswordCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private boolean typed;

  private int run(String input) throws Exception {
    Console console = new Console(new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
    return new PasswordCommand(console, new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), () -> typed)
        .hash(Arguments.parse(List.of(), PasswordCommand.OPTIONS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pässword", "pässword\n", "pässword\r\n"})
  void hashesTheLine(String input) throws Exception {
    assertEquals(0, run(input), err::toString);
    PasswordHash hash = PasswordHash.parse(out.toString(StandardCharsets.UTF_8).strip());
    assertTrue(hash.matches("pässword".getBytes(StandardCharsets.UTF_8), new long[hash.words()]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "a\tb", "pass\r", "a\0"})
  void refusesWhatClientsCannotSend(String input) throws Exception {
    assertEquals(1, run(input));
    assertEquals("", out.toString(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"one\ntwo\n", "one\n\n", "one\r\ntwo"})
  void refusesSeveralLines(String input) throws Exception {
    assertEquals(1, run(input));
    assertEquals("", out.toString(StandardCharsets.UTF_8));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("more than one line"), err::toString);
  }

  /** What a terminal has read ahead is not waited for. */
  @Test
  void aTypedLineEndsThePassword() throws Exception {
    typed = true;
    assertEquals(0, run("one\nnext"), err::toString);
  }

  @Test
  void refusesLongPasswordsWithoutShowingThem() throws Exception {
    assertEquals(0, run("x".repeat(1024)));
    out.reset();
    assertEquals(1, run("x".repeat(1025)));
    assertFalse(err.toString(StandardCharsets.UTF_8).contains("xx"));
  }
}
