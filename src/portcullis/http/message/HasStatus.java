package portcullis.http.message;

/** What an exception is that knows with which status a client is to be answered, wherever it is raised. */
public interface HasStatus {
  int status();
}
