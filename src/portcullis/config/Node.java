package portcullis.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;

/** A value of a document, with the place where it was written; immutable. */
public sealed interface Node {
  Origin at();

  /** Returns the place in the document. */
  Path where();

  /** Returns the path as it is written: {@code rules[0].id}; empty for the document itself. */
  default String path() {
    return where().toString();
  }

  /** Returns its kind, for messages: {@code a string}, {@code a number}, {@code a list} … */
  String kind();

  /** Returns the node for another place of the document; an anchor is read at the place where it is used. */
  Node under(Path path);

  /** Returns the single values in it, in the order written. */
  default List<Scalar> scalars() {
    return switch (this) {
      case Scalar scalar -> List.of(scalar);
      case Sequence list -> list.items.stream().flatMap(item -> item.scalars().stream()).toList();
      case Mapping mapping -> mapping.members.values().stream().flatMap(m -> m.value.scalars().stream()).toList();
    };
  }

  /** What a plain scalar means (YAML 1.2, 10.3.2); a quoted one is always a string. */
  enum Meaning {
    TEXT("a string"), BOOL("a boolean"), INT("a number"), FLOAT("a number"), NULL("nothing");

    private final String kind;

    Meaning(String kind) {
      this.kind = kind;
    }
  }

  /** A single value; {@code located} knows the place of each character. */
  record Scalar(LocatedText located, Path where, Meaning meaning) implements Node, LocatedText {
    @Override
    public Origin at() {
      return located.at(0, text().length());
    }

    @Override
    public String text() {
      return located.text();
    }

    /** Returns whether it is written without quotes. */
    public boolean isPlain() {
      return located instanceof ScalarText written && written.isPlain();
    }

    @Override
    public String path() {
      return where.toString();
    }

    @Override
    public Origin at(int offset, int length) {
      return located.at(offset, length);
    }

    @Override
    public String kind() {
      return meaning.kind;
    }

    @Override
    public Node under(Path path) {
      return new Scalar(located, path, meaning);
    }
  }

  /** A list. */
  record Sequence(Origin at, Path where, List<Node> items) implements Node {
    @Override
    public String kind() {
      return "a list";
    }

    @Override
    public Node under(Path path) {
      List<Node> moved = new ArrayList<>(items.size());
      items.forEach(item -> moved.add(item.under(path.item(moved.size()))));
      return new Sequence(at, path, moved);
    }
  }

  /** A member of a mapping: where its name stands, and its value. */
  record Member(Origin nameAt, Node value) {}

  /** Members by name, in the order written. */
  record Mapping(Origin at, Path where, SequencedMap<String, Member> members) implements Node {
    public Optional<Node> get(String name) {
      return members instanceof Members few ? few.value(name)
          : Optional.ofNullable(members.get(name)).map(Member::value);
    }

    @Override
    public String kind() {
      return "a mapping";
    }

    @Override
    public Node under(Path path) {
      SequencedMap<String, Member> moved = new LinkedHashMap<>();
      for (Map.Entry<String, Member> m : members.entrySet()) {
        moved.put(m.getKey(), new Member(m.getValue().nameAt(), m.getValue().value().under(path.member(m.getKey()))));
      }
      return new Mapping(at, path, moved);
    }
  }
}
