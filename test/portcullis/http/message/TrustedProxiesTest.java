package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.address.Address;
import portcullis.lang.address.Network;

class TrustedProxiesTest {
  private static final TrustedProxies PROXIES = new TrustedProxies(List.of(Network.parse("10.0.0.0/8").orElseThrow()));

  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "-", value = {
    "11.0.0.1 | for=1.2.3.4               | 5.6.7.8                     | 11.0.0.1",
    "10.0.0.1 | for=1.2.3.4               | 5.6.7.8                     | 1.2.3.4",
    "10.0.0.1 | for=9.9.9.9, for=1.2.3.4  | -                           | 1.2.3.4",
    "10.0.0.1 | -                         | 9.9.9.9, 5.6.7.8            | 5.6.7.8",
    "10.0.0.1 | -                         | 9.9.9.9, 5.6.7.8, 10.0.0.2  | 5.6.7.8",
    "10.0.0.1 | -                         | 10.0.0.3, 10.0.0.2          | 10.0.0.3",
    "10.0.0.1 | -                         | x, 5.6.7.8                  | 5.6.7.8",
    "10.0.0.1 | -                         | 1.2.3.4, x, 10.0.0.2        | 10.0.0.2",
    "10.0.0.1 | -                         | \", 5.6.7.8                 | 5.6.7.8",
    "10.0.0.1 | for=\"                     | 1.2.3.4:80, , 5.6.7.8       | 5.6.7.8",
    "10.0.0.1 | -                         | 5.6.7.8, x                  | -",
    "10.0.0.1 | -                         | -                           | -"})
  void clientIsTheLastAddressThatIsNoProxy(String peer, String forwarded, String forwardedFor, String client) {
    List<Field> lines = new ArrayList<>();
    Optional.ofNullable(forwarded).ifPresent(value -> lines.add(new Field("Forwarded", value)));
    Optional.ofNullable(forwardedFor).ifPresent(value -> lines.add(new Field("X-Forwarded-For", value)));
    Optional<InetAddress> found = PROXIES.client(Address.parse(peer).orElseThrow(), Fields.of(lines));
    assertEquals(Optional.ofNullable(client), found.map(InetAddress::getHostAddress));
  }

  @Test
  void laterChangesOfAListOfNetworksHaveNoEffect() {
    List<Network> networks = new ArrayList<>();
    TrustedProxies proxies = new TrustedProxies(networks);
    networks.addAll(PROXIES.networks());
    assertFalse(proxies.trusts(Address.parse("10.0.0.1").orElseThrow()));
  }
}
