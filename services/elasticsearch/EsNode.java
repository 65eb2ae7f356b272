import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/** One Elasticsearch node that only this machine can reach. Arguments: its folder, HTTP port, transport port. */
public class EsNode {
  public static void main(String[] args) throws Exception {
    LogConfigurator.configureESLogging();
    var environment = InternalSettingsPreparer.prepareEnvironment(
        settings(args[0], args[1], args[2]), Map.of(), null, () -> "test-node");
    var modules = PluginsLoader.loadModulesBundles(environment.modulesDir());
    var plugins = PluginsLoader.loadPluginsBundles(environment.pluginsDir());
    var node = new Node(environment, PluginsLoader.createPluginsLoader(modules, plugins, Map.of()));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
    node.start();
    new CountDownLatch(1).await(); // until the process is told to end
  }

  private static Settings settings(String home, String httpPort, String transportPort) {
    return Settings.builder()
        .put("path.home", home)
        .put("network.host", "127.0.0.1")
        .put("http.port", httpPort)
        .put("transport.port", transportPort)
        .put("discovery.type", "single-node")
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .build();
  }

  private static void close(Node node) {
    try {
      node.close();
    } catch (Exception e) {
      System.err.println("close: " + e);
    }
  }
}
