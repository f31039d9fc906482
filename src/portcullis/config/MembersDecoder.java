package portcullis.config;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;

/** Decodes mappings of known members. */
final class MembersDecoder<T> implements Decoder<T> {
  private final Shape.Members shape;
  private final List<String> names;
  private final Decoders.Make<T> make;
  private final boolean partial;
  private final Predicate<String> harmless;

  /**
   * @param partial whether what is made counts though some members are unknown or cannot be read
   * @param harmless which unknown members only have no effect
   */
  MembersDecoder(Shape.Members shape, Decoders.Make<T> make, boolean partial, Predicate<String> harmless) {
    this.harmless = harmless;
    this.shape = shape;
    this.names = shape.keys().stream().map(Key::name).toList();
    this.make = make;
    this.partial = partial;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public Optional<T> decode(Node node, Problems problems) {
    if (!(node instanceof Node.Mapping mapping)) {
      String title = shape.title().isEmpty() ? "" : shape.title() + " ";
      return Decoders.wrong(node, problems, "a mapping",
          names.isEmpty() ? "" : title + "with: " + String.join(", ", names));
    }
    Set<String> meant = new HashSet<>();
    boolean known = known(mapping, meant, problems);
    boolean good = known;
    Object[] values = new Object[names.size()];
    for (int i = 0; i < values.length; i++) {
      Key<?> key = shape.keys().get(i);
      Optional<?> value = meant.contains(key.name()) ? Optional.empty() : member(mapping, key, problems);
      good &= value.isPresent();
      values[i] = value.orElse(null);
    }
    return made(new DecodedMembers(mapping, shape.keys(), values, known), good, problems);
  }

  /** Checks the valid members even if others are invalid, as far as they do not depend on those. */
  private Optional<T> made(DecodedMembers parts, boolean good, Problems problems) {
    try {
      Optional<T> made = make.of(parts, problems);
      return good || partial ? made : Optional.empty();
    } catch (DecodedMembers.Unread _) {
      return Optional.empty();
    }
  }

  /**
   * Returns whether all members are known; adds the names that were meant by others, so that they are not missed too.
   */
  private boolean known(Node.Mapping mapping, Set<String> meant, Problems problems) {
    boolean good = true;
    for (String name : mapping.members().keySet()) {
      if (!names.contains(name)) {
        Node.Member member = mapping.members().get(name);
        if (harmless.test(name)) {
          problems.warning(member.nameAt(), mapping.path(),
              "unknown key `" + Decoders.shortened(name) + "` has no effect", "remove it");
          continue;
        }
        good = false;
        problems.error(member.nameAt(), mapping.path(), "unknown key `" + Decoders.shortened(name) + "`",
            hint(name, member));
        Nearest.of(name, names).filter(n -> !mapping.members().containsKey(n)).ifPresent(meant::add);
      }
    }
    return good;
  }

  private String hint(String name, Node.Member member) {
    Optional<String> later = LaterKeys.hint(name, names);
    if (later.isPresent()) {
      return later.get();
    }
    Optional<String> cutInTwo = member.nameAt() instanceof Origin.InEnvironment
        ? names.stream().filter(n -> n.startsWith(name + "_")).findFirst()
        : Optional.empty();
    return cutInTwo.isPresent() ? "in variables `" + cutInTwo.get() + "` has two underscores for one"
        : names.isEmpty() ? "nothing can be set here"
            : within(name).map(outer -> "it belongs into `" + outer + "`").orElseGet(() -> Nearest.hint(name, names));
  }

  /** Returns the only member that has a member of this name itself, unless the name is close to a known one. */
  private Optional<String> within(String name) {
    List<String> having = shape.keys().stream().filter(key -> key.decoder().shape() instanceof Shape.Members inner
        && inner.keys().stream().anyMatch(one -> one.name().equals(name))).map(Key::name).toList();
    return having.size() == 1 && Nearest.of(name, names).isEmpty() ? Optional.of(having.getFirst()) : Optional.empty();
  }

  /** Returns whether a file has nothing for a value; a variable that is set to nothing is an empty string. */
  static boolean isNull(Node node) {
    return node instanceof Node.Scalar s && s.meaning() == Node.Meaning.NULL && !EnvironmentText.is(node);
  }

  private static <V> Optional<V> member(Node.Mapping mapping, Key<V> key, Problems problems) {
    Optional<Node> written = mapping.get(key.name());
    if (written.isEmpty() && key.required()) {
      problems.error(mapping.at(), mapping.path(), "`" + key.name() + "` is missing", ShapeDescription.describe(key));
      return Optional.empty();
    }
    if (written.isPresent() && isNull(written.get()) && !key.required() && !key.restricts()) {
      Optional<SubstitutedSource.Unset> unset = UnsetVariable.of(written.get());
      problems.warning(unset.map(place -> (Origin) place.at()).orElse(written.get().at()), written.get().path(),
          unset.map(UnsetVariable::message).orElse("no value") + ", which is as if the key were left out",
          unset.isPresent() ? "set it or remove the key" : "give it a value or remove it");
      return key.defaultValue();
    }
    return written.isEmpty() ? key.defaultValue() : key.decoder().decode(written.get(), problems);
  }
}
