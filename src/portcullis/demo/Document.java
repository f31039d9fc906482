package portcullis.demo;

import java.util.List;
import java.util.Optional;

/** A document that the API of the upstream serves. */
record Document(String id, String title) {
  static final List<Document> ALL = List.of(new Document("1", "Plan of the castle"), new Document("2", "Duty roster"),
      new Document("3", "Inventory of the treasury"));

  /** Returns the document with this name in the relation service, as {@code document:1}. */
  static Optional<Document> withObject(String object) {
    return ALL.stream().filter(document -> document.object().equals(object)).findFirst();
  }

  String object() {
    return "document:" + id;
  }
}
