package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sends one request, byte for byte, over a connection of its own, and takes the answer apart. */
final class OneRequest {
  private OneRequest() {}

  /** All that is answered to this text until the other side ends the connection. */
  static String answer(int port, String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  /** The same for a request without a body for the host {@code localhost}. */
  static String receivedCalls(int port, String method, String target, String... lines) throws IOException {
    return answer(port, text(method, target, lines) + "\r\n");
  }

  /** The head of a request, without the empty line at its end. */
  static String text(String method, String target, String... lines) {
    return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + Stream.of(lines).map(line -> line + "\r\n").collect(Collectors.joining());
  }

  static int status(String answer) {
    return Integer.parseInt(answer.substring(9, 12));
  }

  /** The values of a field, joined; empty where there is none. */
  static String field(String answer, String name) {
    return answer.substring(0, answer.indexOf("\r\n\r\n")).lines()
        .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
        .map(line -> line.substring(name.length() + 1).strip()).collect(Collectors.joining(" | "));
  }

  static String body(String answer) {
    return answer.substring(answer.indexOf("\r\n\r\n") + 4);
  }
}
