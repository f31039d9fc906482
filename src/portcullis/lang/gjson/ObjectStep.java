package portcullis.lang.gjson;

/**
 * The first part of a path as an object reads it.
 *
 * @param name the name of a member, or a pattern of names
 */
record ObjectStep(String name, boolean isPattern, Rest rest) {
  static ObjectStep parse(String path) {
    StringBuilder name = new StringBuilder();
    boolean pattern = false;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '|') {
        return new ObjectStep(name.toString(), pattern, Rest.behindPipe(path.substring(i + 1)));
      }
      if (c == '.') {
        return new ObjectStep(name.toString(), pattern, Rest.behindPoint(path.substring(i + 1)));
      }
      if (c == '\\') {
        i++;
        if (i < path.length()) {
          name.append(path.charAt(i));
        }
      } else {
        pattern |= c == '*' || c == '?';
        name.append(c);
      }
    }
    return new ObjectStep(name.toString(), pattern, Rest.NOTHING);
  }

  boolean matches(String member) {
    return Wildcard.matches(member, name);
  }
}
