import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.core.LowerCaseFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenizer;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.elasticsearch.Build;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.metadata.IndexNameExpressionResolver;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.common.io.stream.NamedWriteableRegistry;
import org.elasticsearch.common.settings.ClusterSettings;
import org.elasticsearch.common.settings.IndexScopedSettings;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.settings.SettingsFilter;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.index.analysis.AnalyzerProvider;
import org.elasticsearch.index.analysis.AnalyzerScope;
import org.elasticsearch.index.analysis.NormalizingTokenFilterFactory;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestController;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;

/**
 * What a value index needs and the published artifacts lack: the analysis parts it names (Elasticsearch's own names for
 * the same Lucene classes) and the answer to GET /, which clients ask for first.
 */
public class Missing extends Plugin implements AnalysisPlugin, ActionPlugin {

  @Override
  public Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
    return Map.of("cjk", (index, environment, name, settings) -> new Cjk(name));
  }

  @Override
  public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
    return Map.of(
        "ngram", (index, environment, name, settings) -> TokenizerFactory.newFactory(
            name, () -> new NGramTokenizer(shortest(settings), longest(settings))),
        "edge_ngram", (index, environment, name, settings) -> TokenizerFactory.newFactory(
            name, () -> new EdgeNGramTokenizer(shortest(settings), longest(settings))));
  }

  private static int shortest(Settings settings) {
    return settings.getAsInt("min_gram", 1);
  }

  private static int longest(Settings settings) {
    return settings.getAsInt("max_gram", 2);
  }

  @Override
  public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
    return Map.of(
        "lowercase", (index, environment, name, settings) -> new Filter(name, LowerCaseFilter::new),
        "asciifolding", (index, environment, name, settings) -> new Filter(name, ASCIIFoldingFilter::new),
        "cjk_width", (index, environment, name, settings) -> new Filter(name, CJKWidthFilter::new),
        "cjk_bigram", (index, environment, name, settings) -> new Filter(name, CJKBigramFilter::new));
  }

  @Override
  public Collection<RestHandler> getRestHandlers(
      Settings settings, NamedWriteableRegistry registry, RestController controller, ClusterSettings cluster,
      IndexScopedSettings index, SettingsFilter filter, IndexNameExpressionResolver resolver,
      Supplier<DiscoveryNodes> nodes, Predicate<NodeFeature> features) {
    return List.of(new Root());
  }

  private static class Cjk implements AnalyzerProvider<Analyzer> {
    private final Analyzer analyzer = new CJKAnalyzer();
    private final String name;

    Cjk(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public AnalyzerScope scope() {
      return AnalyzerScope.INDEX;
    }

    @Override
    public Analyzer get() {
      return analyzer;
    }
  }

  /** Normalizing, so that the normalizer of a keyword field may use it too. */
  private static class Filter implements NormalizingTokenFilterFactory {
    private final String name;
    private final UnaryOperator<TokenStream> filter;

    Filter(String name, UnaryOperator<TokenStream> filter) {
      this.name = name;
      this.filter = filter;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public TokenStream create(TokenStream tokens) {
      return filter.apply(tokens);
    }
  }

  /** GET and HEAD /: which server and version this is. */
  private static class Root extends BaseRestHandler {
    @Override
    public String getName() {
      return "main_action";
    }

    @Override
    public List<Route> routes() {
      return List.of(new Route(RestRequest.Method.GET, "/"), new Route(RestRequest.Method.HEAD, "/"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
      return channel -> {
        var build = Build.current();
        var answer = channel.newBuilder().prettyPrint().startObject();
        answer.field("name", "test-node").field("cluster_name", "elasticsearch").startObject("version");
        answer.field("number", build.version()).field("build_flavor", "default");
        answer.field("build_hash", build.hash()).field("build_date", build.date());
        answer.field("build_snapshot", build.isSnapshot());
        answer.field("lucene_version", org.apache.lucene.util.Version.LATEST.toString());
        answer.field("minimum_wire_compatibility_version", build.minWireCompatVersion());
        answer.field("minimum_index_compatibility_version", build.minIndexCompatVersion());
        answer.endObject().field("tagline", "You Know, for Search").endObject();
        channel.sendResponse(new RestResponse(RestStatus.OK, answer));
      };
    }
  }
}
