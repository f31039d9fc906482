package portcullis.lang.template;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds out which members of the root a template reads; rather too many than too few. */
final class Reads implements Walk.Visitor {
  /** Stands for all members: the root is handed on as a whole. */
  static final String ALL = "*";

  private final Set<String> found = new TreeSet<>();

  private Reads() {}

  static Set<String> of(Collection<Definition> definitions) {
    Reads reads = new Reads();
    Walk.through(definitions, reads);
    return Set.copyOf(reads.found);
  }

  @Override
  public void command(Pipeline.Command command, boolean rooted) {
    command.terms().forEach(term -> term(term, rooted));
  }

  /** Dot handed on as it is tells nothing: the body of what is invoked is looked at as if its dot were the root. */
  @Override
  public boolean enters(Pipeline argument) {
    List<Term> terms = argument.commands().getFirst().terms();
    boolean single = argument.slots().isEmpty() && argument.commands().size() == 1 && terms.size() == 1;
    return !single || !(terms.getFirst() instanceof Term.Dot || isRoot(terms.getFirst()));
  }

  private static boolean isRoot(Term term) {
    return term instanceof Term.Variable v && v.slot() == Scope.ROOT && v.names().isEmpty();
  }

  private void term(Term term, boolean rooted) {
    switch (term) {
      case Term.Dot _ -> add(ALL, rooted);
      case Term.Field field -> add(field.names().getFirst(), rooted);
      case Term.Variable v -> add(v.names().isEmpty() ? ALL : v.names().getFirst(), v.slot() == Scope.ROOT);
      case Term.Chain chain -> term(chain.of(), rooted);
      case Term.Nil _, Term.Literal _, Term.Number _, Term.Name _, Term.Group _ -> {
      }
    }
  }

  private void add(String name, boolean rooted) {
    if (rooted) {
      found.add(name);
    }
  }
}
