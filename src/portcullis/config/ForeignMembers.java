package portcullis.config;

import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.UnaryOperator;
import portcullis.lang.source.Problems;

/** Reports members of a mapping that another form of it has, for which "unknown key" would be misleading. */
public final class ForeignMembers {
  private ForeignMembers() {}

  /**
   * Returns a decoder that reports such members and decodes the others.
   *
   * @param names of the members
   * @param message by the name of a member
   * @param hint what would be right
   */
  public static <T> Decoder<T> refused(Decoder<T> decoder, Set<String> names, UnaryOperator<String> message,
      UnaryOperator<String> hint) {
    return Decoder.of(decoder.shape(), (node, problems) -> {
      if (!(node instanceof Node.Mapping mapping) || mapping.members().keySet().stream().noneMatch(names::contains)) {
        return decoder.decode(node, problems);
      }
      decoder.decode(rest(mapping, names, message, hint, problems), problems);
      return Optional.empty();
    });
  }

  private static Node rest(Node.Mapping mapping, Set<String> names, UnaryOperator<String> message,
      UnaryOperator<String> hint, Problems problems) {
    SequencedMap<String, Node.Member> rest = new LinkedHashMap<>(mapping.members());
    mapping.members().forEach((name, member) -> {
      if (names.contains(name)) {
        rest.remove(name);
        problems.error(member.nameAt(), mapping.path(), message.apply(name), hint.apply(name));
      }
    });
    return new Node.Mapping(mapping.at(), mapping.where(), rest);
  }
}
