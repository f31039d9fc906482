package portcullis.demo;

import java.util.List;

/** The relations of users to documents; immutable. Editors are viewers too. */
record Relations(List<Tuple> tuples) {
  /** A relation, as {@code user:ann is viewer of document:1}. */
  record Tuple(String user, String relation, String object) {}

  static final Relations OF_THE_WORLD = new Relations(List.of(
      new Tuple("user:ann", "editor", "document:1"),
      new Tuple("user:ann", "viewer", "document:2"),
      new Tuple("user:ann", "viewer", "document:3"),
      new Tuple("user:bob", "editor", "document:2"),
      new Tuple("user:cleo", "viewer", "document:3")));

  boolean allowed(Tuple tuple) {
    return tuples.contains(tuple)
        || tuple.relation.equals("viewer") && tuples.contains(new Tuple(tuple.user, "editor", tuple.object));
  }

  /** Returns the objects of a type to which the user has the relation, in the order of the tuples. */
  List<String> objects(String user, String relation, String type) {
    return tuples.stream().map(Tuple::object).filter(object -> object.startsWith(type + ":"))
        .distinct().filter(object -> allowed(new Tuple(user, relation, object))).toList();
  }
}
