package portcullis.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.policy.route.PathPattern;

/**
 * What rules never or always have to do with some requests.
 *
 * @param role that the claim is about; empty for claims that name none
 * @param methods of the requests; none for all
 * @param paths of the requests, in the form of those of routes; none for all
 * @param hosts of the requests, {@code *} for any characters; none for all
 */
record Intent(String id, Origin at, Claim claim, String role, List<String> methods, List<PathPattern> paths,
    List<String> hosts) {
  /** What is claimed of the requests. */
  enum Claim {
    /** A request without credentials is never allowed. */
    NEVER_PUBLIC,
    /** No request is ever allowed. */
    NEVER_ALLOWED,
    /** A request of a user with the role is never allowed. */
    NEVER_ROLE,
    /** Only requests of users with the role are allowed. */
    ALWAYS_ROLE
  }

  private static final Key<String> ID = Key.required("id", Decoders.nonEmpty(), "name of the intent, for exceptions");
  private static final Key<Optional<String>> ROLE = Key.optional("role", Decoders.nonEmpty(), "name of a role");
  private static final Key<List<String>> METHODS = Key.withDefault("methods", oneOrMore(Intent.method()), List.of(),
      "methods of the requests; all by default");
  private static final Key<List<PathPattern>> PATHS = Key.withDefault("paths",
      oneOrMore(Decoders.located().then((text, _, problems) -> PathPattern.compile(text, problems))), List.of(),
      "paths of the requests, as in routes; all by default");
  private static final Key<List<String>> HOSTS = Key.withDefault("hosts", oneOrMore(Decoders.nonEmpty()), List.of(),
      "hosts of the requests, `*` for any part; all by default");
  private static final Key<Optional<Intent>> NEVER = Key.optional("never",
      claim("never", flag("public", Claim.NEVER_PUBLIC, "allowed without valid credentials"),
          flag("allowed", Claim.NEVER_ALLOWED, "allowed for any user, or without credentials"), Claim.NEVER_ROLE),
      "what may not be");
  private static final Key<Optional<Intent>> ALWAYS = Key.optional("always",
      claim("always", flag("authenticated", Claim.NEVER_PUBLIC, "only allowed with valid credentials"),
          flag("refused", Claim.NEVER_ALLOWED, "never allowed"), Claim.ALWAYS_ROLE),
      "what has to be");

  /** A claim that is made by {@code true}. */
  private record Flagged(Key<Optional<Boolean>> key, Claim claim) {}

  static Decoder<Intent> decoder() {
    return Decoders.checked("an intent", List.of(ID, NEVER, ALWAYS), (p, problems) -> {
      List<Intent> claims = new ArrayList<>();
      p.get(NEVER).ifPresent(claims::add);
      p.get(ALWAYS).ifPresent(claims::add);
      if (claims.size() != 1) {
        problems.error(p.node().at(), p.node().path(), "an intent has either `never` or `always`",
            "write each in an intent of its own");
        return Optional.empty();
      }
      return claims.stream().findFirst().map(claim -> claim.named(p.get(ID), p.node().at()));
    });
  }

  private Intent named(String name, Origin place) {
    return new Intent(name, place, claim, role, methods, paths, hosts);
  }

  private static Flagged flag(String name, Claim claim, String doc) {
    return new Flagged(Key.optional(name, Decoders.flag(), doc), claim);
  }

  private static Decoder<Intent> claim(String title, Flagged first, Flagged second, Claim ofRole) {
    return Decoders.checked("`" + title + "`", List.of(first.key, second.key, ROLE, METHODS, PATHS, HOSTS),
        (p, problems) -> {
          List<Claim> claims = new ArrayList<>();
          for (Flagged flagged : List.of(first, second)) {
            p.get(flagged.key).filter(on -> on).ifPresent(_ -> claims.add(flagged.claim));
          }
          p.get(ROLE).ifPresent(_ -> claims.add(ofRole));
          if (claims.size() != 1) {
            problems.error(p.node().at(), p.node().path(), "one claim is needed here, there are " + claims.size(),
                "write `" + first.key.name() + ": true`, `" + second.key.name() + ": true` or `role: NAME`");
            return Optional.empty();
          }
          return Optional.of(of(p, claims.getFirst()));
        });
  }

  private static Intent of(DecodedMembers p, Claim claim) {
    return new Intent("", p.node().at(), claim, p.get(ROLE).orElse(""), p.get(METHODS), p.get(PATHS), p.get(HOSTS));
  }

  private static Decoder<String> method() {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      String name = text.toUpperCase(Locale.ROOT);
      if (!name.equals(text) || !name.chars().allMatch(c -> c >= 'A' && c <= 'Z' || c == '-')) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not a method",
            "write it like `POST`; all methods count if none is named");
        return Optional.empty();
      }
      return Optional.of(name);
    });
  }

  /** Returns a value or a list of values. */
  static <T> Decoder<List<T>> oneOrMore(Decoder<T> item) {
    Decoder<List<T>> list = Decoders.list(item, 1);
    return Decoder.of(new Shape.Either(List.of(item.shape(), list.shape())),
        (node, problems) -> node instanceof Node.Scalar ? item.decode(node, problems).map(List::of)
            : list.decode(node, problems));
  }

  /** Adds an error if the role is not among those that are declared, where any is. */
  boolean isRoleDeclared(Set<String> roles, Problems problems) {
    boolean known = role.isEmpty() || roles.contains(role) || roles.isEmpty() && claim == Claim.ALWAYS_ROLE;
    if (!known) {
      problems.error(at, "", "intent `" + id + "` names the role `" + role + "`, which is not declared",
          roles.isEmpty() ? "add it to `roles`" : Nearest.hint(role, roles));
    }
    return known;
  }

  boolean isForHost(String host) {
    return hosts.isEmpty() || hosts.stream().anyMatch(pattern -> Stub.matches(pattern, host));
  }

  /** Returns what is violated, as messages have it, behind what the requests are. */
  String violated() {
    return switch (claim) {
      case NEVER_PUBLIC -> "is allowed without valid credentials";
      case NEVER_ALLOWED -> "is allowed";
      case NEVER_ROLE -> "is allowed for the role `" + role + "`";
      case ALWAYS_ROLE -> "is allowed without the role `" + role + "`";
    };
  }
}
