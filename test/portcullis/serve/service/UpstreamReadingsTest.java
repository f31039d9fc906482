package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.policy.decision.Decision;
import portcullis.policy.pipeline.Observer;

/**
 * No spelling that a real upstream takes for {@code /admin} passes by the rule for other pages. Skipped where it cannot
 * be had. Tomcat and nginx serve it under a name that is not their default host, and are asked for that with a port.
 */
class UpstreamReadingsTest {
  private static final String MECHANISMS = "authenticators: [{id: anon, type: anonymous}, {id: nobody, type: "
      + "unauthorized}]\n";
  private static final String RULES = """
      - {id: page, match: {routes: [{path: "/**"}]}, readings: guard, execute: [{authenticator: anon}]}
      - {id: admin, match: {routes: [{path: "/admin/@in"}]}, execute: [{authenticator: nobody}]}
      """;
  private static final List<String> SPELLINGS = List.of("/admin/@in", "/admin/%40in", "/%61dmin/@in", "/admin/@in;x=1",
      "/admin;x/@in",
      "/admin;x/%40in;y", "/ADMIN/@IN", "/admin/@in/", "/admin/@in.", "/ADMIN;x/@in/", "/admin/@in%3Bx",
      "/admin/@in%20", "/admin/@in%0A", "/admin/@in.%0A", "/admin/@in.json", "/admin%2F@in", "/admin%5C@in",
      "//admin/@in", "/x/../admin/@in");
  private static final String TOMCAT = """
      import jakarta.servlet.http.*;
      class Upstream {
        public static void main(String[] args) throws Exception {
          var tomcat = new org.apache.catalina.startup.Tomcat();
          tomcat.setBaseDir(args[1]);
          tomcat.setPort(Integer.parseInt(args[0]));
          tomcat.setHostname("any.test");
          var context = tomcat.addContext("", args[1]);
          var other = new org.apache.catalina.core.StandardHost();
          other.setName("other.test");
          tomcat.getEngine().addChild(other);
          tomcat.getEngine().setDefaultHost("other.test");
          org.apache.catalina.startup.Tomcat.addServlet(context, "admin", new HttpServlet() {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
              response.getWriter().print("admin");
            }
          });
          context.addServletMappingDecoded("/admin/@in", "admin");
          tomcat.getConnector();
          tomcat.start();
          tomcat.getServer().await();
        }
      }
      """;
  private static final String EXPRESS = """
      const app = require('express')();
      app.get('/admin/@in', (request, response) => response.send('admin'));
      app.listen(Number(process.argv[2]), '127.0.0.1');
      """;

  private static final String SPRING = """
      import org.springframework.context.annotation.Configuration;
      import org.springframework.web.bind.annotation.*;
      import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
      import org.springframework.web.servlet.DispatcherServlet;
      import org.springframework.web.servlet.config.annotation.EnableWebMvc;
      public class Upstream {
        @EnableWebMvc @Configuration public static class Web {}
        @RestController public static class Admin {
          @GetMapping("/admin/@in") public String admin() { return "admin"; }
        }
        public static void main(String[] args) throws Exception {
          var tomcat = new org.apache.catalina.startup.Tomcat();
          tomcat.setBaseDir(args[1]);
          tomcat.setPort(Integer.parseInt(args[0]));
          var context = tomcat.addContext("", args[1]);
          var web = new AnnotationConfigWebApplicationContext();
          web.register(Web.class, Admin.class);
          web.setServletContext(context.getServletContext());
          org.apache.catalina.startup.Tomcat.addServlet(context, "spring", new DispatcherServlet(web));
          context.addServletMappingDecoded("/", "spring");
          tomcat.getConnector();
          tomcat.start();
          tomcat.getServer().await();
        }
      }
      """;
  private static final String SPRING_JARS = """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>test</groupId>
        <artifactId>upstream</artifactId>
        <version>1</version>
        <dependencies>
          <dependency>
            <groupId>org.springframework</groupId>
            <artifactId>spring-webmvc</artifactId>
            <version>6.2.7</version>
          </dependency>
          <dependency>
            <groupId>org.apache.tomcat.embed</groupId>
            <artifactId>tomcat-embed-core</artifactId>
            <version>10.1.40</version>
          </dependency>
        </dependencies>
      </project>
      """;
  private static final String RAILS = """
      require 'action_controller/railtie'
      require 'rack/handler/puma'
      class Upstream < Rails::Application
        config.eager_load = false
        config.hosts.clear
        config.secret_key_base = 'x' * 40
        config.logger = Logger.new($stderr)
      end
      class AdminController < ActionController::Base
        def show
          render plain: 'admin'
        end
      end
      Upstream.initialize!
      Upstream.routes.draw { get '/admin/@in', to: 'admin#show' }
      Rack::Handler::Puma.run(Upstream, Host: '127.0.0.1', Port: ARGV[0].to_i, Silent: true) if ARGV[0]
      """;
  private static final String NGINX = """
      daemon off;
      pid nginx.pid;
      error_log stderr;
      worker_processes 1;
      events {}
      http {
        access_log off;
        client_body_temp_path body;
        proxy_temp_path proxy;
        fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi;
        scgi_temp_path scgi;
        server {
          listen 127.0.0.1:PORT;
          server_name any.test;
          location ~ ^/admin/@in$ { return 200 admin; }
          location / { return 404; }
        }
        server {
          listen 127.0.0.1:PORT default_server;
          return 404;
        }
      }
      """;
  /** What reads paths as RFC 3986 does, and an encoded slash as a slash. */
  private static final List<String> DECODED = List.of("/admin/@in", "/admin/%40in", "/%61dmin/@in", "/admin%2F@in",
      "//admin/@in", "/x/../admin/@in");

