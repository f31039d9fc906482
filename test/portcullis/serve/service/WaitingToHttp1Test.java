package portcullis.serve.service;

/** The same with an upstream of HTTP/1.1. */
class WaitingToHttp1Test extends WaitingRequestTest {
  @Override
  WaitingSite.Sides sides() {
    return WaitingSite.Sides.CLIENT;
  }

  /** Each has two sockets of its own. */
  @Override
  int many() {
    return 300;
  }
}
