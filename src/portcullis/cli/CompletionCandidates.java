package portcullis.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Completions of an unfinished command line. */
final class CompletionCandidates {
  private final List<Command> commands;
  private final List<String> before;
  private final String begun;

  /** @param words the last one is the one that is not finished, maybe empty */
  CompletionCandidates(List<Command> commands, List<String> words) {
    this.commands = commands;
    this.before = words.isEmpty() ? List.of() : words.subList(0, words.size() - 1);
    this.begun = words.isEmpty() ? "" : words.getLast();
  }

  /** Returns a word a line, behind a tab what it is; {@link Completion#FILES} for names of files. */
  List<String> lines() {
    Map<String, String> out = new LinkedHashMap<>();
    Optional<Command> command = command();
    Optional<Arguments.Option> open = command.flatMap(this::open);
    if (open.isPresent()) {
      offer(out, open.get().value(), open.get().doc());
    } else if (command.isPresent() && begun.startsWith("-")) {
      command.get().options().forEach(option -> out.put(option.name(), option.doc()));
      out.put("--help", "shows help");
    } else if (command.isPresent()) {
      offer(out, command.get().operands(), "");
    } else {
      nextWords(out);
    }
    return out.entrySet().stream().filter(e -> e.getKey().startsWith(begun) || e.getKey().equals(Completion.FILES))
        .map(e -> e.getValue().isEmpty() ? e.getKey() : e.getKey() + "\t" + e.getValue()).toList();
  }

  /** Returns the command whose words stand there; behind {@code help} there is nothing more to say. */
  private Optional<Command> command() {
    List<String> plain = before.stream().filter(word -> !word.startsWith("-")).toList();
    return commands.stream().filter(c -> {
      List<String> name = List.of(c.name().split(" "));
      return plain.size() >= name.size() && plain.subList(0, name.size()).equals(name);
    }).findFirst();
  }

  /** Returns the option whose value comes next. */
  private Optional<Arguments.Option> open(Command command) {
    String last = before.getLast();
    return command.options().stream()
        .filter(o -> !o.value().isEmpty() && (o.name().equals(last) || o.letter().equals(last))).findFirst();
  }

  /** Adds the candidates for {@code FILE}, {@code <file or folder>}, {@code a|b} or {@code [a|b]}. */
  private static void offer(Map<String, String> out, String form, String doc) {
    if (form.contains("|")) {
      List.of(form.replaceAll("[\\[\\]<>]", "").split("\\|")).forEach(word -> out.put(word, ""));
    } else if (form.equals("FILE") || form.startsWith("<file")) {
      out.put(Completion.FILES, "");
    } else if (form.equals(Command.MECHANISM)) {
      MechanismHelp.words().forEach(word -> out.put(word, doc));
    }
  }

  /** The next words of commands; {@code help} may stand before any. */
  private void nextWords(Map<String, String> out) {
    boolean help = !before.isEmpty() && before.getFirst().equals("help");
    List<String> given = new ArrayList<>(help ? before.subList(1, before.size()) : before);
    for (Command command : commands) {
      List<String> name = List.of(command.name().split(" "));
      boolean fits = !(help && name.getFirst().equals("help")) && name.size() > given.size()
          && name.subList(0, given.size()).equals(given);
      if (fits) {
        out.putIfAbsent(name.get(given.size()), name.size() == given.size() + 1 ? command.doc() : "");
      }
    }
    if (help && given.isEmpty()) {
      commands.stream().filter(command -> command.name().startsWith("help "))
          .forEach(command -> out.put(command.name().substring("help ".length()), command.doc()));
    }
    if (before.isEmpty()) {
      out.put("help", "Describes a command.");
      out.put("--version", "Shows the version.");
    }
  }
}
