package svc;

import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.AbstractUniqueIndex;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.bson.BsonDecoder;
import de.bwaldvogel.mongo.wire.bson.BsonEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;
import org.h2.mvstore.type.ObjectDataType;

/**
 * Documents lie in the file as BSON; unique indexes are in memory and made anew when a database is opened. (The
 * library puts both through Java serialization, which takes most of the time.)
 */
final class Database {
  private Database() {}

  static MongoDatabase open(String databaseName, MVStore store, CursorRegistry cursors) {
    return new H2Database(databaseName, store, cursors) {
      @Override
      protected MongoCollection<Object> openOrCreateCollection(String name, CollectionOptions options) {
        String fullName = getDatabaseName() + "." + name;
        MVMap<Object, Document> data =
            store.openMap(
                "databases." + fullName,
                new MVMap.Builder<Object, Document>().keyType(new ObjectDataType()).valueType(new BsonType()));
        MVMap<String, Object> meta = store.openMap("meta." + fullName);
        return new IndexedCollection(this, name, options, data, meta, cursorRegistry);
      }

      @Override
      protected Index<Object> openOrCreateUniqueIndex(
          String collection, String name, List<IndexKey> keys, boolean sparse) {
        return new MemoryIndex(name, keys, sparse);
      }
    };
  }

  private static final class BsonType extends BasicDataType<Document> {
    @Override
    public int getMemory(Document document) {
      return 2_048;
    }

    @Override
    public void write(WriteBuffer out, Document document) {
      ByteBuf bytes = Unpooled.buffer(2_048);
      BsonEncoder.encodeDocument(document, bytes);
      out.put(bytes.nioBuffer());
    }

    @Override
    public Document read(ByteBuffer in) {
      ByteBuf bytes = Unpooled.wrappedBuffer(in);
      Document document = BsonDecoder.decodeBson(bytes);
      in.position(in.position() + bytes.readerIndex());
      return document;
    }

    @Override
    public Document[] createStorage(int size) {
      return new Document[size];
    }
  }

  private static final class MemoryIndex extends AbstractUniqueIndex<Object> {
    private final Map<KeyValue, Object> positions = new HashMap<>();

    MemoryIndex(String name, List<IndexKey> keys, boolean sparse) {
      super(name, keys, sparse);
    }

    @Override
    protected Object removeDocument(KeyValue key) {
      return positions.remove(key);
    }

    @Override
    protected boolean putKeyPosition(KeyValue key, Object position) {
      return positions.putIfAbsent(key, position) == null;
    }

    @Override
    protected Iterable<Entry<KeyValue, Object>> getIterable() {
      return positions.entrySet();
    }

    @Override
    protected Object getPosition(KeyValue key) {
      return positions.get(key);
    }

    @Override
    public long getCount() {
      return positions.size();
    }

    @Override
    public long getDataSize() {
      return getCount();
    }
  }
}
