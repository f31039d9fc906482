package portcullis.lang.gjson;

/**
 * The first part of a path, met by an object.
 *
 * @param name the name of the member, a pattern if it is {@code wild}
 * @param rest what follows: behind a point for the member itself, behind a pipe for what the whole path before it found
 */
record ObjectStep(String name, boolean wild, Rest rest) {
  static ObjectStep parse(String path) {
    StringBuilder name = new StringBuilder();
    boolean wild = false;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '|') {
        return new ObjectStep(name.toString(), wild, Rest.piped(path.substring(i + 1)));
      }
      if (c == '.') {
        return new ObjectStep(name.toString(), wild, Rest.behindPoint(path.substring(i + 1)));
      }
      if (c == '\\') {
        i++;
        if (i < path.length()) {
          name.append(path.charAt(i));
        }
      } else {
        wild |= c == '*' || c == '?';
        name.append(c);
      }
    }
    return new ObjectStep(name.toString(), wild, Rest.NOTHING);
  }

  boolean matches(String member) {
    return wild ? Wildcard.matches(member, name) : name.equals(member);
  }
}
