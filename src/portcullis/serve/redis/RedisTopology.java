package portcullis.serve.redis;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.http.message.Authority;

/** The address of Redis, or of the servers that name it. */
sealed interface RedisTopology {
  int PORT = 6379;
  int SENTINEL_PORT = 26379;

  record Address(String host, int port) {
    @Override
    public String toString() {
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** {@code host [ ":" port ]}. */
    static Decoder<Address> decoder(int defaultPort) {
      return Decoders.text().then((text, node, problems) -> {
        Optional<Authority> authority = Authority.parse(text);
        if (authority.isEmpty()) {
          problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not an address",
              "as `redis.local:" + defaultPort + "`");
        }
        return authority
            .map(a -> new Address(a.host().replace("[", "").replace("]", ""), a.port() == 0 ? defaultPort : a.port()));
      });
    }
  }

  /** Returns what is connected to, for messages. */
  default String shown() {
    return switch (this) {
      case Node node -> node.address().toString();
      case Sentinels sentinels -> "master " + sentinels.master() + " of " + joined(sentinels.nodes());
      case Cluster cluster -> "cluster of " + joined(cluster.nodes());
    };
  }

  private static String joined(List<Address> nodes) {
    return nodes.stream().map(Address::toString).collect(Collectors.joining(", "));
  }

  /** Returns the number of the database. */
  default int database() {
    return switch (this) {
      case Node node -> node.db();
      case Sentinels sentinels -> sentinels.db();
      case Cluster _ -> 0;
    };
  }

  /** A single server. */
  record Node(Address address, int db) implements RedisTopology {}

  /**
   * The master that sentinels name.
   *
   * @param login the credentials for the sentinels; empty for none
   */
  record Sentinels(List<Address> nodes, String master, int db, Optional<CredentialsSource.Settings> login)
      implements RedisTopology {}

  /** Some nodes of a cluster, which name the others. */
  record Cluster(List<Address> nodes) implements RedisTopology {}
}
