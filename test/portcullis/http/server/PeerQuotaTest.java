package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerQuotaTest {
  /** What each of so many peers gets, who all take as much as they can, one after the other. */
  private static int[] taken(PeerQuota share, int peers) {
    int[] own = new int[peers];
    int all = 0;
    for (boolean more = true; more;) {
      more = false;
      for (int i = 0; i < peers; i++) {
        if (share.hasRoom(all) && share.allows(all, own[i])) {
          own[i]++;
          all++;
          more = true;
        }
      }
    }
    return own;
  }

  @ParameterizedTest
  @CsvSource({"16384, 75, 12288", "8, 75, 6", "100, 50, 50", "100, 10, 10", "1, 75, 1", "2, 50, 1", "3, 1, 1",
    "100, 0, 100"})
  void aPeerAloneGetsItsPercentageAndAlwaysOne(int limit, int percent, int most) {
    assertEquals(most, taken(new PeerQuota(limit, percent), 1)[0]);
  }

  @Test
  void manyGreedyPeersGetTheSameAndLeaveRoom() {
    for (int peers : new int[] {2, 3, 10, 100}) {
      int[] taken = taken(new PeerQuota(8192, 75), peers);
      int all = Arrays.stream(taken).sum();
      assertTrue(all < 8192, peers + " peers leave room");
      assertTrue(Arrays.stream(taken).max().orElse(0) - Arrays.stream(taken).min().orElse(0) <= 1,
          Arrays.toString(taken));
    }
  }

  @Test
  void whoHasNothingGetsTheLastPlace() {
    PeerQuota share = new PeerQuota(8, 75);
    assertTrue(share.hasRoom(7) && share.allows(7, 0));
    assertFalse(share.allows(7, 1));
    assertFalse(share.hasRoom(8));
  }

  @Test
  void withoutLimitAllPeersAreAllowed() {
    PeerQuota share = new PeerQuota(0, 75);
    assertTrue(share.hasRoom(1_000_000) && share.allows(1_000_000, 1_000_000));
    assertEquals(Integer.MAX_VALUE, share.uncounted());
  }

  @ParameterizedTest
  @CsvSource({"8192, 75", "8192, 50", "8192, 10", "8192, 99", "1000000, 75", "8, 75", "1, 75", "2, 50"})
  void uncountedPlacesDoNotExceedTheShare(int limit, int percent) {
    PeerQuota whole = new PeerQuota(limit, percent);
    int most = whole.uncounted() + taken(whole.counted(), 1)[0];
    assertTrue(most <= Math.max(1, limit * (long) percent / 100), most + " of " + limit);
    assertTrue(most >= limit * (percent - 2L) / 100 - 1, most + " of " + limit);
  }

  @Test
  void countsNoPeerWithoutShare() {
    assertEquals(8192, new PeerQuota(8192, 0).uncounted());
  }
}
