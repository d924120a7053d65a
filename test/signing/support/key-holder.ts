/** Somebody whose key the node has not. */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { realEnvironment } from '../../../packages/client/src/environment.js';
import { built } from '../../../packages/client/src/signing/built.js';
import { type HeldKey, keys } from '../../../packages/client/src/signing/key.js';
import { actionAt } from '../../../packages/client/src/signing/key-writes.js';
import { hashOfPayload } from '../../../packages/client/src/signing/prepared.js';
import { type Ask, Astray, type Reply } from '../../../scripts/conformance/driver.js';
import { canonical, type JsonObject, sha256Hex } from '../../../src/core/canonical.js';
import { type Did, publicKeyHexOf } from '../../../src/core/codecs/did.js';
import { eventMessage } from '../../../src/core/codecs/event-message.js';
import { newLeaf } from '../../../src/core/leaf.js';
import { isRefusal } from '../../../src/core/refusal.js';
import * as is from '../../../src/core/schema/scalar.js';
import { funds, NodeDriver, type Signing } from '../../conformance/stage.js';
import { type Body, type Request, requestOf } from '../../node/support/client.js';
import type { TestNode } from '../../node/support/node.js';

export interface KeyHolder {
  readonly did: string;
  readonly key: HeldKey;
  readonly from: TestNode | undefined;
  nonce: number;
}

/** Signs with the published client. @param homes the nodes whose callers they are, in turn; none: the walk's */
function heldKeys(homes: readonly TestNode[]): Signing<KeyHolder> {
  let joined = 0;
  return {
    async join(node) {
      const key = await keys.fromSeed(crypto.getRandomValues(new Uint8Array(32)));
      await node.fund(key, funds);
      return { did: key.did, key, nonce: 1, from: homes[joined++ % homes.length] };
    },
    credentials: ({ key }) => ({ key }),
    from: ({ from }) => from,
  };
}

export class HeldDriver extends NodeDriver<KeyHolder> {
  /** What was submitted, and the status of its reply. */
  readonly accepted: { readonly body: Body; readonly status: number }[] = [];

  /** Actions that the client builds. */
  readonly built = new Set<string>();

  constructor(node: TestNode, homes: readonly TestNode[] = []) {
    super(node, heldKeys(homes));
  }

  /** Who signs terms with their own key says which. */
  override async ask(who: KeyHolder, asked: Ask): Promise<Reply> {
    const { definition, action, target, input } = asked;
    const isBlind = definition.kind === 'contract' && action === 'sign' && !input.termsHash;
    const { termsHash } = isBlind ? (await this.situation('contract', target!.id)).context : input;
    const reply = await super.ask(who, isBlind ? { ...asked, input: { ...input, termsHash } } : asked);
    const { body, before } = requestOf.get(reply)!;
    if (reply.status < 300) {
      this.accepted.push({ body, status: reply.status });
      await this.#mustBeBuilt(body, before!);
    }
    if (body.prepare && reply.status >= 400) await this.#mustRefuseSubmitted(who, asked, reply);
    return reply;
  }

