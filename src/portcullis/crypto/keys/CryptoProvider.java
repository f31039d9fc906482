package portcullis.crypto.keys;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import javax.crypto.Cipher;

/**
 * The provider of cryptography that serves this process: Amazon Corretto Crypto Provider (AWS-LC), which is native
 * code, where its library can be loaded, and the JDK's providers where it cannot. It becomes the first of the JCA's
 * providers, so that TLS uses it too, followed by {@link X25519Provider} for the one algorithm of TLS that it lacks.
 * Safe for all threads.
 *
 * <p>System properties: {@code portcullis.crypto=jdk} keeps the JDK's providers; with {@code
 * com.amazon.corretto.crypto.provider.useExternalLib=true} the library is loaded from {@code lib} of the JVM or from
 * {@code java.library.path}, otherwise it is unpacked from its jar to a temporary folder.
 *
 * @param name the provider and its version, as {@code AmazonCorrettoCryptoProvider 2.5.0}
 * @param obstacle why native code is not used; empty where it is
 */
public record CryptoProvider(String name, Optional<String> obstacle) {
  private static final String CHOICE = "portcullis.crypto";
  private static final int FIRST = 1;

  /**
   * The part of the JCA that reads files when it is first used, on a thread of its own. If none could be opened then,
   * because all descriptors are taken, ciphers and MACs would not work until the process ends.
   */
  private static final class Foundation {
    static final List<String> FETCHING = List.of("com.sun.net.ssl.checkRevocation", "com.sun.security.enableCRLDP",
        "com.sun.security.enableAIAcaIssuers", "jdk.tls.server.enableStatusRequestExtension");
    static final FutureTask<Integer> READY = new FutureTask<>(() -> {
      settleUrls();
      return Cipher.getMaxAllowedKeyLength("AES");
    });

    static {
      Thread.ofPlatform().daemon().name("crypto foundation").start(READY);
    }

    /**
     * Makes {@code http} a scheme of URLs that the JDK need not search each jar for, since a class of the JCA begins
     * with such a URL. No request is made by URLs of {@code java.net}, and from now on none can be, unless options of
     * the JVM let it ask whether certificates are revoked.
     */
    private static void settleUrls() {
      if (FETCHING.stream().anyMatch(Boolean::getBoolean)) {
        return;
      }
      try {
        URL.setURLStreamHandlerFactory(scheme -> !scheme.equals("http") ? null : new URLStreamHandler() {
          @Override
          protected URLConnection openConnection(URL url) throws IOException {
            throw new IOException("no request is made by java.net.URL");
          }
        });
      } catch (Error _) {
        // an agent has set one: the start only takes longer
      }
    }
  }

  /** Loads the library on a thread of its own, so that a start does not wait for it; once in a process. */
  private static final class Loading {
    static final CompletableFuture<CryptoProvider> RESULT = new CompletableFuture<>();

    static {
      Thread.ofPlatform().daemon().name("crypto provider").start(() -> RESULT.complete(install()));
    }
  }

  /** Begins with what must be complete before clients are accepted; returns at once. */
  public static void prepare() {
    Objects.requireNonNull(Foundation.READY);
  }

  /** Waits until clients may be accepted: they can take all descriptors, and the JCA needs some when it begins. */
  public static void awaitPrepared() {
    try {
      Foundation.READY.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Starts loading the provider unless that has been done, and returns at once. A start that needs no key loads it when
   * requests are already served, those of the first moments by the JDK's providers.
   */
  public static void load() {
    Objects.requireNonNull(Loading.RESULT);
  }

  /** Waits until the provider is known and returns it; starts loading it if that has not been done. */
  public static CryptoProvider await() {
    try {
      return Loading.RESULT.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ofJdk("its library is still being loaded");
    }
  }

  private static CryptoProvider install() {
    return chosen(System.getProperty(CHOICE, ""), CryptoProvider::installLibrary);
  }

  /** Returns the provider that the library yields, or the JDK's where that is chosen or the library fails. */
  static CryptoProvider chosen(String choice, Supplier<CryptoProvider> library) {
    if (choice.equals("jdk")) {
      return ofJdk("system property " + CHOICE + "=jdk");
    }
    try {
      return library.get();
    } catch (RuntimeException | LinkageError e) {
      return ofFailedLibrary(e);
    }
  }

  private static CryptoProvider installLibrary() {
    AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
    Throwable failure = provider.getLoadingError();
    if (failure != null) {
      return ofFailedLibrary(failure);
    }
    Security.insertProviderAt(provider, FIRST);
    NativeX25519.bind().ifPresent(curve -> Security.insertProviderAt(new X25519Provider(curve), FIRST + 1));
    return new CryptoProvider(provider.getName() + " " + provider.getVersionStr(), Optional.empty());
  }

  /**
   * Returns the JDK's provider. Where the library was looked for comes beside the failure, why it does not fit comes
   * below it.
   */
  static CryptoProvider ofFailedLibrary(Throwable failure) {
    Throwable cause = failure.getSuppressed().length > 0 ? failure.getSuppressed()[0] : failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return ofJdk(Optional.ofNullable(cause.getMessage()).orElseGet(cause.getClass()::getSimpleName));
  }

  private static CryptoProvider ofJdk(String obstacle) {
    return new CryptoProvider("JDK " + Runtime.version(), Optional.of(obstacle));
  }

  /** Returns the name, and why native code is not used where it is not. */
  public String text() {
    return obstacle.map(why -> name + ", native code is not used: " + why).orElse(name);
  }

  /** Returns the JDK's provider of elliptic curves, for what only it does. */
  static Provider jdkCurves() {
    return Security.getProvider("SunEC");
  }
}
