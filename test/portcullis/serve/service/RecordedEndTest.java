package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What is recorded of the end of a tunnel: what came first. */
class RecordedEndTest {
  private static final String IDLE = "nothing has passed for longer than `timeout.idle`";

  private final TunnelEnd end = new TunnelEnd();

  private String recorded() throws Exception {
    return WebSocketFramesTest.recorded(end).strip();
  }

  @Test
  void whatNoSideHasEndedIsEndedHere() throws Exception {
    assertEquals("_ended_by=portcullis _close_status=1006", recorded());
    assertEquals("", end.error(false));
    assertEquals("ended: the service stops", end.error(true));
  }

  @Test
  void theFirstSideThatEndsItCounts() throws Exception {
    end.endedBy(TunnelEnd.Side.UPSTREAM);
    end.endedBy(TunnelEnd.Side.CLIENT);
    end.closedBy(TunnelEnd.Side.CLIENT, 1000);
    end.endedIdle();
    assertEquals("_ended_by=upstream _close_status=1006", recorded());
    assertFalse(end.isIdle());
    assertEquals("", end.error(true), "it has ended by itself");
  }

  @Test
  void theFirstCloseFrameCounts() throws Exception {
    end.closedBy(TunnelEnd.Side.CLIENT, 1001);
    end.closedBy(TunnelEnd.Side.UPSTREAM, 1002);
    assertEquals("_ended_by=client _close_status=1001", recorded());
  }

  @Test
  void aTunnelThatIsIdleIsEndedHere() throws Exception {
    assertFalse(end.isIdle());
    end.endedIdle();
    assertTrue(end.isIdle());
    assertEquals("_ended_by=portcullis _close_status=1006 " + IDLE, recorded());
    assertEquals(IDLE, end.error(true));
  }

  @Test
  void theFirstInvalidFrameIsTheError() {
    end.invalid(TunnelEnd.Side.CLIENT, "a");
    end.invalid(TunnelEnd.Side.UPSTREAM, "b");
    end.endedIdle();
    assertEquals("invalid WebSocket frame from the client: a", end.error(true));
    assertTrue(end.isIdle());
  }

  @Test
  void whatIsEndedHereWhileTheServiceStopsSaysSo() {
    end.endedBy(TunnelEnd.Side.PORTCULLIS);
    assertEquals("ended: the service stops", end.error(true));
    assertEquals("", end.error(false));
  }
}
