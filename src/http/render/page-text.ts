/**
 * Renders the reply to a list item by item: a page may hold a hundred resources of a megabyte each, and rendering it in
 * one go would block the event loop.
 */
import type { JsonObject } from '../../core/canonical.js';
import { type Environment, pause } from '../../core/environment.js';
import type { Reply } from '../server/route.js';
import { showingTexts, type TextReader } from './texts.js';

/** Characters that are rendered before other requests get a turn. */
const mostAtOnce = 64 * 1_024;
/** Items whose views are built concurrently, because they may wait for the store. */
const itemsAtOnce = 10;

interface PageOf<T> {
  readonly name: string;
  readonly items: readonly T[];
  /** The members after the items, at least one. */
  readonly more: JsonObject;
  /** DID of who reads the texts. */
  readonly reader: string | undefined;
}

export async function pageReply<T>(
  { environment: world, moderations }: { readonly environment: Environment; readonly moderations: TextReader },
  page: PageOf<T>,
  view: (item: T) => Promise<JsonObject>,
): Promise<Reply> {
  const { name, items, more, reader } = page;
  const parts: Uint8Array[] = [];
  let text = `{${JSON.stringify(name)}:[`;
  for (let at = 0; at < items.length; at += itemsAtOnce) {
    const views = await Promise.all(items.slice(at, at + itemsAtOnce).map(view));
    for (const [index, each] of (await showingTexts(views, moderations, reader)).entries()) {
      text += `${at + index > 0 ? ',' : ''}${JSON.stringify(each)}`;
      if (text.length < mostAtOnce) continue;
      parts.push(Buffer.from(text));
      text = '';
      await pause(world, 0);
    }
  }
  text += `],${JSON.stringify(more).slice(1)}`;
  if (parts.length === 0) return { status: 200, text };
  parts.push(Buffer.from(text));
  return { status: 200, stream: { type: 'application/json; charset=utf-8', chunks: Buffer.concat(parts) } };
}
