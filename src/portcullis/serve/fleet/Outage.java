package portcullis.serve.fleet;

/** What holds while Redis is away. */
public enum Outage {
  /** Requests are decided with the locks that are known. */
  ALLOW,
  /** Requests of rules that authenticate are refused. */
  DENY
}
