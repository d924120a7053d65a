package svc;

import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.h2.mvstore.MVStore;

/**
 * A server that speaks the MongoDB protocol and keeps what it acknowledged: each write is in its file before the reply
 * leaves, so that a kill -9 loses nothing that a client was told. Prints its port, and serves until it is killed or its
 * standard input ends: it never outlives the tests that started it.
 *
 * <p>Usage: MongoTestServer FILE [PORT]; without a port it takes a free one.
 */
public final class MongoTestServer {
  private static final Set<String> WRITES =
      Set.of(
          "insert", "update", "delete", "findandmodify", "create", "createindexes", "drop", "dropindexes", "dropdatabase");

  /** Driver 7 asks for more than the library claims to be; it speaks all of it that the adapter uses. */
  private static final class Mongo5 implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(5, 0, 0);
    }

    @Override
    public int getWireVersion() {
      return 13;
    }
  }

  private static final class DurableBackend extends H2Backend {
    private final ReadWriteLock turns = new ReentrantReadWriteLock();

    DurableBackend(MVStore store) {
      super(store);
    }

    @Override
    protected MongoDatabase openOrCreateDatabase(String name) {
      return Database.open(name, getMvStore(), getCursorRegistry());
    }

    /**
     * One write at a time, so that none is half done in the file when another is committed. A reply is a copy, made
     * while nothing is written: the library changes documents in place, and encodes a reply after its command.
     */
    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
      boolean isWrite = WRITES.contains(command.toLowerCase(Locale.ROOT));
      Lock lock = isWrite ? turns.writeLock() : turns.readLock();
      lock.lock();
      try {
        return super.handleCommand(channel, database, command, query).cloneDeeply();
      } finally {
        if (isWrite) getMvStore().commit();
        lock.unlock();
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    MVStore store = new MVStore.Builder().fileName(arguments[0]).autoCommitDisabled().autoCompactFillRate(0).pageSplitSize(4096).open();
    DurableBackend backend = new DurableBackend(store);
    backend.version(new Mongo5());
    MongoServer server = new MongoServer(backend);
    server.bind(new InetSocketAddress("127.0.0.1", arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0));
    System.out.println(server.getLocalAddress().getPort());
    while (System.in.read() != -1) {}
    server.shutdownNow();
  }
}
