package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that are shared by threads do not change when a collection does that they were made of. */
class ImmutabilityTest {
  @ParameterizedTest
  @ValueSource(strings = {"policy.route.Route", "policy.route.RouteSample", "policy.route.RuleEntry",
    "policy.route.MethodSet", "policy.route.Conditions", "policy.route.PathPattern", "policy.route.GlobPart$Choice",
    "policy.route.RouteSet", "http.message.TrustedProxies", "crypto.jwt.ScopesMatcher", "crypto.jwt.Expectations",
    "crypto.keys.JwkSet", "crypto.keys.ClientTlsSettings", "crypto.keys.KeyEntry", "crypto.keys.PemBlock",
    "crypto.keys.Jwk", "crypto.keys.TrustStore", "crypto.keys.KeyRing"})
  void copiesItsCollections(String name) throws ReflectiveOperationException {
    Class<?> type = Class.forName("portcullis." + name);
    RecordComponent[] components = type.getRecordComponents();
    Constructor<?> constructor = type
        .getDeclaredConstructor(Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
    constructor.setAccessible(true);
    Object[] parts = Arrays.stream(components).map(component -> part(component.getType())).toArray();
    Object made = constructor.newInstance(parts);
    int collections = 0;
    for (int i = 0; i < parts.length; i++) {
      if (hasGrown(parts[i])) {
        Method accessor = components[i].getAccessor();
        accessor.setAccessible(true);
        Object seen = accessor.invoke(made);
        assertEquals(0, seen instanceof Map<?, ?> map ? map.size() : ((Collection<?>) seen).size(),
            components[i].getName());
        collections++;
      }
    }
    assertEquals(true, collections > 0, "it has collections");
  }

  private static Object part(Class<?> type) {
    if (type == String.class) {
      return "";
    }
    if (type == Duration.class) {
      return Duration.ZERO;
    }
    if (type == boolean.class) {
      return false;
    }
    return type == int.class ? (Object) 0
        : type == Optional.class ? Optional.empty()
            : type == List.class
                ? new ArrayList<>()
                : type == Set.class ? new HashSet<>() : type == Map.class ? new HashMap<>() : null;
  }

  /** Adds something to a collection. */
  @SuppressWarnings("unchecked") // nothing reads what is added
  private static boolean hasGrown(Object part) {
    if (part instanceof Collection<?> all) {
      return ((Collection<Object>) all).add("later");
    }
    if (part instanceof Map<?, ?> map) {
      ((Map<Object, Object>) map).put("later", "later");
      return true;
    }
    return false;
  }
}
