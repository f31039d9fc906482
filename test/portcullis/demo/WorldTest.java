package portcullis.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WorldTest {
  @Test
  void keyStoreIsOursAloneAndGoesAtTheEnd() throws IOException {
    Caller caller = new Caller();
    Path file = caller.keyStore();
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())));
    caller.close();
    caller.world.close();
    assertFalse(Files.exists(file.getParent()));
  }

  @Test
  void knowsTheVariablesOfItsConfiguration() throws IOException {
    try (Caller caller = new Caller()) {
      Set<String> named = Pattern.compile("\\$\\{(\\w+)").matcher(Files.readString(Path.of("config/demo.yaml")))
          .results()
          .map(found -> found.group(1)).collect(Collectors.toSet());
      assertEquals(named, caller.world.variables().keySet());
    }
  }

  @Test
  void copiesRulesWithItsPortsAndUsesOthersInPlace(@TempDir Path folder) throws IOException {
    try (Caller caller = new Caller()) {
      String copy = Files.readString(Path.of(caller.world.guide().rules()));
      assertEquals(Files.readString(Caller.RULES), back(copy, caller.addresses));
      assertTrue(copy.contains("host: 127.0.0.1:" + caller.addresses.upstream()), copy);
    }
    Path own = Files.writeString(folder.resolve("own.yaml"), "# 127.0.0.1:80 is mine");
    try (World world = World.start(Addresses.free(), own)) {
      assertEquals(own.toString(), world.guide().rules());
    }
  }

  private static String back(String text, Addresses used) {
    return text.replace("127.0.0.1:" + used.upstream(), "127.0.0.1:4460").replace("127.0.0.1:" + used.identity(),
        "127.0.0.1:4461");
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1:4460, 127.0.0.1:4461", "127.0.0.1:4461, 127.0.0.1:4462", "127.0.0.1:44601, 127.0.0.1:44601",
    "http://127.0.0.1:4455/x, http://127.0.0.1:4455/x", "127.0.0.1:446, 127.0.0.1:446", "x:4460, x:4460",
    "127.0.0.1:99999, 127.0.0.1:99999"})
  void movesEachPortOnce(String text, String moved) {
    assertEquals(moved, Addresses.of(4455, 4457, 4461).moved(text));
  }

  @Test
  void takenPortIsToldAndLeavesNothingOpen() throws IOException {
    Addresses free = Addresses.free();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Addresses addresses = new Addresses(free.proxy(), free.management(), free.upstream(), free.identity(),
          taken.getLocalPort());
      IOException e = assertThrows(IOException.class, () -> World.start(addresses, Caller.RULES));
      String told = "port " + taken.getLocalPort() + " for the relation service is not available";
      assertTrue(e.getMessage().startsWith(told), e.getMessage());
      assertThrows(ConnectException.class, () -> new Socket("127.0.0.1", addresses.upstream()).close());
    }
  }

  @Test
  void missingRulesAreToldBeforeAnythingIsOpen() {
    assertThrows(NoSuchFileException.class, () -> World.start(Addresses.free(), Path.of("rules/none.yaml")));
  }
}
