package portcullis.lang.template;

/** Arguments of a function or member, each evaluated for the type of its parameter. */
interface LazyArguments {
  LazyArguments NONE = new LazyArguments() {
    @Override
    public int count() {
      return 0;
    }

    @Override
    public Item get(int index, Param parameter) {
      throw new IndexOutOfBoundsException(index);
    }
  };

  int count();

  Item get(int index, Param parameter) throws RenderFailure;
}
