/**
 * The transport port of peers: HTTP/1.1 between two nodes that have proven their DIDs to each other. It knows nothing
 * of feeds and opens no sockets itself: `tls-transport.ts` is the adapter on node:tls, and a simulation may supply
 * another one.
 */
import type { Did } from '../../core/codecs/did.js';
import type { Multiaddr } from '../../core/codecs/multiaddr.js';

/** An address that includes the peer id that must be proven there. */
export type PeerAddress = Multiaddr & { readonly peerId: string };

export interface PeerTransport {
  readonly did: Did;
  readonly peerId: string;
  /** Rejects with a PeerError `listening` if an address is in use or does not belong to this machine. */
  listen(addresses: readonly Multiaddr[], service: PeerService): Promise<PeerListener>;
  /** Opens no socket yet: requests open and reuse sockets. Every socket proves the address's peer id first. */
  dial(address: PeerAddress): PeerConnection;
  /** Closes listeners and connections. */
  close(): Promise<void>;
}

/** How a node handles peers that connect to it. */
export interface PeerService {
  /** Whether the peer may stay; asked once its certificate has proven the DID. Must not throw. @param address its IP address */
  admit(did: Did, address: string): boolean;
  /** Whether handshakes from this IP address come before those of strangers. Absent: of none. */
  isKnown?(address: string): boolean;
  /** Answers one request. A rejection becomes 500 or ends the reply, and is passed to `onFault`. */
  handle(request: PeerRequest, reply: PeerReply): Promise<void>;
  /** A fault of the handler; for the log. */
  onFault(error: unknown): void;
}

export interface PeerListener {
  /** The requested addresses, with the real ports and the node's own peer id. */
  readonly addresses: readonly PeerAddress[];
  /** The peers connected now, one element per connection. */
  connections(): readonly InboundPeer[];
  /** Since the start. */
  counts(): TransportCounts;
  /** Ends all connections of the peer, because it is no longer admitted or has sent something false. */
  disconnect(did: Did): void;
  /** Ends everything at once; resolves when the ports are free. */
  close(): Promise<void>;
}

export interface InboundPeer {
  readonly did: Did;
  readonly peerId: string;
  /** IP address and port: `192.0.2.1:40112`, `[2001:db8::1]:40112`. */
  readonly address: string;
  /** Epoch milliseconds. */
  readonly connectedAt: number;
}

export interface TransportCounts {
  /** Connections that were admitted. */
  readonly accepted: number;
  /** Refused before the handshake, because there were too many connections. */
  readonly crowded: number;
  /** Failed handshakes: no TLS 1.3, no certificate or one of another form, or too slow. */
  readonly unproven: number;
  /** Refused after the handshake: the DID is not admitted, or is barred for bad input. */
  readonly refused: number;
  /** Bad input of proven peers: malformed or oversized requests, replies of 4xx, `misbehaved`. */
  readonly badInput: number;
  /** Connections that were cut because their peer did not read, or sent too slowly. */
  readonly slow: number;
}

/** One request of a proven peer. */
export interface PeerRequest {
  readonly did: Did;
  readonly peerId: string;
  /** As in InboundPeer. */
  readonly address: string;
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string | undefined };
  /** Aborts when the connection has ended for any reason. */
  readonly signal: AbortSignal;
  /**
   * The whole body as UTF-8 text; empty if there is none. Undefined if it was too large, too slow or not UTF-8, or the
   * peer has gone; the transport then answers by itself. May be called once.
   * @param maxBytes default: `peerBounds.requestBytes`
   */
  body(maxBytes?: number): Promise<string | undefined>;
  /**
   * Counts bad input that only the handler can detect (a bad signature). Too much of it closes the peer's connections.
   */
  misbehaved(count?: number): void;
}

/** Answers the requests of one method and path. */
export type PeerHandler = (request: PeerRequest, reply: PeerReply) => Promise<unknown>;