  /** What reads them too, and path parameters as no part of the path. */
  private static final List<String> PARAMETERS_REMOVED = List.of("/admin/@in", "/admin/%40in", "/%61dmin/@in",
      "/admin/@in;x=1", "/admin;x/@in", "/admin;x/%40in;y");

  @TempDir
  private Path folder;

  @Test
  void noSpellingReachesWhatTomcatServesToTheAdmin() throws Exception {
    fetch("mvn", "-B", "-q", "dependency:copy", "-Dartifact=org.apache.tomcat.embed:tomcat-embed-core:10.1.40",
        "-DoutputDirectory=.");
    fetch("mvn", "-B", "-q", "dependency:copy", "-Dartifact=jakarta.annotation:jakarta.annotation-api:2.1.1",
        "-DoutputDirectory=.");
    Files.writeString(folder.resolve("Upstream.java"), TOMCAT);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    int port = FreePort.next();
    List<String> read = adminSpellings(port, java, "-cp", "*", "Upstream.java", Integer.toString(port),
        folder.toString());
    assertEquals(Set.copyOf(plus(plus(PARAMETERS_REMOVED, "//admin/@in"), "/x/../admin/@in")), Set.copyOf(read));
    noneIsAllowed(read);
  }

  @Test
  void noSpellingReachesWhatSpringServesToTheAdmin() throws Exception {
    Files.writeString(folder.resolve("pom.xml"), SPRING_JARS);
    fetch("mvn", "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=.");
    Files.writeString(folder.resolve("Upstream.java"), SPRING);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    int port = FreePort.next();
    List<String> read = adminSpellings(port, java, "-cp", "*", "Upstream.java", Integer.toString(port),
        folder.toString());
    assertEquals(Set.copyOf(PARAMETERS_REMOVED), Set.copyOf(read));
    noneIsAllowed(read);
  }

  @Test
  void noSpellingReachesWhatRailsServesToTheAdmin() throws Exception {
    Files.writeString(folder.resolve("upstream.rb"), RAILS);
    fetch("ruby", "upstream.rb");
    int port = FreePort.next();
    List<String> read = adminSpellings(port, "ruby", "upstream.rb", Integer.toString(port));
    assertEquals(Set.of("/admin/@in", "/admin/@in/", "//admin/@in", "/admin/@in.%0A", "/admin/@in.json"),
        Set.copyOf(read));
    noneIsAllowed(read.stream().filter(path -> !path.endsWith(".json")).toList());
    noneIsAllowed(RULES.replace("{path: \"/admin/@in\"}",
        "{path: \"/admin/:page\", path_params: [{name: page, type: glob, value: \"@in{,.*}\"}]}"), read);
  }

