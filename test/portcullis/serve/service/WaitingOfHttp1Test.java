package portcullis.serve.service;

/** The same with a client of HTTP/1.1. */
class WaitingOfHttp1Test extends WaitingRequestTest {
  @Override
  WaitingSite.Sides sides() {
    return WaitingSite.Sides.UPSTREAM;
  }

  /** Each has two sockets of its own. */
  @Override
  int many() {
    return 300;
  }
}
