package portcullis.bench;

import java.util.List;

/** What was measured of one program, in the order of what grows. */
record Series(String name, List<Point> points) {
  record Point(double x, double y) {}
}
