package portcullis.serve.service;

/** The same with an upstream of HTTP/1.1. */
class QuietCallToHttp1Test extends QuietCallTest {
  @Override
  WaitingSite.Sides sides() {
    return WaitingSite.Sides.CLIENT;
  }
}
