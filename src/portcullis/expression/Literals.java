package portcullis.expression;

import java.util.Optional;
import java.util.function.Supplier;
import org.projectnessie.cel.parser.gen.CELParser;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.Token;

/** Reads one constant of the grammar's tree. */
final class Literals {
  private final TreeReader tree;
  private final int id;

  Literals(TreeReader tree, int id) {
    this.tree = tree;
    this.id = id;
  }

  Syntax read(CELParser.LiteralContext literal) {
    return switch (literal) {
      case CELParser.IntContext i -> number(() -> new Val.Int(Long.parseLong(signed(i.sign, digits(i.tok)), radix(i.tok))), "64 bits");
      case CELParser.UintContext u -> number(() -> new Val.Uint(Long.parseUnsignedLong(unsigned(u.tok), radix(u.tok))), "64 bits");
      case CELParser.DoubleContext d -> number(() -> finite(Double.parseDouble(signed(d.sign, d.tok.getText()))), "a double");
      case CELParser.StringContext s -> escaped(Escapes.text(s.tok.getText()).map(Val::of));
      case CELParser.BytesContext b -> escaped(Escapes.bytes(b.tok.getText().substring(1)).map(Val.Bytes::new));
      case CELParser.BoolTrueContext _ -> constant(Val.TRUE);
      case CELParser.BoolFalseContext _ -> constant(Val.FALSE);
      case CELParser.NullContext _ -> constant(Val.NULL);
      default -> throw new IllegalStateException("the grammar has no " + literal.getClass().getSimpleName());
    };
  }

  private Syntax constant(Val value) {
    return new Syntax.Constant(id, value);
  }

  private Syntax number(Supplier<Val> reading, String room) {
    try {
      return constant(reading.get());
    } catch (NumberFormatException e) {
      return tree.problem(id, "this number does not fit " + room, "");
    }
  }

  private Syntax escaped(Optional<? extends Val> value) {
    return value.isPresent() ? constant(value.get()) : tree.problem(id, "an escape in this text is malformed", "");
  }

  private static Val finite(double value) {
    if (Double.isInfinite(value)) {
      throw new NumberFormatException();
    }
    return new Val.Real(value);
  }

  private static int radix(Token token) {
    return token.getText().startsWith("0x") ? 16 : 10;
  }

  private static String digits(Token token) {
    return radix(token) == 16 ? token.getText().substring(2) : token.getText();
  }

  private static String unsigned(Token token) {
    String digits = digits(token);
    return digits.substring(0, digits.length() - 1);
  }

  private static String signed(Token sign, String digits) {
    return sign == null ? digits : sign.getText() + digits;
  }
}
