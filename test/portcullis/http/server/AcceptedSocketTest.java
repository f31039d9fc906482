package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On real sockets, so that what is read is what was written. */
class AcceptedSocketTest {
  private final List<String> refusals = new ArrayList<>();
  private ServerSocket listener;
  private Socket client;
  private AcceptedSocket accepted;

  @BeforeEach
  void connect() throws IOException {
    listener = ServerSocketChannel.open().socket();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    client = new Socket(listener.getInetAddress(), listener.getLocalPort());
    client.setSoTimeout(30_000);
    accepted = new AcceptedSocket(listener.accept(), refusals::add);
    accepted.setSoTimeout(30_000);
  }

  @AfterEach
  void close() throws IOException {
    accepted.close();
    client.close();
    listener.close();
  }

  private void writeAll(String... texts) throws IOException {
    for (String text : texts) {
      accepted.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      accepted.getOutputStream().flush();
    }
  }

  private String read(int count) throws IOException {
    return new String(client.getInputStream().readNBytes(count), StandardCharsets.US_ASCII);
  }

  @Test
  void writesWhatItGatheredBeforeItReads() throws IOException {
    accepted.gather();
    writeAll("one", "two", "three");
    assertEquals(0, client.getInputStream().available());
    client.getOutputStream().write('x');
    assertEquals('x', accepted.getInputStream().read());
    assertEquals("onetwothree", read(11));
  }

  @Test
  void writesWhatItGatheredOnReleaseAndOnClose() throws IOException {
    accepted.gather();
    writeAll("one");
    accepted.release();
    assertEquals("one", read(3));
    writeAll("two");
    assertEquals("two", read(3));
    accepted.gather();
    writeAll("alert");
    accepted.close();
    assertEquals("alert", read(6));
  }

  @Test
  void sendsWhatItHoldsWithTheNextWriteOrBeforeItReads() throws IOException {
    accepted.gather();
    writeAll("ticket");
    accepted.hold();
    assertEquals(0, client.getInputStream().available());
    writeAll("answer");
    assertEquals("ticketanswer", read(12));
    accepted.gather();
    writeAll("ticket");
    accepted.hold();
    client.getOutputStream().write('x');
    assertEquals('x', accepted.getInputStream().read());
    assertEquals("ticket", read(6));
    writeAll("answer");
    assertEquals("answer", read(6));
    accepted.gather();
    writeAll("ticket");
    accepted.hold();
    accepted.close();
    assertEquals("ticket", read(7));
  }

  @Test
  void sendsMoreThanItCanHold() throws IOException {
    accepted.gather();
    writeAll("ticket");
    accepted.hold();
    String longer = "b".repeat(9000);
    writeAll(longer, "c");
    assertEquals("ticket" + longer + "c", read(9007));
  }

  @Test
  void keepsTheOrderOfWritesThatAreTooLong() throws IOException {
    accepted.gather();
    String longer = "b".repeat(9000);
    writeAll("a".repeat(5000), "c".repeat(5000), longer, "d");
    accepted.release();
    assertEquals("a".repeat(5000) + "c".repeat(5000) + longer + "d", read(19_001));
  }

  @Test
  void losesNothingThatItReadAhead() throws IOException {
    accepted.gather();
    byte[] sent = new byte[5000];
    for (int i = 0; i < sent.length; i++) {
      sent[i] = (byte) i;
    }
    client.getOutputStream().write(sent);
    client.shutdownOutput();
    InputStream in = accepted.getInputStream();
    byte[] got = new byte[sent.length];
    for (int i = 0; i < 5; i++) {
      got[i] = (byte) in.read();
    }
    accepted.release();
    assertEquals(sent.length - 5, in.readNBytes(got, 5, got.length - 5));
    assertArrayEquals(sent, got);
    assertEquals(-1, in.read());
  }

  @Test
  void readsNoMoreThanAHandshakeMayHaveAndSaysSoOnce() throws IOException {
    accepted.gather();
    byte[] tiny = {22, 3, 3, 0, 1, 0};
    for (int i = 0; i <= RecordBudget.HANDSHAKE_RECORDS; i++) {
      client.getOutputStream().write(tiny);
    }
    InputStream in = accepted.getInputStream();
    assertEquals(RecordBudget.HANDSHAKE_RECORDS * tiny.length,
        in.readNBytes(6 * RecordBudget.HANDSHAKE_RECORDS).length);
    assertEquals(RecordBudget.LONG, assertThrows(IOException.class, in::read).getMessage());
    assertEquals(List.of(RecordBudget.LONG), refusals);
  }

  @Test
  void takesWhateverIsSkipped() throws IOException {
    accepted.gather();
    client.getOutputStream().write(new byte[6 * RecordBudget.HANDSHAKE_RECORDS]);
    client.shutdownOutput();
    assertEquals(6 * RecordBudget.HANDSHAKE_RECORDS, accepted.getInputStream().skip(1 << 20));
    assertEquals(List.of(), refusals);
  }
}
