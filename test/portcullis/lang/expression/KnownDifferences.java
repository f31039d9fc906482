package portcullis.lang.expression;

import java.util.Map;

/** Lists the rows whose results differ on purpose, each with the reason. A row listed here must not pass. */
final class KnownDifferences {
  private static final String EXACT = "a whole number that a double would round stays exact: an id must not equal "
      + "its neighbour";
  private static final String CEL_GO = "the reference's library, cel-go 0.29.2, behaves like this";

  private static final Map<String, Map<String, String>> BY_FILE = Map.of(
      ConditionRows.FILE, Map.of(
          "conversions-78", EXACT,
          "subject-35", EXACT,
          "request-61", "Request.Body is a property too: the seed wins over the reference"),
      "cel/conformance.json", Map.of(
          "fields/map_fields/map_bad_key_type_or_true", CEL_GO + ": refused when it is compiled",
          "fields/map_fields/map_bad_key_type_and_false", CEL_GO + ": refused when it is compiled",
          "fields/qualified_identifier_resolution/map_key_float", CEL_GO,
          "fields/qualified_identifier_resolution/map_value_repeat_key", CEL_GO + ": the last one counts",
          "fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous", CEL_GO,
          "string_ext/value_errors/indexof_out_of_range", CEL_GO + ": not found",
          "string_ext/value_errors/lastindexof_out_of_range", CEL_GO + ": not found"),
      "cel/parsing.json", Map.of(),
      "cel/checking.json", Map.of());

  private KnownDifferences() {}

  /** Returns the reasons by the names of rows. */
  static Map<String, String> of(String file) {
    return BY_FILE.get(file);
  }
}
