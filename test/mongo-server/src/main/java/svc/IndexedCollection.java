package svc;

import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.h2.mvstore.MVMap;

/**
 * The library reads through a unique index only where a query names nothing but its keys, and else goes through the
 * whole collection. Here, as in MongoDB, a query with further conditions uses the index too, a range of numbers as
 * {@code _id} is a range of the file, and a document is found once where several of its keys lead to it.
 */
final class IndexedCollection extends H2Collection {
  private final List<Index<Object>> unique = new CopyOnWriteArrayList<>();
  private final MVMap<Object, Document> data;

  IndexedCollection(
      MongoDatabase database,
      String name,
      CollectionOptions options,
      MVMap<Object, Document> data,
      MVMap<String, Object> meta,
      CursorRegistry cursors) {
    super(database, name, options, data, meta, cursors);
    this.data = data;
  }

  @Override
  public void addIndex(Index<Object> index) {
    super.addIndex(index);
    if (index.isUnique()) unique.add(index);
  }

  @Override
  public void dropIndex(String name) {
    super.dropIndex(name);
    unique.removeIf(index -> index.getName().equals(name));
  }

  @Override
  protected QueryResult queryDocuments(
      Document query, Document orderBy, int skip, int limit, int batchSize, Document projection) {
    Iterable<Object> positions = positions(query, orderBy);
    if (positions == null) return super.queryDocuments(query, orderBy, skip, limit, batchSize, projection);
    return matchDocuments(query, positions, orderBy, skip, limit, batchSize, projection);
  }

  private Iterable<Object> positions(Document query, Document orderBy) {
    for (Index<Object> index : unique) {
      Document onKeys = new Document();
      for (IndexKey key : index.getKeys()) {
        if (query.containsKey(key.getKey())) onKeys.put(key.getKey(), query.get(key.getKey()));
      }
      if (!onKeys.isEmpty() && index.canHandle(onKeys)) {
        Set<Object> positions = new LinkedHashSet<>();
        index.getPositions(onKeys).forEach(positions::add);
        return positions;
      }
    }
    boolean newestFirst = orderBy != null && orderBy.size() == 1 && Integer.valueOf(-1).equals(orderBy.get("_id"));
    if (query.isEmpty() && newestFirst && data.lastKey() instanceof Integer) return range(data.lastKey(), null);
    if (!(query.get("_id") instanceof Document bounds)) return null;
    Object from = bounds.containsKey("$gte") ? bounds.get("$gte") : bounds.get("$gt");
    return from instanceof Integer ? range(from, bounds.get("$lte")) : null;
  }

  /** Their documents are matched against the query all the same. */
  private List<Object> range(Object from, Object to) {
    List<Object> positions = new ArrayList<>();
    Iterator<Object> keys = data.keyIterator(from);
    while (keys.hasNext()) {
      Object key = keys.next();
      if (to instanceof Integer && key instanceof Integer && (Integer) key > (Integer) to) break;
      positions.add(key);
    }
    return positions;
  }
}
