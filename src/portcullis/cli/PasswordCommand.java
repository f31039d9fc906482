package portcullis.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import portcullis.crypto.passwords.PasswordHash;

/** Hashes a password for a file of users. It is read from standard input, as arguments are seen by other users. */
final class PasswordCommand {
  static final String DOC = "Reads a password from standard input and writes its hash, for a file of users.";
  static final List<Arguments.Option> OPTIONS = List.of();

  private static final int MOST_BYTES = 1024;

  private final Console console;
  private final InputStream in;
  private final BooleanSupplier typed;

  /** @param typed whether a user types the password, who ends it by a new line */
  PasswordCommand(Console console, InputStream in, BooleanSupplier typed) {
    this.console = console;
    this.in = in;
    this.typed = typed;
  }

  int hash(@SuppressWarnings("unused") Arguments arguments) {
    try {
      Optional<byte[]> line = line();
      if (line.isEmpty()) {
        return failed("there is more than one line on standard input: hash one password at a time");
      }
      byte[] password = line.get();
      if (password.length == 0) {
        return failed("there is no password on standard input: type it, or write `portcullis password hash < FILE`");
      }
      if (password.length > MOST_BYTES) {
        return failed("the password has more than " + MOST_BYTES + " bytes");
      }
      for (byte one : password) {
        if (one >= 0 && one < ' ' || one == 0x7f) {
          return failed("the password has a control character, which clients cannot send (RFC 7617)");
        }
      }
      console.say(PasswordHash.of(password, new SecureRandom()).text());
      return 0;
    } catch (IOException e) {
      return failed("cannot read standard input: " + e.getMessage());
    }
  }

  /** Returns the bytes of the only line, without its end, of a long one only a part; empty if there are others. */
  private Optional<byte[]> line() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int next = in.read();
    while (next >= 0 && next != '\n' && out.size() <= MOST_BYTES + 1) {
      out.write(next);
      next = in.read();
    }
    if (next == '\n' && !typed.getAsBoolean() && in.read() >= 0) {
      return Optional.empty();
    }
    byte[] read = out.toByteArray();
    boolean isDos = next == '\n' && read.length > 0 && read[read.length - 1] == '\r';
    return Optional.of(isDos ? Arrays.copyOf(read, read.length - 1) : read);
  }

  private int failed(String message) {
    console.complain(message);
    return 1;
  }
}
