package portcullis.policy.event;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.source.Problems;
import portcullis.policy.mechanism.MechanismContext;

/** Whose logout tokens and security events are accepted. */
public record EventSettings(List<EventSource> issuers) {
  public static Decoder<EventSettings> decoder() {
    Key<List<EventSource>> issuers = Key.required("issuers", Decoders.list(EventSource.decoder(), 1),
        "issuers that may report ended sessions");
    return Decoders.checked("security events", List.of(issuers), (p, problems) -> {
      Set<String> names = new HashSet<>();
      for (EventSource source : p.get(issuers)) {
        if (!names.add(source.issuer().name())) {
          problems.error(p.at(issuers), p.node().path() + ".issuers",
              "the issuer `" + Decoders.shortened(source.issuer().name()) + "` is there twice", "name each once");
          return Optional.empty();
        }
      }
      return Optional.of(new EventSettings(p.get(issuers)));
    });
  }

  /** Adds the problems of endpoints that cannot be called as configured. */
  public void check(MechanismContext context, Problems problems) {
    issuers.forEach(source -> source.issuer().isUsable(context, problems));
  }

  /** Returns the issuer of this name. */
  Optional<EventSource> source(String name) {
    return issuers.stream().filter(source -> source.issuer().name().equals(name)).findFirst();
  }
}
