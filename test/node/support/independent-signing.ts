/** Signs what a node has prepared, as docs/signing.md says and without any code of the node or its client. */
import type { Body } from './client.js';
import { hex, jcs, type OwnKey } from './independent.js';

/** @returns the body of `POST /api/v1/events` */
export function signedBy(key: OwnKey, { event, payload, leaves = {}, confidential, salt }: Body): Body {
  const input = referring(payload.input, '', leaves) as Body;
  const isClosed = (name: string) => confidential?.includes(name) ?? false;
  const part = (closed: boolean): Body =>
    Object.fromEntries(Object.entries(input).filter(([name]) => isClosed(name) === closed));
  const sealed = confidential ? hex(`svc:sealed:v1:${hex(`svc:salt:v1:${salt}:payload`)}:${jcs(part(true))}`) : null;
  const body = { ...event, payloadHash: hex(jcs({ public: { ...payload, input: part(false) }, sealed })) };
  const text = jcs(body);
  const message = `svc:event:v3:${Buffer.byteLength(text) > 1_024 ? hex(text) : text}`;
  const signed = { ...body, hash: hex(text), sig: key.sign(message).toString('base64url') };
  return { event: signed, payload, leaves, ...(confidential ? { salt } : {}) };
}

function referring(value: unknown, at: string, leaves: Body): unknown {
  const found = leaves[at];
  if (found) {
    const text = Buffer.from(jcs(value as Body));
    return { leaf: hex(Buffer.concat([Buffer.from(found.salt, 'hex'), text])), size: text.length };
  }
  if (Array.isArray(value)) return value.map((each, index) => referring(each, `${at}/${index}`, leaves));
  if (typeof value !== 'object' || value === null) return value;
  const part = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, referring(each, `${at}/${part(name)}`, leaves)]),
  );
}
