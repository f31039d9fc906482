package portcullis.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Value;

/** A user who can sign in. */
record Person(String id, String name, List<String> groups) {
  static final List<Person> ALL = List.of(
      new Person("ann", "Ann Archer", List.of("admin", "staff")),
      new Person("bob", "Bob Baker", List.of("staff")),
      new Person("cleo", "Cleo Carter", List.of()));

  static Optional<Person> withId(String id) {
    return ALL.stream().filter(person -> person.id.equals(id)).findFirst();
  }

  /** Returns the claims about the person. */
  Value.Dict claims() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("sub", Value.of(id));
    out.put("name", Value.of(name));
    out.put("groups", Value.Array.ofStrings(groups));
    return new Value.Dict(out);
  }
}