/** The reply to one request: either `send` or `open`, once. */
export interface PeerReply {
  /** Sends a whole reply; false when the peer has gone. @param body JSON text; none for 204 */
  send(status: number, body?: string): Promise<boolean>;
  /** Starts a reply of lines with status 200. */
  open(): LineWriter;
}

/** The body of a reply that refuses. @param detail why, as a sentence */
export const problemText = (detail: string): string => JSON.stringify({ detail });

/**
 * Writes lines to one peer. The peer sets the pace by reading: there is no queue but the bounded one of the connection.
 */
export interface LineWriter {
  /**
   * Writes lines, given without line ends, in one piece. Resolves with true once there is room for more, and with false
   * if the peer has gone, or was cut because it read nothing for too long; it then resumes by number. Call it again only
   * then: a long batch is compressed meanwhile, and a second one might overtake it.
   */
  write(lines: readonly string[]): Promise<boolean>;
  /** Ends the stream after what was written. */
  end(): void;
}

/** Requests and streams to one peer. All of it rejects with PeerError alone. */
export interface PeerConnection {
  readonly did: Did;
  readonly address: PeerAddress;
  /** IP address at which the peer has proven its DID last. */
  readonly reachedAt?: string | undefined;
  request(method: 'GET' | 'POST', path: string, options?: PeerRequestOptions): Promise<PeerResponse>;
  /** Resolves when the peer has answered 200; another status rejects as `status`. */
  open(path: string, options?: LineStreamOptions): Promise<LineStream>;
  /** Ends requests and streams with `closed`. */
  close(): void;
}

export interface PeerRequestOptions {
  /** JSON text. */
  readonly body?: string;
  /** Limit of the response's body; a longer one rejects as `too-large`. Default: `peerBounds.responseBytes`. */
  readonly maxBytes?: number;
  /** From the call to the last byte. Default: `peerBounds.requestMs`. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface PeerResponse {
  readonly status: number;
  readonly body: string;
}

export interface LineStreamOptions {
  /** A longer line rejects as `too-large`. Default: `peerBounds.lineBytes`. */
  readonly lineBytes?: number;
  /**
   * A peer that sends nothing for this time is `silent`, except while the consumer is busy. Default:
   * `peerBounds.idleMs`.
   */
  readonly idleMs?: number;
  readonly signal?: AbortSignal;
}

/** Lines from one peer, without their line ends. Reads ahead no more than its bound until lines are taken. */
export interface LineStream extends AsyncIterable<string> {
  /**
   * Waits until there is at least one line, then takes what has arrived, at most the given number of lines and bytes of
   * text (but at least one line). Undefined if the peer has ended the stream properly; rejects for a cut line or
   * connection.
   */
  take(most?: { readonly lines?: number; readonly bytes?: number }): Promise<readonly string[] | undefined>;
  close(): void;
}

export type PeerErrorKind =
  /** No listener, no route, no such name, or the connection was lost. */
  | 'unreachable'
  /** The peer did not connect, answer or send in time. */
  | 'silent'
  /** The other end proves another peer id, or none. */
  | 'wrong-peer'
  /** The peer closed the connection before it answered: it may not admit this node. */
  | 'refused'
  /** The peer answered a stream request with another status than 200. */
  | 'status'
  /** A line or body beyond its bound. */
  | 'too-large'
  /** Not HTTP, not UTF-8, or a cut line. */
  | 'malformed'
  /** This side closed it. */
  | 'closed'
  /** This side cannot listen on the address. */
  | 'listening';

/** Why a peer gave no answer. The message names the address, and can be shown to the operator. */
export class PeerError extends Error {
  override name = 'PeerError';
  constructor(
    readonly kind: PeerErrorKind,
    message: string,
    /** For `status`. */
    readonly status?: number,
    /** For a stream with a line that no honest peer sends: what is wrong, and the beginning of the line. */
    readonly violation?: { readonly what: string; readonly line: string },
  ) {
    super(message);
  }
}
