package portcullis.expression;

import com.google.api.expr.v1alpha1.CheckedExpr;
import com.google.api.expr.v1alpha1.Reference;
import com.google.api.expr.v1alpha1.Type;
import java.util.Optional;
import org.projectnessie.cel.checker.Types;

/** What the checker found out about the parts of an expression. */
record Checked(CheckedExpr result) {
  /** The type of a part, as {@code list(string)}. */
  String type(Syntax part) {
    return type((long) part.id());
  }

  String type(long id) {
    Type type = result.getTypeMapMap().get(id);
    return type == null ? "dyn" : Types.formatCheckedType(type).replace("!error!", "dyn");
  }

  /** The whole name, if the part is a name of several words or one that a comprehension does not bind. */
  Optional<String> name(Syntax part) {
    return reference(part).map(Reference::getName).filter(name -> !name.isEmpty());
  }

  /** The function that a call calls, as {@code math.abs}. */
  String function(Syntax.Call call) {
    return reference(call).filter(r -> r.getOverloadIdCount() > 0).map(r -> r.getOverloadId(0))
        .map(id -> id.substring(0, id.lastIndexOf('#'))).orElse(call.function());
  }

  private Optional<Reference> reference(Syntax part) {
    return Optional.ofNullable(result.getReferenceMapMap().get((long) part.id()));
  }
}
