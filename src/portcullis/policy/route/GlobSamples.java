package portcullis.policy.route;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import portcullis.lang.regex.Combinations;

/** Finds strings that a glob may take, of each of its alternatives; the simplest first. */
final class GlobSamples {
  private static final int MOST = 32;
  private static final int LONGEST = 8192;
  private static final int MOST_CHARACTERS = 6;
  private static final String USUAL = "x1aA-_.z9";

  private GlobSamples() {}

  static List<String> of(List<GlobPart> parts) {
    return Combinations.concatenated(parts.stream().map(GlobSamples::of).toList(), MOST, LONGEST);
  }

  private static List<String> of(GlobPart part) {
    return switch (part) {
      case GlobPart.One(int c) -> List.of(Character.toString(c));
      case GlobPart.AnyCharacter() -> List.of("x", "1", "a");
      case GlobPart.AnySequence(boolean everywhere) ->
        everywhere ? List.of("x", "1", "witness", "x.y", "x/y", "") : List.of("x", "1", "witness", "");
      case GlobPart.OneOf one -> one.negated() ? others(one::has)
          : one.characters().codePoints().limit(MOST_CHARACTERS).mapToObj(Character::toString).toList();
      case GlobPart.CharacterRange range -> range.negated() ? others(range::has)
          : List.of(Character.toString(range.low()), Character.toString(range.high()));
      case GlobPart.Choice(List<List<GlobPart>> alternatives) -> {
        List<List<String>> all = new ArrayList<>();
        alternatives.forEach(one -> all.add(of(one)));
        yield Combinations.either(all, MOST);
      }
    };
  }

  private static List<String> others(IntPredicate which) {
    return IntStream.concat(USUAL.chars(), IntStream.rangeClosed('!', '~')).filter(which).distinct()
        .limit(MOST_CHARACTERS).mapToObj(Character::toString).toList();
  }
}
