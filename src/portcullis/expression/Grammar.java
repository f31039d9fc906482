package portcullis.expression;

import java.util.Optional;
import org.projectnessie.cel.parser.StringCharStream;
import org.projectnessie.cel.parser.gen.CELLexer;
import org.projectnessie.cel.parser.gen.CELParser;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.BaseErrorListener;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.CommonTokenStream;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.RecognitionException;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.Recognizer;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.Token;
import portcullis.source.LocatedText;
import portcullis.source.Problems;

/** Runs the grammar's lexer and parser over a text, which tell of the first fault to us instead of the console. */
final class Grammar {
  private final LocatedText located;
  private final String text;
  private final Problems problems;
  private boolean failed;

  private Grammar(LocatedText located, String text, Problems problems) {
    this.located = located;
    this.text = text;
    this.problems = problems;
  }

  /** The tree; empty exactly if a problem was added. */
  static Optional<Parsed> parse(LocatedText located, Draft draft, Problems problems) {
    Grammar grammar = new Grammar(located, draft.text(), problems);
    CELParser.StartContext start = grammar.start();
    if (grammar.failed) {
      return Optional.empty();
    }
    return new TreeReader(draft, located, problems).read(start);
  }

  private CELParser.StartContext start() {
    Listener listener = new Listener();
    CELLexer lexer = new CELLexer(new StringCharStream(text, "expression"));
    lexer.removeErrorListeners();
    lexer.addErrorListener(listener);
    CELParser parser = new CELParser(new CommonTokenStream(lexer, Token.DEFAULT_CHANNEL));
    parser.removeErrorListeners();
    parser.addErrorListener(listener);
    return parser.start();
  }

  private final class Listener extends BaseErrorListener {
    @Override
    public void syntaxError(Recognizer<?, ?> recognizer, Object symbol, int line, int column, String message,
        RecognitionException e) {
      if (failed) {
        return;
      }
      failed = true;
      if (!(symbol instanceof Token token)) {
        unreadable(offset(line, column));
      } else if (token.getType() == Token.EOF) {
        ended();
      } else {
        unexpected(token.getStartIndex(), token.getText());
      }
    }
  }

  private int offset(int line, int column) {
    int start = 0;
    for (int i = 1; i < line; i++) {
      start = text.indexOf('\n', start) + 1;
    }
    return Math.min(text.length(), start + column);
  }

  /** No token begins at that character. */
  private void unreadable(int offset) {
    if (offset >= text.length()) {
      ended();
      return;
    }
    switch (text.charAt(offset)) {
      case '"', '\'' -> problem(offset, 1, "the text that begins here has no end or a bad escape", "");
      case '=' -> problem(offset, 1, "`=` is no operator", "did you mean `==`?");
      case '&', '|' -> {
        String one = text.substring(offset, offset + 1);
        problem(offset, 1, "`" + one + "` is no operator", "did you mean `" + one + one + "`?");
      }
      default -> unexpected(offset, Character.toString(text.codePointAt(offset)));
    }
  }

  private void unexpected(int offset, String token) {
    boolean optional = token.startsWith("?") && offset > 0 && ".[{,".indexOf(text.charAt(offset - 1)) >= 0;
    problem(offset, token.length(), "unexpected `" + token + "`",
        optional ? "there are no optional values: test with `has(…)`" : "");
  }

  private void ended() {
    if (text.isBlank()) {
      problem(0, 1, "the expression is empty", "");
      return;
    }
    int end = text.stripTrailing().length();
    problem(end, 1, "the expression ends too early", "");
  }

  private void problem(int offset, int length, String message, String hint) {
    problems.error(located.at(offset, length), located.path(), message, hint);
  }
}
