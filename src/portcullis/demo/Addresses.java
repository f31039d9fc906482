package portcullis.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * The ports of the demonstration, all on the loopback interface.
 *
 * @param proxy of the main service, which visitors use
 * @param management of the proxy
 */
public record Addresses(int proxy, int management, int upstream, int identity, int relations) {
  /** The default ports, which its configuration and rules name too. */
  public static final Addresses DEFAULT = of(4455, 4457, 4460);

  static final String HOST = "127.0.0.1";

  /** Returns addresses with successive ports for the three services of the world. */
  public static Addresses of(int proxy, int management, int world) {
    return new Addresses(proxy, management, world, world + 1, world + 2);
  }

  /** Returns ports that are not in use at the moment. */
  public static Addresses free() throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int i = 0; i < DEFAULT.all().size(); i++) {
        held.add(new ServerSocket(0, 1, InetAddress.getByName(HOST)));
      }
      List<Integer> ports = held.stream().map(ServerSocket::getLocalPort).toList();
      return new Addresses(ports.get(0), ports.get(1), ports.get(2), ports.get(3), ports.get(4));
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }

  /** Returns all ports, which must be different. */
  public List<Integer> all() {
    return List.of(proxy, management, upstream, identity, relations);
  }

  /** Returns the URL for visitors, without a trailing slash. */
  public String proxyUrl() {
    return "http://" + authority(proxy);
  }

  /** Returns {@code host:port}, as in configurations. */
  static String authority(int port) {
    return HOST + ":" + port;
  }
}
