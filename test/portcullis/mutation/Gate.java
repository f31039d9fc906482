package portcullis.mutation;

/** A class to be changed in a test of the tool. */
final class Gate {
  private Gate() {}

  static boolean isOpen(int age) {
    return age >= 18;
  }

  static int unread() {
    return 7;
  }
}
