package portcullis.policy.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FlightTest {
  @Test
  void endsOnce() {
    Flight<String> flight = new Flight<>();
    assertEquals(new Flight.TimedOut<String>(), flight.await(Duration.ofMillis(1)));
    flight.end(new Flight.Completed<>("a"));
    flight.end(new Flight.Abandoned<>());
    assertEquals(new Flight.Completed<>("a"), flight.await(Duration.ofSeconds(30)));
    assertEquals(new Flight.Completed<>("b"), Flight.landed("b").await(Duration.ZERO));
  }

  @Test
  void waitingThreadStaysInterrupted() {
    Thread.currentThread().interrupt();
    assertEquals(new Flight.TimedOut<String>(), new Flight<String>().await(Duration.ofMinutes(1)));
    assertTrue(Thread.interrupted());
  }
}
