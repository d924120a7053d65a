/** Parses server-sent events from text: the part of the standard that a client outside of browsers must implement. */
export interface SseMessage {
  /** The last id seen, in this message or an earlier one. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export class SseParser {
  /** Delay before the next connection, ms; undefined until the server has set it. */
  retryMs: number | undefined;
  #rest = '';
  #id = '';
  #event = '';
  #data: string[] = [];

  /** @returns the messages that `text` completes */
  feed(text: string): SseMessage[] {
    const messages: SseMessage[] = [];
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') this.#field(line);
      else if (this.#data.length > 0) messages.push(this.#message());
      else this.#event = '';
    }
    return messages;
  }

  #message(): SseMessage {
    const message = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') };
    this.#event = '';
    this.#data = [];
    return message;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return; // a comment, which the server sends as a heartbeat
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
  }
}
