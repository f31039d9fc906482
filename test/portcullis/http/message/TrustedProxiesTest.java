package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.address.Address;
import portcullis.lang.address.Network;

class TrustedProxiesTest {
  private static final TrustedProxies PROXIES = new TrustedProxies(List.of(Network.parse("10.0.0.0/8").orElseThrow()));

  private static Fields fields(String forwarded, String forwardedFor) {
    List<Field> lines = new ArrayList<>();
    Optional.ofNullable(forwarded).ifPresent(value -> lines.add(new Field("Forwarded", value)));
    Optional.ofNullable(forwardedFor).ifPresent(value -> lines.add(new Field("X-Forwarded-For", value)));
    return Fields.of(lines);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "-", value = {
    "11.0.0.1 | for=1.2.3.4                     | 5.6.7.8                     | 11.0.0.1",
    "10.0.0.1 | for=1.2.3.4                     | -                           | 1.2.3.4",
    "10.0.0.1 | for=9.9.9.9, for=1.2.3.4        | -                           | 1.2.3.4",
    "10.0.0.1 | -                               | 9.9.9.9, 5.6.7.8            | 5.6.7.8",
    "10.0.0.1 | -                               | 9.9.9.9, 5.6.7.8, 10.0.0.2  | 5.6.7.8",
    "10.0.0.1 | for=7.7.7.7, for=1.2.3.4        | 9.9.9.9, 1.2.3.4, 10.0.0.2  | 1.2.3.4",
    "10.0.0.1 | -                               | 10.0.0.3, 10.0.0.2          | 10.0.0.3",
    "10.0.0.1 | for=10.0.0.3                    | 10.0.0.3, 10.0.0.2          | 10.0.0.3",
    "10.0.0.1 | for=10.0.0.3                    | 5.6.7.8                     | 5.6.7.8",
    "10.0.0.1 | for=1.2.3.4                     | 10.0.0.3                    | 1.2.3.4",
    "10.0.0.1 | -                               | x, 5.6.7.8                  | 5.6.7.8",
    "10.0.0.1 | -                               | \", 5.6.7.8                 | 5.6.7.8",
    "10.0.0.1 | for=\", for=1.2.3.4             | -                           | 1.2.3.4",
    "10.0.0.1 | -                               | 1.2.3.4:80, , 5.6.7.8:81    | 5.6.7.8",
    "10.0.0.1 | 'For=\"1.2.3.4:80\";by=x'       | -                           | 1.2.3.4",
    "10.0.0.1 | 'host=a;for=\"[2001:db8::1]\"'  | -                           | 2001:db8:0:0:0:0:0:1",
    "10.0.0.1 | 'for=\"[2001:db8::1]:80\",'     | 2001:db8::1                 | 2001:db8:0:0:0:0:0:1"})
  void clientIsTheLastAddressThatIsNoProxy(String peer, String forwarded, String forwardedFor, String client) {
    InetAddress address = Address.parse(peer).orElseThrow();
    InetAddress expected = Address.parse(client).orElseThrow();
    assertEquals(Optional.of(expected), PROXIES.client(address, fields(forwarded, forwardedFor)));
    assertEquals(Optional.of(Network.ofPeer(expected)), PROXIES.share(address, fields(forwarded, forwardedFor)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "-", value = {
    "for=6.6.6.6               | 5.6.7.8",
    "for=10.0.0.2              | x",
    "x                         | 10.0.0.2",
    "for=10.0.0.2              | 10.0.0.3",
    "for=10.0.0.2, for=6.6.6.6 | 6.6.6.6, 5.6.7.8",
    "for=1.2.3.4               | 6.6.6.6, x",
    "for=1.2.3.4               | 1.2.3.4, x, 10.0.0.2",
    "for=\"                    | 5.6.7.8",
    "for=6.6.6.6, for=_hidden  | -",
    "for=6.6.6.6, for=unknown  | 6.6.6.6",
    "for=6.6.6.6;for=1.2.3.4   | -",
    "for=6.6.6.6, proto=https  | -",
    "for=6.6.6.6, for          | -",
    "for=[::1                  | -",
    "for=1.2.3.4:80:80         | -",
    "-                         | 6.6.6.6, :80",
    "-                         | 6.6.6.6, [1.2.3.4]",
    "-                         | 6.6.6.6, 1.2.3.4:x",
    "-                         | 5.6.7.8, x"})
  void clientOfContradictoryFieldsSharesWithTheProxy(String forwarded, String forwardedFor) {
    InetAddress peer = Address.parse("10.0.0.1").orElseThrow();
    assertEquals(Optional.empty(), PROXIES.client(peer, fields(forwarded, forwardedFor)));
    assertEquals(Optional.of(Network.ofPeer(peer)), PROXIES.share(peer, fields(forwarded, forwardedFor)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "-", value = {"- | -", "'' | ' , '"})
  void aClientThatIsNotNamedHasNoShare(String forwarded, String forwardedFor) {
    InetAddress peer = Address.parse("10.0.0.1").orElseThrow();
    assertEquals(Optional.empty(), PROXIES.client(peer, fields(forwarded, forwardedFor)));
    assertEquals(Optional.empty(), PROXIES.share(peer, fields(forwarded, forwardedFor)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "-", value = {
    "11.0.0.1 | for=6.6.6.6             | 5.6.7.8 | 11.0.0.1",
    "10.0.0.1 | for=6.6.6.6             | -       | 6.6.6.6",
    "10.0.0.1 | -                       | -       | ''",
    "10.0.0.1 | for=10.0.0.2            | 5.6.7.8 | 5.6.7.8",
    "10.0.0.1 | for=6.6.6.6             | 5.6.7.8 | 6.6.6.6 5.6.7.8",
    "10.0.0.1 | for=\"                  | 5.6.7.8 | 5.6.7.8",
    "10.0.0.1 | for=6.6.6.6, for=hidden | 5.6.7.8 | 5.6.7.8",
    "10.0.0.1 | for=6.6.6.6             | x       | 6.6.6.6"})
  void eachAddressThatAFieldNamesMayBeTheClients(String peer, String forwarded, String forwardedFor, String all) {
    assertEquals(all, PROXIES.candidates(Address.parse(peer).orElseThrow(), fields(forwarded, forwardedFor)).stream()
        .map(AddressText::of).collect(Collectors.joining(" ")));
  }

  @Test
  void laterChangesOfAListOfNetworksHaveNoEffect() {
    List<Network> networks = new ArrayList<>();
    TrustedProxies proxies = new TrustedProxies(networks);
    networks.addAll(PROXIES.networks());
    assertFalse(proxies.trusts(Address.parse("10.0.0.1").orElseThrow()));
  }
}
