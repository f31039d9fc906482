package portcullis.serve.service;

/** The same with a client of HTTP/1.1. */
class QuietCallOfHttp1Test extends QuietCallTest {
  @Override
  WaitingSite.Sides sides() {
    return WaitingSite.Sides.UPSTREAM;
  }
}
