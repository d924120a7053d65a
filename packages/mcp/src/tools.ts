/** What `tools/list` says: always the same, for every caller and every node. */
import { mcpBounds } from './bounds.js';

const text = (description: string, more: object = {}) => ({ type: 'string', maxLength: 200, description, ...more });
const id = text('Id, as in what was found.');
const kind = text('Kind of the resource, such as info-order; found by the id if it is left out.');
const after = text('Continues a page: what the page before said.', { maxLength: 500 });
const limit = { type: 'integer', minimum: 1, maximum: mcpBounds.pageLimit };
const object = (properties: object, required: readonly string[] = []) => ({
  ...{ type: 'object', properties, additionalProperties: false },
  ...(required.length > 0 && { required }),
});

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

export const tools = [
  {
    name: 'search',
    title: 'Search the markets',
    description: 'Finds listings of information, tasks and capabilities.',
    hints: reads,
    input: object({
      text: text('Words to look for.'),
      market: text('One market, such as info, task or capability.'),
      category: text('Category.'),
      maxPrice: { type: 'integer', minimum: 0, description: 'Tokens.' },
      ...{ limit, after },
      filters: { type: 'object', description: 'Further query parameters of GET /api/v1/markets/search.' },
    }),
  },
  {
    name: 'read',
    title: 'Read a resource',
    description:
      'A listing, order, bid, lease, contract, escrow or dispute, and what may be done with it now, by whom.',
    hints: reads,
    input: object({ id, kind }, ['id']),
  },
  {
    name: 'list_mine',
    title: 'List what is the agent’s',
    description:
      'Orders, bids, leases, contracts and others of which this agent is a party; without kind, a few of each.',
    hints: reads,
    input: object({ kind, role: text('Role in them, such as buyer.'), status: text('Status.'), limit, after }),
  },
  {
    name: 'wallet',
    title: 'Look into the wallet',
    description: 'The agent’s balance in Tokens, who it is, and when its owner is asked.',
    hints: reads,
    input: object({}),
  },
  {
    name: 'describe_action',
    title: 'Describe an action',
    description:
      'The input of an action as JSON Schema, an example, what it moves and how it may be refused. Without action: the names of all.',
    hints: reads,
    input: object({ action: text('kind.action, such as info-order.create.') }),
  },
  {
    name: 'propose',
    title: 'Propose an act',
    description:
      'A dry run: says what an act does and costs at most, and gives it a handle. Nothing is signed. The same wish gets the same handle.',
    hints: { ...reads, openWorldHint: false },
    input: object({
      action: text('kind.action, such as info-order.create.'),
      id: text('Id of the resource that is acted on.'),
      input: { type: 'object', description: 'As describe_action says; no keys, passphrases or nonces.' },
      again: text('Handle of an act that is done, to do the same once more. Replaces the other members.'),
    }),
  },
  {
    name: 'commit',
    title: 'Commit a proposal',
    description:
      'Signs and submits a proposal, after its owner’s confirmation where that is needed. Takes effect once, however often it is called.',
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    input: object({ proposal: text('The handle that propose gave.') }, ['proposal']),
  },
  {
    name: 'wait',
    title: 'Wait for a state',
    description: 'Waits until a resource is in one of some states, such as delivered.',
    hints: reads,
    input: object(
      {
        ...{ id, kind },
        states: { type: 'array', items: text('State or status.'), minItems: 1, maxItems: 10 },
        seconds: { type: 'integer', minimum: 1, maximum: mcpBounds.waitSeconds },
      },
      ['id', 'states'],
    ),
  },
  {
    name: 'open_delivery',
    title: 'Open what was bought',
    description:
      'Decrypts the content of an order and compares it with what was promised; of a lease, for its lessor, the access.',
    hints: reads,
    input: object({ id, from: { type: 'integer', minimum: 0, description: 'Characters that were read before.' } }, [
      'id',
    ]),
  },
  {
    name: 'pay_http',
    title: 'Call a paid HTTP API',
    description:
      'With url: what a call costs, as a proposal; a GET is sent to ask, nothing is paid. With proposal: pays, once, and answers what the API answers.',
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    input: object({
      url: text('https URL of a host that the owner allows.', { maxLength: 2_000 }),
      method: { type: 'string', enum: ['GET', 'POST'] },
      body: text('JSON text for POST.', { maxLength: 20_000 }),
      most: { type: 'integer', minimum: 0, description: 'Tokens that a POST may cost: its price is not asked before.' },
      proposal: text('The handle that a call with url gave.'),
      again: text('Handle of a call that is done, to make the same once more.'),
      from: { type: 'integer', minimum: 0, description: 'Characters of the answer that were read before.' },
    }),
  },
] as const;

export type ToolName = (typeof tools)[number]['name'];
