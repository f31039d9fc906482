package portcullis.lang.template;

import java.util.List;

/** A part of a template: text or an action. */
sealed interface Statement {
  record Text(String text) implements Statement {}

  /** {@code {{pipeline}}}, which prints its value unless it sets variables. */
  record Action(Pipeline pipeline) implements Statement {}

  record If(Pipeline pipeline, List<Statement> then, List<Statement> otherwise) implements Statement {}

  record With(Pipeline pipeline, List<Statement> then, List<Statement> otherwise) implements Statement {}

  record Range(Pipeline pipeline, List<Statement> each, List<Statement> otherwise) implements Statement {}

  /**
   * {@code {{template "name" pipeline}}}
   *
   * @param argument none or one
   */
  record Invoke(Span at, String name, List<Pipeline> argument) implements Statement {}

  record Break() implements Statement {}

  record Continue() implements Statement {}
}
