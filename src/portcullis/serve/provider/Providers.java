package portcullis.serve.provider;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Enforcement;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PartialDecoding;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.endpoint.EndpointDecoder;
import portcullis.serve.bundle.SignatureRequirement;

/** The configured sources of rule sets; immutable. */
public record Providers(Optional<Files> files, Optional<Remote> remote) {
  public static final Providers NONE = new Providers(Optional.empty(), Optional.empty());

  /** Providers of heimdall that are not supported, and what to use instead. */
  private static final Map<String, String> OTHERS = Map.of(
      "cloud_blob", "mount the storage and name the folder under `file_system`, or serve it and name its URLs under"
          + " `http_endpoint`",
      "kubernetes", "put the rule sets into a ConfigMap, mount it, and name the folder under `file_system` with "
          + "`watch: true`");

  /**
   * Rule sets in files.
   *
   * @param environment whether environment variables are substituted; empty where that is left to the default, no
   * @param signature what a signed bundle must have; empty where rules are not signed
   * @param shadow rules that are compared with those of {@code src}
   */
  public record Files(LocatedText src, boolean watch, Optional<Boolean> environment,
      Optional<SignatureRequirement> signature,
      Optional<LocatedText> shadow) {
    public boolean substitutesVariables() {
      return environment.orElse(false);
    }
  }

  /**
   * Rule sets that are fetched from endpoints.
   *
   * @param interval between fetches; zero to fetch once
   * @param shadow endpoints of rule sets that are compared with the others; none for no comparison
   * @param signature what a signed bundle must have; empty where rules are not signed
   */
  public record Remote(List<Endpoint> endpoints, Duration interval, List<Endpoint> shadow,
      Optional<SignatureRequirement> signature) {
    public Remote {
      endpoints = List.copyOf(endpoints);
      shadow = List.copyOf(shadow);
    }

    /** Returns the rule sets that are compared, as they are fetched; empty if there are none. */
    public Optional<Remote> compared() {
      return shadow.isEmpty() ? Optional.empty() : Optional.of(new Remote(shadow, interval, List.of(), signature));
    }
  }

  /** Returns whether there are rule sets that are only compared with the others. */
  public boolean hasShadow() {
    return files.flatMap(Files::shadow).isPresent() || remote.flatMap(Remote::compared).isPresent();
  }

  /** Reads the section {@code providers}. */
  public static Decoder<Providers> decoder(Enforcement enforcement) {
    Key<Optional<Files>> files = Key.optional("file_system", filesSection(enforcement.bundleCounter()),
        "rule sets in files");
    Key<Optional<Remote>> remote = Key.optional("http_endpoint",
        remoteSection(enforcement.egressTls(), !enforcement.bundleCounter()),
        "rule sets from HTTP endpoints");
    Decoder<Providers> known = Decoders.object("providers", List.of(files, remote),
        p -> new Providers(p.get(files), p.get(remote)));
    return Decoder.of(known.shape(), (node, problems) -> {
      if (!(node instanceof Node.Mapping m && OTHERS.keySet().stream().anyMatch(m.members()::containsKey))) {
        return known.decode(node, problems);
      }
      known.decode(withoutOthers(m, problems), problems);
      return Optional.empty();
    });
  }

  /** Returns the section without unsupported providers, which are added to the problems. */
  private static Node withoutOthers(Node.Mapping mapping, Problems problems) {
    LinkedHashMap<String, Node.Member> left = new LinkedHashMap<>(mapping.members());
    left.keySet().removeAll(OTHERS.keySet());
    mapping.members().forEach((name, member) -> {
      if (OTHERS.containsKey(name)) {
        problems.error(member.nameAt(), mapping.path(), "there is no provider `" + name + "` in Portcullis",
            OTHERS.get(name));
      }
    });
    return new Node.Mapping(mapping.at(), mapping.where(), left);
  }

