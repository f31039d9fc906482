package portcullis.expression;

import com.google.api.expr.v1alpha1.Type;
import java.util.Map;
import java.util.Set;
import org.projectnessie.cel.checker.Decls;
import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.common.types.ref.FieldType;
import org.projectnessie.cel.common.types.ref.TypeProvider;

/** The types with members that the checker knows: {@code Error}'s, and those that an expression can make objects of. */
final class Structs implements TypeProvider {
  private static final Map<String, Map<String, String>> MEMBERS = Map.of(
      Declarations.ERROR, Map.of("Source", "string", "StepID", "string"),
      Declarations.NETWORKS, Map.of(),
      "heimdall.Request", Map.of("Method", "string", "URL", "heimdall.URL", "ClientIPAddresses", "list(string)"),
      "heimdall.URL", Map.of("Scheme", "string", "Host", "string", "Path", "string", "RawPath", "string", "RawQuery", "string",
          "Fragment", "string", "Captures", "map(string, string)"),
      "subject.Subject", Map.of("ID", "string", "Attributes", "map(string, dyn)"));
  static final Set<String> NAMES = MEMBERS.keySet();

  /** The types of a type's members, by name. */
  static Map<String, String> members(String type) {
    return MEMBERS.get(type);
  }

  @Override
  public Type findType(String name) {
    return MEMBERS.containsKey(name) ? Decls.newTypeType(Decls.newObjectType(name)) : null;
  }

  @Override
  public FieldType findFieldType(String type, String field) {
    String member = MEMBERS.getOrDefault(type, Map.of()).get(field);
    return member == null ? null : new FieldType(Declarations.type(member), _ -> false, _ -> null);
  }

  @Override
  public org.projectnessie.cel.common.types.ref.Val enumValue(String name) {
    return Err.newErr("no enumerations");
  }

  @Override
  public org.projectnessie.cel.common.types.ref.Val findIdent(String name) {
    return null;
  }

  @Override
  public org.projectnessie.cel.common.types.ref.Val newValue(String type,
      Map<String, org.projectnessie.cel.common.types.ref.Val> fields) {
    return Err.newErr("objects are made by the evaluation");
  }
}
