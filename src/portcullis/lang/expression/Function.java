package portcullis.lang.expression;

/** A function of the language. */
@FunctionalInterface
interface Function {
  Val apply(Arguments arguments) throws EvaluationFailure;
}
