package portcullis.observe.otel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.Problems;

class LazyTest {
  /** Loads our classes anew, and fails for those of the SDK. */
  private static final class WithoutSdk extends ClassLoader {
    private final List<String> receivedCalls = new ArrayList<>();

    WithoutSdk() {
      super(LazyTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("io.opentelemetry.")) {
        receivedCalls.add(name);
        throw new ClassNotFoundException(name);
      }
      return name.startsWith("portcullis.") && !name.startsWith("portcullis.lang.source.") ? own(name)
          : super.loadClass(name, resolve);
    }

    private Class<?> own(String name) throws ClassNotFoundException {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** What is decided before the SDK is there, and what stays when it is not wanted, works without it. */
  @Test
  void nothingOfTheSdkIsLoadedWhereItIsNotWanted() throws ReflectiveOperationException {
    WithoutSdk loader = new WithoutSdk();
    Class<?> variables = Class.forName("portcullis.observe.otel.Variables", true, loader);
    Object read = variables.getMethod("of", Map.class, Problems.class).invoke(null,
        Map.of("OTEL_METRICS_EXPORTER", "prometheus"), new Problems());
    assertEquals("[otlp]", variables.getMethod("traces").invoke(read).toString());
    for (String name : List.of("portcullis.observe.client.InstrumentedClient",
        "portcullis.observe.client.ClientInstruments",
        "portcullis.observe.metrics.Registry", "portcullis.observe.tracing.Trace",
        "portcullis.observe.telemetry.Log")) {
      Class.forName(name, true, loader).getDeclaredMethods();
    }
    assertEquals(List.of(), loader.receivedCalls);
  }
}
