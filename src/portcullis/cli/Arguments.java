package portcullis.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.Nearest;

/** The words behind a command: options, each known beforehand, and what is none. Immutable once parsed. */
final class Arguments {
  /**
   * An option.
   *
   * @param name as {@code --config}
   * @param letter as {@code -c}; empty for none
   * @param value what its value is called in help texts, {@code a|b} where it is one of these, {@code [X]} where it may
   *     be left out and follows a {@code =}; empty for one that is on or off
   * @param repeatable whether it may be given several times, each with another value
   */
  record Option(String name, String letter, String value, String doc, boolean repeatable) {
    /** An option that is given once. */
    Option(String name, String letter, String value, String doc) {
      this(name, letter, value, doc, false);
    }

    /** Returns the option as one that may be given several times. */
    Option repeated() {
      return new Option(name, letter, value, doc, true);
    }

    /** Returns what its value may be; empty where that is not a matter of a few words. */
    List<String> choices() {
      return value.contains("|") ? List.of(value.split("\\|")) : List.of();
    }
  }

  private final Map<String, List<String>> options = new HashMap<>();
  private final List<String> rest = new ArrayList<>();

  /** Sorts the words out. */
  static Arguments parse(List<String> words, List<Option> known) throws UsageException {
    Arguments out = new Arguments();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals("--")) {
        out.rest.addAll(words.subList(i + 1, words.size()));
        break;
      }
      if (!word.startsWith("-") || word.equals("-")) {
        out.rest.add(word);
        continue;
      }
      int equals = word.indexOf('=');
      String name = equals < 0 ? word : word.substring(0, equals);
      Option option = find(name, known);
      if (!option.choices().isEmpty()) {
        String value = equals >= 0 ? word.substring(equals + 1) : i + 1 < words.size() ? words.get(++i) : "";
        out.put(option, chosen(option, value));
      } else if (option.value().isEmpty()) {
        out.put(option, equals < 0 ? "true" : flag(name, word.substring(equals + 1)));
      } else if (equals >= 0) {
        out.put(option, word.substring(equals + 1));
      } else if (option.value().startsWith("[")) {
        out.put(option, "");
      } else if (i + 1 < words.size()) {
        out.put(option, words.get(++i));
      } else {
        throw new UsageException("`" + name + "` needs a value: " + name + " " + option.value());
      }
    }
    return out;
  }

  private void put(Option option, String value) throws UsageException {
    List<String> values = options.computeIfAbsent(option.name(), _ -> new ArrayList<>());
    boolean sameFlag = option.value().isEmpty() && values.contains(value);
    if (!values.isEmpty() && !option.repeatable() && !sameFlag) {
      throw new UsageException("`" + option.name() + "` is given twice: give it once");
    }
    values.add(value);
  }

  private static Option find(String name, List<Option> known) throws UsageException {
    for (Option option : known) {
      if (option.name().equals(name) || option.letter().equals(name)) {
        return option;
      }
    }
    throw new UsageException(
        "unknown option `" + name + "`, " + Nearest.hint(name, known.stream().map(Option::name).toList()));
  }

  private static String chosen(Option option, String value) throws UsageException {
    if (!option.choices().contains(value)) {
      throw new UsageException("`" + option.name() + "` is " + String.join(" or ", option.choices())
          + (value.isEmpty() ? "" : ", not `" + value + "`"));
    }
    return value;
  }

  private static String flag(String name, String value) throws UsageException {
    return switch (value) {
      case "true", "1" -> "true";
      case "false", "0" -> "false";
      default -> throw new UsageException("`" + name + "` is on or off: " + name + "=true or " + name + "=false");
    };
  }

  boolean on(String name) {
    return value(name).filter("true"::equals).isPresent();
  }

  /** Returns whether the option is given. */
  boolean has(String name) {
    return options.containsKey(name);
  }

  Optional<String> value(String name) {
    return values(name).stream().findFirst();
  }

  /** Returns the values of an option that may be repeated, in their order. */
  List<String> values(String name) {
    return options.getOrDefault(name, List.of());
  }

  /** Returns the words that are no options. */
  List<String> rest() {
    return rest;
  }

  /** A command line that makes no sense; the message says what would. */
  static final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
      super(message, null, false, false);
    }
  }
}
