package portcullis.lang.value;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/** The members of a dict of strings; immutable. */
final class TextMembers extends AbstractMap<String, Value> {
  private final Map<String, Value> texts;

  /** @param texts not changed afterwards */
  TextMembers(Map<String, Value> texts) {
    this.texts = Collections.unmodifiableMap(texts);
  }

  @Override
  public Value get(Object name) {
    return texts.get(name);
  }

  @Override
  public boolean containsKey(Object name) {
    return texts.containsKey(name);
  }

  @Override
  public Set<Entry<String, Value>> entrySet() {
    return texts.entrySet();
  }
}
