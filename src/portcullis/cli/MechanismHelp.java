package portcullis.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.lang.source.Nearest;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.catalogue.MechanismKind;
import portcullis.policy.mechanism.MechanismType;
import portcullis.reference.Reference;
import portcullis.reference.TerminalText;

/** Describes the types of mechanisms as their reference pages do. */
final class MechanismHelp {
  private final Console console;

  MechanismHelp(Console console) {
    this.console = console;
  }

  /** {@code [[KIND] TYPE]}: all types, those of a kind, or what there is to say of those of that name. */
  int run(Arguments arguments) throws Arguments.UsageException {
    List<String> words = arguments.rest();
    if (words.size() > 2) {
      throw new Arguments.UsageException("`" + words.get(2) + "` is not expected here");
    }
    List<MechanismKind<?>> kinds = Catalogue.KINDS;
    if (!words.isEmpty() && kinds().contains(words.getFirst())) {
      kinds = kinds.stream().filter(k -> k.stepKey().equals(words.getFirst())).toList();
    } else if (words.size() == 2) {
      throw new Arguments.UsageException(
          "there is no kind `" + words.getFirst() + "` of mechanisms, " + Nearest.hint(words.getFirst(), kinds()));
    }
    boolean kindOnly = words.isEmpty() || words.size() == 1 && kinds.size() == 1;
    console.say(kindOnly ? listed(kinds) : described(kinds, words.getLast()));
    return 0;
  }

  private static List<String> kinds() {
    return Catalogue.KINDS.stream().map(MechanismKind::stepKey).toList();
  }

  /** Returns what may stand behind the command. */
  static List<String> words() {
    return Stream
        .concat(kinds().stream(), Catalogue.KINDS.stream().flatMap(k -> k.types().stream()).map(MechanismType::name))
        .distinct().toList();
  }

  private static String listed(List<MechanismKind<?>> kinds) {
    return kinds.stream().map(kind -> kind.stepKey() + ":\n" + kind.types().stream().map(t -> "  " + t.name())
        .collect(Collectors.joining("\n"))).collect(Collectors.joining("\n"))
        + "\n\n`portcullis help mechanism TYPE` describes one: its settings, its errors, an example";
  }

  private static String described(List<MechanismKind<?>> kinds, String name) throws Arguments.UsageException {
    List<String> out = new ArrayList<>();
    for (MechanismKind<?> kind : kinds) {
      kind.types().stream().filter(t -> t.name().equals(name))
          .forEach(type -> out.add(TerminalText.of(Reference.mechanism(kind, type).text()).stripTrailing()));
    }
    if (out.isEmpty()) {
      throw new Arguments.UsageException("no type of mechanism is called `" + name + "`, "
          + Nearest.hint(name, kinds.stream().flatMap(k -> k.types().stream()).map(MechanismType::name).toList()));
    }
    return String.join("\n\n", out);
  }
}
