/**
 * The captured variables of a function: the variables of the functions around it, with their values. The source of a
 * function that a factory has made doesn't show the factory's arguments; only V8 knows them, and reports them to a
 * debugger.
 */
import { Session } from 'node:inspector';
import { assert } from '../../src/core/refusal.js';

interface Described {
  readonly name: string;
  readonly value?: { readonly objectId?: string; readonly description?: string };
}

/** Passes values to and from the debugger's expressions, which have no access to local variables. */
const exchange: { body?: unknown; scope?: { readonly object: object } } = {};
const name = 'svc-node: captured';
Object.assign(globalThis, { [name]: exchange });

const session = new Session();
session.connect();

/** A debugger session on the same thread answers before `post` returns. */
function ask<Reply>(method: string, parameters: object): Reply {
  let reply: Reply | undefined;
  session.post(method, parameters, (error, given) => {
    assert(!error, `the debugger knows ${method}: ${error?.message}`);
    reply = given as Reply;
  });
  assert(reply, `the debugger answers ${method}`);
  return reply;
}

const propertiesOf = (objectId: string) =>
  ask<{ readonly result: readonly Described[]; readonly internalProperties?: readonly Described[] }>(
    'Runtime.getProperties',
    { objectId, ownProperties: true },
  );

/** Captured values by name, without variables of modules and globals. */
export function capturedBy(body: (...args: never[]) => unknown): ReadonlyMap<string, unknown> {
  exchange.body = body;
  const expression = `globalThis[${JSON.stringify(name)}].body`;
  const { result } = ask<{ readonly result: { readonly objectId: string } }>('Runtime.evaluate', { expression });
  const scopes = propertiesOf(result.objectId).internalProperties?.find((each) => each.name === '[[Scopes]]');
  const captured = new Map<string, unknown>();
  for (const { value } of scopes ? propertiesOf(scopes.value!.objectId!).result : []) {
    if (!/^(Closure|Block|Local|With|Catch)\b/.test(value?.description ?? '')) continue;
    const functionDeclaration = `function () { globalThis[${JSON.stringify(name)}].scope = this; }`;
    ask('Runtime.callFunctionOn', { objectId: value!.objectId, functionDeclaration });
    // An inner variable hides an outer one of the same name.
    for (const [variable, held] of Object.entries(exchange.scope!.object)) {
      if (!captured.has(variable)) captured.set(variable, held);
    }
  }
  return captured;
}
