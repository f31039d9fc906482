package portcullis.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * A panel of the picture: lines on two logarithmic axes, so that what grows in proportion is straight.
 *
 * @param x what grows, with its unit
 * @param y what it costs, with its unit
 */
record Chart(String title, String x, String y, List<Series> series) {
  static final int WIDTH = 420;
  static final int HEIGHT = 300;

  private static final int LEFT = 58;
  private static final int TOP = 34;
  private static final int RIGHT = WIDTH - 16;
  private static final int BOTTOM = HEIGHT - 46;
  private static final List<String> COLOURS = List.of("#1f5fa8", "#c4572a", "#3b8a4a", "#7a4fa3");

  /** An axis from one power of ten to another; what is below its beginning lies at it. */
  record Axis(int low, int high, double from, double to) {
    static Axis of(DoubleStream values, double from, double to) {
      double[] all = values.map(v -> Math.log10(Math.max(v, 1e-9))).toArray();
      int low = (int) Math.floor(DoubleStream.of(all).min().orElse(0));
      int high = (int) Math.ceil(DoubleStream.of(all).max().orElse(1));
      return new Axis(low, Math.max(high, low + 1), from, to);
    }

    double at(double value) {
      double share = (Math.log10(Math.max(value, Math.pow(10, low))) - low) / (high - low);
      return from + share * (to - from);
    }
  }

  /** The panel as an SVG group, whose upper left corner is there. */
  String svg(int left, int top) {
    Axis across = Axis.of(series.stream().flatMap(s -> s.points().stream()).mapToDouble(p -> Math.max(p.x(), 1)), LEFT,
        RIGHT);
    Axis up = Axis.of(series.stream().flatMap(s -> s.points().stream()).mapToDouble(Series.Point::y), BOTTOM, TOP);
    StringBuilder out = new StringBuilder("<g transform=\"translate(" + left + " " + top + ")\">\n");
    out.append(text(LEFT, 20, "start", "font-weight=\"bold\"", title + ", " + y));
    out.append(text((LEFT + RIGHT) / 2.0, HEIGHT - 10, "middle", "", x));
    for (int power = across.low(); power <= across.high(); power++) {
      double at = across.at(Math.pow(10, power));
      out.append(line(at, TOP, at, BOTTOM)).append(text(at, BOTTOM + 16, "middle", "", label(power)));
    }
    for (int power = up.low(); power <= up.high(); power++) {
      double at = up.at(Math.pow(10, power));
      out.append(line(LEFT, at, RIGHT, at)).append(text(LEFT - 6, at + 4, "end", "", label(power)));
    }
    for (int i = 0; i < series.size(); i++) {
      out.append(curve(series.get(i), COLOURS.get(i % COLOURS.size()), across, up));
      out.append(text(RIGHT - 80 * (series.size() - 1 - i), HEIGHT - 10, "end",
          "fill=\"" + COLOURS.get(i % COLOURS.size()) + "\"", series.get(i).name()));
    }
    return out.append("</g>\n").toString();
  }

  private static String curve(Series series, String colour, Axis across, Axis up) {
    StringBuilder path = new StringBuilder();
    StringBuilder dots = new StringBuilder();
    for (Series.Point point : series.points()) {
      String at = number(across.at(Math.max(point.x(), 1))) + " " + number(up.at(point.y()));
      path.append(path.isEmpty() ? "M" : " L").append(at);
      String[] both = at.split(" ");
      dots.append("<circle cx=\"").append(both[0]).append("\" cy=\"").append(both[1]).append("\" r=\"3\" fill=\"")
          .append(colour)
          .append("\"><title>").append(number(point.x())).append(": ").append(number(point.y()))
          .append("</title></circle>\n");
    }
    return "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"2\"/>\n" + dots;
  }

  private static String label(int power) {
    String[] units = {"", "k", "M", "G"};
    return power < 0 ? number(Math.pow(10, power))
        : power < 12 ? (long) Math.pow(10, power % 3) + units[power / 3] : "1e" + power;
  }

  private static String line(double x1, double y1, double x2, double y2) {
    return "<path d=\"M" + number(x1) + " " + number(y1) + " L" + number(x2) + " " + number(y2)
        + "\" stroke=\"#ddd\"/>\n";
  }

  private static String text(double x, double y, String anchor, String more, String content) {
    String safe = content.replace("&", "&amp;").replace("<", "&lt;");
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\" " + more + ">" + safe
        + "</text>\n";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value).replaceFirst("\\.?0+$", "");
  }

  /** A picture of panels, two in a row. */
  static String picture(List<Chart> charts) {
    int rows = (charts.size() + 1) / 2;
    StringBuilder out = new StringBuilder("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + 2 * WIDTH + " "
        + rows * HEIGHT
        + "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (int i = 0; i < charts.size(); i++) {
      out.append(charts.get(i).svg(i % 2 * WIDTH, i / 2 * HEIGHT));
    }
    return out.append("</svg>\n").toString();
  }
}
