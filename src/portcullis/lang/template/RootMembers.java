package portcullis.lang.template;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds the members of the root that a template may read. */
final class RootMembers implements CommandWalker.Visitor {
  /** All members: the root is passed on as a whole. */
  static final String ALL = "*";

  private final Set<String> found = new TreeSet<>();

  private RootMembers() {}

  static Set<String> of(Collection<Definition> definitions) {
    RootMembers members = new RootMembers();
    CommandWalker.through(definitions, members);
    return Set.copyOf(members.found);
  }

  @Override
  public void command(Pipeline.Command command, boolean rooted) {
    command.terms().forEach(term -> term(term, rooted));
  }

  /** Skips dot alone as an argument: every body is searched as if its dot were the root. */
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