  @Test
  void noSpellingReachesWhatExpressServesToTheAdmin() throws Exception {
    fetch("npm", "install", "--no-audit", "--no-fund", "--silent", "express@4");
    Files.writeString(folder.resolve("upstream.js"), EXPRESS);
    int port = FreePort.next();
    List<String> read = adminSpellings(port, "node", "upstream.js", Integer.toString(port));
    assertEquals(Set.of("/admin/@in", "/ADMIN/@IN", "/admin/@in/"), Set.copyOf(read));
    noneIsAllowed(read);
  }

  @Test
  void noSpellingReachesWhatPhpServesToTheAdmin() throws Exception {
    String php = Needs.program("php").toString();
    Files.createDirectory(folder.resolve("admin"));
    Files.writeString(folder.resolve("admin/@in"), "admin");
    int port = FreePort.next();
    List<String> read = adminSpellings(port, php, "-S", "127.0.0.1:" + port, "-t", folder.toString());
    assertEquals(Set.copyOf(plus(DECODED, "/admin/@in/")), Set.copyOf(read));
    noneIsAllowed(read);
  }

  @Test
  void noSpellingReachesWhatNginxServesToTheAdmin() throws Exception {
    String nginx = Needs.program("nginx").toString();
    int port = FreePort.next();
    Path file = Files.writeString(folder.resolve("nginx.conf"), NGINX.replace("PORT", Integer.toString(port)));
    List<String> read = adminSpellings(port, nginx, "-p", folder.toString(), "-c", file.toString());
    assertEquals(Set.copyOf(plus(DECODED, "/admin/@in%0A")), Set.copyOf(read));
    noneIsAllowed(read);
  }

  private static List<String> plus(List<String> some, String one) {
    List<String> all = new ArrayList<>(some);
    all.add(one);
    return all;
  }

  private void fetch(String... command) throws InterruptedException {
    boolean fetched;
    try {
      Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
          .redirectOutput(folder.resolve("fetch.log").toFile()).start();
      fetched = process.waitFor(180, TimeUnit.SECONDS) && process.exitValue() == 0;
      process.destroyForcibly();
    } catch (IOException _) {
      fetched = false;
    }
    Needs.installed(fetched, "the upstream that " + command[0] + " fetches");
  }

  /** The spellings under which the program, which listens on the port, serves the admin's page. */
  private List<String> adminSpellings(int port, String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
        .redirectOutput(folder.resolve("upstream.log").toFile()).start();
    try {
      Path log = folder.resolve("upstream.log");
      Await.until(Duration.ofMinutes(2), () -> !process.isAlive() || serves(port, "/admin/@in"),
          () -> Files.readString(log));
      assertTrue(process.isAlive(), Files.readString(log));
      return SPELLINGS.stream().filter(path -> serves(port, path)).toList();
    } finally {
      process.destroyForcibly();
    }
  }

  private static boolean serves(int port, String path) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream()
          .write(("GET " + path + " HTTP/1.1\r\nHost: any.test:" + port + "\r\nConnection: close\r\n\r\n").getBytes());
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      return answer.startsWith("HTTP/1.1 200") && answer.contains("admin");
    } catch (IOException _) {
      return false;
    }
  }

  private static void noneIsAllowed(List<String> spellings) throws ResponseStatusException {
    noneIsAllowed(RULES, spellings);
  }

  private static void noneIsAllowed(String rules, List<String> spellings) throws ResponseStatusException {
    DeciderSetup setup = new DeciderSetup(HttpClient.newHttpClient(), MECHANISMS, rules);
    for (String path : spellings) {
      Request request = new Request("GET", "http", Authority.parse("any.test").orElseThrow(), RequestPath.read(path),
          "",
          Fields.NONE, List.of(), Body.none());
      assertEquals(Decision.Refuse.class, setup.decider().decide(request, Observer.NONE).getClass(), path);
    }
    Request other = new Request("GET", "http", Authority.parse("any.test").orElseThrow(), RequestPath.read("/Other;x."),
        "",
        Fields.NONE, List.of(), Body.none());
    assertEquals(Decision.Allow.class, setup.decider().decide(other, Observer.NONE).getClass());
  }
}