  private static Decoder<Files> filesSection(boolean counted) {
    Key<LocatedText> src = Key.required("src", Decoders.located(), "the file of rules, or a folder of them");
    Key<Boolean> watch = Key.withDefault("watch", Decoders.flag(), false, "whether changes are applied");
    Key<Boolean> environment = Key.withDefault("env_vars_enabled", Decoders.flag(), false,
        "whether environment variables are substituted");
    Key<Optional<SignatureRequirement>> signature = Key.optional("require_signature", signatureSection(!counted),
        "signatures that the bundle of `src` must have").restricting();
    Key<Optional<LocatedText>> shadow = Key.optional("shadow", Decoders.located(),
        "the file of shadow rules, or a folder of them: their decisions have no effect and are compared with those of "
            + "`src`");
    return Decoders.checked("rule files", List.of(src, watch, environment, signature, shadow), (p, problems) -> {
      Optional<Boolean> written = p.node().get(environment.name()).map(_ -> p.get(environment));
      Files files = new Files(p.get(src), p.get(watch), written, p.get(signature), p.get(shadow));
      return files.shadow().isEmpty() || isApart(files, problems) ? Optional.of(files) : Optional.empty();
    });
  }

  /** Requires that no file is both a live and a shadow rule set. */
  private static boolean isApart(Files files, Problems problems) {
    LocatedText shadow = files.shadow().orElseThrow();
    String why = "";
    try {
      Path of = Path.of(files.src().text()).toAbsolutePath().normalize();
      Path compared = Path.of(shadow.text()).toAbsolutePath().normalize();
      if (shadow.text().isBlank()) {
        why = "must not be empty";
      } else if (compared.startsWith(of) || of.startsWith(compared)) {
        why = "is within `src`, or `src` within it";
      }
    } catch (InvalidPathException e) {
      why = "is not a path: " + e.getReason();
    }
    if (!why.isEmpty()) {
      problems.error(shadow.at(0, shadow.text().length()), shadow.path(), why,
          "name a file or folder of its own, beside `src`");
    }
    return why.isEmpty();
  }

  private static Decoder<SignatureRequirement> signatureSection(boolean rollback) {
    Key<List<String>> keys = Key.required("keys", Decoders.list(Decoders.nonEmpty(), 1),
        "PEM files of public Ed25519 keys");
    Key<Integer> threshold = Key.withDefault("threshold", Decoders.number(1, 100), 1,
        "how many of the keys must have signed").restricting();
    Key<String> state = Key.required("state", Decoders.nonEmpty(),
        "a file that keeps the counter of the bundle applied last");
    return Decoders.object("signatures of a bundle", List.of(keys, threshold, state),
        p -> new SignatureRequirement(p.get(keys), p.get(threshold), p.get(state), rollback));
  }

  private static Decoder<Remote> remoteSection(boolean tlsOnly, boolean rollback) {
    Decoder<Endpoint> endpoint = PartialDecoding.then(EndpointDecoder.decoder(),
        (e, _, problems) -> e.secure(tlsOnly, problems)
            ? Optional.of(e)
            : Optional.empty());
    Decoder<List<Endpoint>> list = Decoders.list(endpoint, 1).then(Providers::different);
    Key<List<Endpoint>> endpoints = Key.required("endpoints", list, "the endpoint of each rule set");
    Key<Duration> interval = Key.withDefault("watch_interval", Decoders.plainDuration(), Duration.ZERO,
        "interval between fetches; by default they are fetched once");
    Key<List<Endpoint>> shadow = Key.withDefault("shadow", list, List.of(),
        "the endpoints of rule sets that decide nothing: what they would decide is compared with those of `endpoints`");
    Key<Optional<SignatureRequirement>> signature = Key.optional("require_signature", signatureSection(rollback),
        "signatures that the bundle of the endpoint must have").restricting();
    return Decoders.checked("rule sets from HTTP endpoints", List.of(endpoints, interval, shadow, signature),
        (p, problems) -> {
          if (p.get(signature).isPresent() && (p.get(endpoints).size() > 1 || p.get(shadow).size() > 1)) {
            problems.error(p.node().at(), p.node().path(), "there are several endpoints",
                "with `require_signature` there is one, with a signed bundle");
            return Optional.empty();
          }
          return Optional.of(new Remote(p.get(endpoints), p.get(interval), p.get(shadow), p.get(signature)));
        });
  }

  /** Requires different URLs, as a rule set is identified by its URL. */
  private static Optional<List<Endpoint>> different(List<Endpoint> endpoints, Node node, Problems problems) {
    Set<String> seen = new HashSet<>();
    long before = problems.errors();
    for (Endpoint endpoint : endpoints) {
      LocatedText url = endpoint.url().text();
      if (!seen.add(url.text())) {
        problems.error(url.at(0, url.text().length()), node.path(),
            "`" + Decoders.shortened(url.text()) + "` is listed twice", "");
      }
    }
    return problems.errors() > before ? Optional.empty() : Optional.of(endpoints);
  }
}
