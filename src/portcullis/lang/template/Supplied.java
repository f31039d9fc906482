package portcullis.lang.template;

/** Arguments of a function or member, each worked out once it is known what is taken. */
interface Supplied {
  Supplied NONE = new Supplied() {
    @Override
    public int count() {
      return 0;
    }

    @Override
    public Item get(int index, Slot slot) {
      throw new IndexOutOfBoundsException(index);
    }
  };

  int count();

  Item get(int index, Slot slot) throws RenderFailure;
}
