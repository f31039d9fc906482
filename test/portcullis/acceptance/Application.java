package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import portcullis.fixture.RawUpstream;

/** An application behind a proxy: tells what it got, and echoes once a connection has been upgraded. */
final class Application {
  private Application() {}

  /** A script of all that happens on one connection. */
  static void serve(RawUpstream.Peer peer) throws IOException {
    for (String head = peer.head(); !head.isEmpty(); head = peer.head()) {
      if (!field(head, "upgrade").isEmpty()) {
        peer.say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
            + "Upgrade\r\nSec-WebSocket-Accept: "
            + accepted(field(head, "sec-websocket-key")) + "\r\n\r\n");
        for (int c = peer.input().read(); c >= 0; c = peer.input().read()) {
          peer.say(new byte[] {(byte) c});
        }
        return;
      }
      String text = digest(body(peer, head));
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: " + text.length() + "\r\n\r\n" + text);
    }
  }

  private static String body(RawUpstream.Peer peer, String head) throws IOException {
    if (!field(head, "transfer-encoding").isEmpty()) {
      StringBuilder out = new StringBuilder();
      for (int n = Integer.parseInt(peer.line(), 16); n > 0; n = Integer.parseInt(peer.line(), 16)) {
        out.append(peer.read(n));
        peer.line();
      }
      for (String trailer = peer.line(); !trailer.isEmpty(); trailer = peer.line()) {
        out.append(trailer); // a body with another digest
      }
      return out.toString();
    }
    String length = field(head, "content-length");
    return length.isEmpty() ? "" : peer.read(Integer.parseInt(length));
  }

  /** The values of all fields of that name, with a bar between them; empty where there is none. */
  static String field(String head, String name) {
    StringBuilder out = new StringBuilder();
    head.lines().skip(1).filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
        .forEach(line -> out.append(out.isEmpty() ? "" : "|").append(line.substring(name.length() + 1).strip()));
    return out.toString();
  }

  static String digest(String body) {
    return HexFormat.of().formatHex(hash("SHA-256", body));
  }

  /** (RFC 6455, 4.2.2). */
  private static String accepted(String key) {
    return Base64.getEncoder().encodeToString(hash("SHA-1", key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
  }

  private static byte[] hash(String algorithm, String text) {
    try {
      return MessageDigest.getInstance(algorithm).digest(text.getBytes(ISO_8859_1));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
