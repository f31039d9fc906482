package portcullis.lang.template;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Splits names into words and joins them in another style. */
final class WordCase {
  private enum Kind {
    NUMBER, UPPER, LETTERS, CONNECTOR, PUNCTUATION, OTHER, NONE
  }

  private record Word(Kind kind, String text) {
    static final Word NONE = new Word(Kind.NONE, "");

    boolean continuesNumber() {
      return kind == Kind.LETTERS || kind == Kind.NUMBER;
    }

    /** Returns whether a connector separates it from the word before. */
    boolean isApart() {
      return kind != Kind.NONE && kind != Kind.PUNCTUATION && kind != Kind.CONNECTOR;
    }
  }

  private final List<Word> words;
  private final char connector;
  private final StringBuilder out = new StringBuilder();
  private int at;

  private WordCase(List<Word> words, char connector) {
    this.words = words;
    this.connector = connector;
  }

  /** Returns {@code http_server} for {@code HTTPServer}. */
  static String lowerCased(String text, char connector) {
    WordCase words = new WordCase(cut(text), connector);
    words.run();
    return words.out.toString();
  }

  private Word word(int index) {
    return index < words.size() ? words.get(index) : Word.NONE;
  }

  private void run() {
    while (at < words.size() - 1) {
      Word word = word(at);
      if (word.kind != Kind.CONNECTOR) {
        write(word);
      }
      at++;
      switch (word.kind) {
        case NUMBER -> afterNumber();
        case CONNECTOR -> write(word);
        case PUNCTUATION -> {
        }
        case UPPER, LETTERS, OTHER, NONE -> afterLetters();
      }
    }
    write(word(at));
  }

  /** Letters and digits after a number belong to it. */
  private void afterNumber() {
    while (word(at).continuesNumber()) {
      write(word(at++));
    }
    connect();
  }

  private void connect() {
    if (word(at).isApart()) {
      out.append(connector);
    }
  }

  /** A number belongs to the word before it, unless small letters follow: {@code bld4_floor}, {@code http_2xx}. */
  private void afterLetters() {
    if (word(at).kind != Kind.NUMBER) {
      connect();
    } else if (at < words.size() - 1) {
      Word number = word(at++);
      if (word(at).kind == Kind.LETTERS) {
        out.append(connector);
      }
      write(number);
      if (word(at).kind == Kind.LETTERS) {
        afterNumber();
      } else {
        connect();
      }
    }
  }

  private void write(Word word) {
    boolean lowered = word.kind == Kind.UPPER || word.kind == Kind.CONNECTOR;
    word.text.codePoints().map(c -> !lowered ? c : isConnector(c) ? connector : lower(c)).forEach(out::appendCodePoint);
  }

  private static int lower(int c) {
    return Character.isUpperCase(c) ? Character.toLowerCase(c) : c;
  }

  private static List<Word> cut(String text) {
    List<Word> out = new ArrayList<>();
    int[] characters = text.codePoints().toArray();
    int at = 0;
    while (at < characters.length) {
      Kind kind = kind(characters[at]);
      int end = end(characters, at, kind);
      out.add(new Word(kind, new String(characters, at, end - at)));
      at = end;
    }
    return out;
  }

  private static Kind kind(int c) {
    if (isConnector(c)) {
      return Kind.CONNECTOR;
    }
    if (isPunctuation(c)) {
      return Kind.PUNCTUATION;
    }
    if (Character.isUpperCase(c)) {
      return Kind.UPPER;
    }
    return isLetter(c) ? Kind.LETTERS : isNumber(c) ? Kind.NUMBER : Kind.OTHER;
  }

  private static int end(int[] characters, int start, Kind kind) {
    int end = start + 1;
    if (kind == Kind.UPPER && end < characters.length && Character.isUpperCase(characters[end])) {
      return endOfCapitals(characters, end);
    }
    Kind rest = kind == Kind.UPPER ? Kind.LETTERS : kind;
    while (end < characters.length && kind(characters[end]) == rest) {
      end++;
    }
    return end;
  }

  /** Returns the end of a run of capitals; in {@code HTTPStatus} the last one belongs to the next word. */
  private static int endOfCapitals(int[] characters, int from) {
    int end = from;
    while (end < characters.length && Character.isUpperCase(characters[end])) {
      end++;
    }
    return end < characters.length && isLetter(characters[end]) ? end - 1 : end;
  }

  private static boolean isConnector(int c) {
    return c == '-' || c == '_' || Trimming.isSpace(c);
  }

  private static boolean isPunctuation(int c) {
    return switch (Character.getType(c)) {
      case Character.CONNECTOR_PUNCTUATION, Character.DASH_PUNCTUATION, Character.START_PUNCTUATION,
          Character.END_PUNCTUATION, Character.INITIAL_QUOTE_PUNCTUATION, Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION ->
        true;
      default -> false;
    };
  }

  private static boolean isNumber(int c) {
    return switch (Character.getType(c)) {
      case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
      default -> false;
    };
  }

  /** Returns whether it is a letter other than a CJK ideograph. */
  private static boolean isLetter(int c) {
    boolean ideograph = c >= 0x4E00 && c <= 0x9FCC || c >= 0x3400 && c <= 0x4D85 || c >= 0x20000 && c <= 0x2B81D;
    return Character.isLetter(c) && !ideograph;
  }

  /** Returns {@code HttpServer} for {@code http_server}; leading, trailing and doubled connectors stay. */
  static String pascalCased(String text) {
    int[] characters = text.codePoints().toArray();
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < characters.length && isConnector(characters[at])) {
      out.appendCodePoint(characters[at++]);
    }
    if (at >= characters.length) {
      return out.isEmpty() ? "" : out.appendCodePoint(characters[at - 1]).toString();
    }
    boolean capitals = Character.isUpperCase(characters[at]);
    int before = Character.toUpperCase(characters[at]);
    for (int c : Arrays.copyOfRange(characters, at + 1, characters.length)) {
      int shown = c;
      if (isConnector(before) && !isConnector(c)) {
        capitals = Character.isUpperCase(c);
        shown = Character.toUpperCase(c);
      } else {
        out.appendCodePoint(before);
        capitals &= isConnector(before) || Character.isUpperCase(c);
        shown = capitals && !isConnector(before) ? Character.toLowerCase(c) : c;
      }
      before = shown;
    }
    return out.appendCodePoint(before).toString();
  }
}
