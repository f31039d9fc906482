package portcullis.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.DoubleStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

final class ChartTest {
  @Test
  void axisIsLogarithmicBetweenPowersOfTen() {
    Chart.Axis axis = Chart.Axis.of(DoubleStream.of(20, 5000), 100, 400);
    assertEquals(new Chart.Axis(1, 4, 100, 400), axis);
    assertEquals(100, axis.at(10));
    assertEquals(200, axis.at(100), 1e-9);
    assertEquals(400, axis.at(10_000), 1e-9);
    assertEquals(100, axis.at(0));
  }

  @Test
  void pictureIsXmlWithADotForEachPoint() throws Exception {
    List<Series.Point> points = List.of(new Series.Point(0, 3), new Series.Point(1024, 30),
        new Series.Point(1 << 20, 300));
    Chart chart = new Chart("a < b", "bytes", "µs",
        List.of(new Series("one", points), new Series("two & three", points)));
    String svg = Chart.picture(List.of(chart, chart, chart));
    Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertEquals(3 * 2 * 3, document.getElementsByTagName("circle").getLength());
    assertTrue(svg.contains("a &lt; b") && svg.contains("two &amp; three"), svg);
    assertEquals("0 0 840 600", document.getDocumentElement().getAttribute("viewBox"));
  }
}
