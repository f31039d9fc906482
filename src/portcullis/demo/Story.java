package portcullis.demo;

/** The explanation on a page of the upstream of how the request was allowed. */
record Story(String title, String text) {
  static Story of(String path) {
    if (path.startsWith(Arrived.API)) {
      return new Story("Documents", "A token of the issuer opened this, and the relation service said which "
          + "documents its owner may"
          + " view.");
    }
    return switch (path) {
      case "/" -> new Story("Home", "");
      case "/me" -> new Story("My page", "Everybody who is signed in gets here. The session that the proxy began at "
          + "your sign-in says who you are, and the proxy sends this page a token of its own.");
      case "/admin" ->
        new Story("Admin", "Only members of the group admin get here. Your session has what the identity "
            + "provider said about you, and an authorizer looked at your groups.");
      case "/report" -> new Story("Report", "A page for simple machines: user and password, asked for by the browser "
          + "itself. The proxy has a hash of the password only.");
      case Guide.STOCK ->
        new Story("Stock", "A page for programs. An API key says which one is asking; the proxy has a "
            + "hash of it only, keeps the key from this page, and counts the requests of each program.");
      default -> new Story("An unplanned page", "Nobody wrote this page, but a rule let the request through. Here is "
          + "what arrived.");
    };
  }
}
