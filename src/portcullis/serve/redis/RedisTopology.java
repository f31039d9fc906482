package portcullis.serve.redis;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.http.message.Authority;

/** The address of Redis, or of the servers that name it. */
sealed interface RedisTopology {
  int PORT = 6379;
  int SENTINEL_PORT = 26379;

  record Address(String host, int port) {
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
