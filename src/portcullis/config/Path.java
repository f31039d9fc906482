package portcullis.config;

/** Where a node stands in its document, as {@code rules[0].execute[1]}; written out on demand. */
sealed interface Path {
  Path ROOT = new Root();

  default Path member(String name) {
    return new Member(this, name);
  }

  default Path item(int index) {
    return new Item(this, index);
  }

  /** The document itself. */
  record Root() implements Path {
    @Override
    public String toString() {
      return "";
    }
  }

  /** A member of a mapping. */
  record Member(Path parent, String name) implements Path {
    @Override
    public String toString() {
      String before = parent.toString();
      return before.isEmpty() ? name : before + "." + name;
    }
  }

  /** An item of a sequence. */
  record Item(Path parent, int index) implements Path {
    @Override
    public String toString() {
      return parent + "[" + index + "]";
    }
  }
}
