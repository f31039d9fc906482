package portcullis.http.message;

/** Implemented by exceptions that determine the status of the response, wherever they are thrown. */
public interface HasStatus {
  int status();
}
