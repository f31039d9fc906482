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
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

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
  void knowsTheVariablesOfItsFiles() throws IOException {
    try (Caller caller = new Caller()) {
      Set<String> named = Pattern.compile("\\$\\{(\\w+)")
          .matcher(Files.readString(Caller.CONFIG) + Files.readString(Caller.RULES))
          .results()
          .map(found -> found.group(1)).collect(Collectors.toSet());
      assertEquals(named, caller.world.variables().keySet());
    }
  }

  @Test
  void takenPortIsToldAndLeavesNothingOpen() throws IOException {
    Addresses free = Addresses.free();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Addresses addresses = new Addresses(free.proxy(), free.management(), free.upstream(), free.identity(),
          taken.getLocalPort());
      IOException e = assertThrows(IOException.class, () -> World.start(addresses, Caller.CONFIG, Caller.RULES));
      String told = "port " + taken.getLocalPort() + " for the relation service is not available";
      assertTrue(e.getMessage().startsWith(told), e.getMessage());
      assertThrows(ConnectException.class, () -> new Socket("127.0.0.1", addresses.upstream()).close());
    }
  }
}
