package portcullis.serve.console;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import portcullis.lang.markup.Html;

/**
 * A chart as an SVG image, with its scale as text beside it. Its values are one second or more apart and end now.
 *
 * @param title of the chart
 * @param summary what it shows, in words
 * @param series one or two
 * @param stacked whether the second stands on the first, as areas; otherwise they are lines
 * @param unit how values are written
 */
record Chart(String title, String summary, List<Series> series, boolean stacked, int places,
    DoubleFunction<String> unit) {
  private static final int WIDTH = 300;
  private static final int HEIGHT = 100;

  /**
   * Values of one kind, the last one now; NaN where there is none.
   *
   * @param kind the class of its style
   */
  record Series(String kind, String name, double[] values) {}

  Html html() {
    double top = niceTop(highest());
    String lines = stacked ? areas(top) : series.stream().map(one -> line(one, top)).reduce("", String::concat);
    Html keys = Html.join(series.stream()
        .map(one -> Html.of("<span class=\"key {}\">{}</span>", one.kind, one.name)).toList());
    return Html.of("""
        <figure><figcaption><b>{}</b>{}</figcaption>
        <div class="plot"><div class="scale" aria-hidden="true"><span>{}</span><span>{}</span><span>0</span></div>
        <svg class="chart" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">
        <path class="grid" d="M0 0.5H300M0 50H300M0 99.5H300"/>{}</svg></div>
        <div class="axis" aria-hidden="true"><span>5 min ago</span><span>now</span></div></figure>
        """, title, keys, unit.apply(top), unit.apply(top / 2), WIDTH, HEIGHT, summary, new Html(lines));
  }

  private double highest() {
    double out = 0;
    for (int i = 0; i < series.getFirst().values.length; i++) {
      double sum = 0;
      for (Series one : series) {
        double value = Double.isNaN(one.values[i]) ? 0 : one.values[i];
        sum = stacked ? sum + value : Math.max(sum, value);
      }
      out = Math.max(out, sum);
    }
    return out;
  }

  /** Returns the next of 1, 2 and 5 times a power of ten. */
  static double niceTop(double highest) {
    if (highest <= 0) {
      return 1;
    }
    double power = Math.pow(10, Math.floor(Math.log10(highest)));
    for (double factor : new double[] {1, 2, 5}) {
      if (highest <= factor * power * (1 + 1e-9)) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private String areas(double top) {
    double[] base = new double[series.getFirst().values.length];
    StringBuilder out = new StringBuilder();
    for (Series one : series) {
      double[] sum = base.clone();
      for (int i = 0; i < sum.length; i++) {
        sum[i] += Double.isNaN(one.values[i]) ? 0 : one.values[i];
      }
      StringBuilder path = new StringBuilder();
      int count = sum.length;
      for (int i = 0; i < count; i++) {
        path.append(i == 0 ? "M" + x(i, count) + " " + y(sum[i], top) : "V" + y(sum[i], top))
            .append('H').append(x(i + 1, count));
      }
      for (int i = count - 1; i >= 0; i--) {
        path.append('V').append(y(base[i], top)).append('H').append(x(i, count));
      }
      if (count > 0) {
        out.append("<path class=\"").append(one.kind).append("\" d=\"").append(path).append("Z\"/>");
      }
      base = sum;
    }
    return out.toString();
  }

  private String line(Series one, double top) {
    StringBuilder path = new StringBuilder();
    int count = one.values.length;
    boolean goesOn = false;
    for (int i = 0; i < count; i++) {
      boolean isThere = !Double.isNaN(one.values[i]);
      if (isThere) {
        path.append(goesOn ? "L" : "M").append(x(i, count)).append(' ').append(y(one.values[i], top))
            .append('H').append(x(i + 1, count));
      }
      goesOn = isThere;
    }
    return "<path class=\"" + one.kind + "\" d=\"" + path + "\" vector-effect=\"non-scaling-stroke\"/>";
  }

  private String x(int index, int count) {
    return number((double) WIDTH * (places - count + index) / places);
  }

  private static String y(double value, double top) {
    return number(HEIGHT - HEIGHT * Math.clamp(value / top, 0, 1));
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