  /** What the client builds alone is what the node prepares, but for ids and salts; and it is accepted. */
  async #mustBeBuilt({ event, payload, leaves }: Body, before: readonly Request[]): Promise<void> {
    const name = `${payload.kind}.${payload.action}`;
    if (before.some(({ path }) => path.endsWith('/events')))
      throw new Astray('refused as the client built it', 'accepted', name);
    const { path, body } = before.find((each) => each.body?.prepare) ?? {};
    if (!path) return void this.built.add(name);
    const { did, prepare, nonce, resourcePrev, ...given } = body;
    const { action, parameters } = actionAt(path.slice('/api/v1'.length));
    const stated = action.input.includes('resourcePrev') && { resourcePrev };
    const members = { ...parameters, ...given, ...stated };
    const asked = { action, members, issuer: event.issuer, networkArbiter: undefined };
    const own = await built(asked, realEnvironment.drawBytes);
    if (!own) return;
    this.built.add(name);
    const shown = ({ type, payload: { kind, id, action, input, ids = {} }, leaves = {} }: Body) => ({
      ...{ type, kind, action, input, ids: Object.keys(ids) },
      ...{ id: id === event.issuer || Object.values(members).includes(id) ? id : id.replace(/-[^-]*$/, '') },
      leaves: Object.entries(leaves)
        .map(([pointer, { size }]: Body) => `${pointer} ${size}`)
        .sort(),
    });
    const [expected, came] = [shown({ type: event.type, payload, leaves }), shown(own)];
    if (!isDeepStrictEqual(came, expected))
      throw new Astray('built by the client, it is another', expected, came as never);
  }

  /** What is refused when it is prepared gets the same refusal if it is signed and submitted. */
  async #mustRefuseSubmitted(who: KeyHolder, { definition, action, target }: Ask, reply: Reply): Promise<void> {
    const { kind, attests, create } = definition;
    const { input: scalar, makes = {}, adds = {} }: Taken = action === 'create' ? create : definition.actions[action]!;
    const { body } = requestOf.get(reply)!;
    const names = Object.keys({ ...scalar.fields, ...adds }).filter((name) => body[name] !== undefined);
    const input = Object.fromEntries(names.map((name) => [name, body[name]]));
    const parsed = is.parse(scalar, structuredClone(input));
    if (isRefusal(parsed)) return;
    const salt = 'salt' in adds && { salt: '5a'.repeat(16) };
    const whole = {
      ...salt,
      ...input,
      ...(parsed as JsonObject),
      ...(attests?.[action] && { signature: 'A'.repeat(86) }),
    };
    const ids = Object.entries(makes).map(([part, prefix]) => [part, `${prefix}of-a-refused-one`]);
    const payload = {
      ...{ kind, id: target?.id ?? `${create.anyId ? '' : definition.route.idPrefix}refused`, action, input: whole },
      ...(ids.length > 0 && { ids: Object.fromEntries(ids) }),
    };
    const submitted = await signedWrite(this.node, who.key, { payload, leaves: leavesOf(scalar, whole) });
    const again = await this.node.client.post('/api/v1/events', submitted);
    const [expected, came] = [reply, again].map(({ status, body: { code, detail } }) => ({ status, code, detail }));
    if (!isDeepStrictEqual(expected, came)) throw new Astray('submitted, it is refused differently', expected, came);
  }
}

interface Taken {
  readonly input: is.Scalar<unknown>;
  readonly makes?: { readonly [part: string]: string };
  readonly adds?: object;
}

/** The leaves of an input, with salts that its signer draws. */
export function leavesOf(scalar: is.Scalar<unknown>, input: JsonObject): Body {
  const leaves: Body = {};
  is.withLeaves(scalar, input, (text, pointer) => {
    const salt = randomBytes(16);
    const { leaf } = newLeaf(text, salt);
    leaves[pointer] = { ...leaf, salt: salt.toString('hex') };
    return leaf;
  });
  return leaves;
}

/** A write of this kind at this moment; what is given takes precedence. */
export async function signedWrite(node: TestNode, key: HeldKey, { event = {}, ...write }: Body): Promise<Body> {
  const { nonce, lastHash } = await node.running.actors.committed.account(key.did);
  const now = node.world.now();
  const body = {
    ...{ v: 3, type: 'escrow.created', issuer: key.did, pub: publicKeyHexOf(key.did as Did), home: node.did },
    ...{ network: 'devnet', nonce: nonce + 1, prev: lastHash, ts: now, until: now + 60_000 },
    ...{ payloadHash: await hashOfPayload(write), ...event },
  };
  return { ...write, event: await signedEvent(key, body) };
}

export async function signedEvent(key: HeldKey, body: Body): Promise<Body> {
  const text = canonical(body);
  const sig = Buffer.from(await key.sign(Buffer.from(eventMessage(text)))).toString('base64url');
  return { ...body, hash: sha256Hex(text), sig };
}
