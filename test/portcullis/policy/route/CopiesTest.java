package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.LocatedText;

/** Records keep copies of the lists that they are made of, so that nobody changes routes afterwards. */
class CopiesTest {
  private static final LocatedText TEXT = LocatedText.of("x", "x");

  private static <T> void isCopied(T item, Function<List<T>, Collection<?>> kept) {
    List<T> list = new ArrayList<>(List.of(item));
    Collection<?> copy = kept.apply(list);
    list.clear();
    assertEquals(1, copy.size());
  }

  @Test
  void laterChangesOfListsHaveNoEffect() {
    PathPattern path = new PathPattern(TEXT, List.of());
    Conditions any = new Conditions(Scheme.ANY, MethodSet.ANY, List.of(), EncodedSlashes.OFF);
    isCopied((HostPattern) new HostPattern.Any(),
        hosts -> new Conditions(Scheme.ANY, MethodSet.ANY, hosts, EncodedSlashes.OFF).hosts());
    isCopied("a", hosts -> new ListedRoute<>(hosts, "/", List.of(), "", "v").hosts());
    isCopied("GET", methods -> new ListedRoute<>(List.of(), "/", methods, "", "v").methods());
    isCopied((Segment) new Segment.Literal("a"), segments -> new PathPattern(TEXT, segments).segments());
    isCopied(new Route(path, List.of()), routes -> new RuleEntry<>(TEXT, any, routes, "v").routes());
    isCopied(new RuleEntry<>(TEXT, any, List.of(), "v"), entries -> new RouteSet<>("s", entries).entries());
    isCopied("GET", methods -> sample(methods, List.of()).methods());
    isCopied("a", segments -> sample(List.of(), segments).segments());
    isCopied(List.<GlobPart>of(), alternatives -> new GlobPart.Choice(alternatives).alternatives());
    Set<String> names = new HashSet<>(Set.of("GET"));
    MethodSet methods = new MethodSet(false, names);
    names.clear();
    assertEquals(Set.of("GET"), methods.names());
  }

  private static RouteSample<String> sample(List<String> methods, List<String> segments) {
    return new RouteSample<>("v", TEXT, methods, false, "http", "a", segments, new LinkedHashMap<>(), "",
        Optional.empty(), false);
  }
}
