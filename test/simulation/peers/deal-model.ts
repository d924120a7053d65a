/**
 * What leases, disputes and reviews come to, from what was accepted at their home: a lease pays for the units that its meter
 * recorded, at most its budget, once, and the lessee gets the rest; a dispute is decided once, by its arbiter, and its Tokens go
 * where that decision says; a party reviews an order once. Each is read from the entries alone, and compared with the disk.
 */
import type { JsonObject } from '../../../src/core/canonical.js';
import { reviewIdOf, scoreOfRating } from '../../../src/machines/reputation/record.js';
import type { EntryCore, Payload } from '../../../src/store/entry.js';
import type { Tables } from '../../../src/store/memory/tables.js';
import { didOf, nameOf } from '../../world/people.js';
import { arbiterOf, meterOf, residentsOf, unitPrice } from './genesis.js';
import { ModelViolation } from './model-home.js';

/** An action that the home has accepted, of a resident of this home or of another one. */
interface Done {
  readonly signer: string;
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly input: JsonObject;
  readonly ids: { readonly [part: string]: unknown };
}

interface Lease {
  readonly escrow: string;
  readonly lessee: string;
  readonly budget: number;
  units: number;
  isEnded: boolean;
}

interface Dispute {
  /** `<kind>/<id>` of what it is about. */
  readonly about: string;
  ruling: string | undefined;
}

/** The action of a local request, or of a request of another home that this entry accepts. */
function doneBy({ event }: EntryCore, { kind, id, action, input, ids = {} }: Payload): Done | undefined {
  if (kind !== 'remote-answer') return { signer: event.issuer, kind, id, action, input, ids };
  if (input.law === undefined) return undefined;
  const { issuer } = input.event as { readonly issuer: string };
  const { input: asked } = (input.request ?? input.confidential) as unknown as Payload;
  return {
    ...{ signer: issuer, kind: String(asked.kind), id: String(asked.resource), action: String(asked.action) },
    input: (asked.input ?? asked.confidential) as JsonObject,
    ids: (asked.ids ?? {}) as JsonObject,
  };
}

/** Of one home's journal, from its first entry. */
export class DealModel {
  readonly #leases = new Map<string, Lease>();
  readonly #disputes = new Map<string, Dispute>();
  readonly #reviews = new Set<string>();
  /** What has to be compared with the disk. */
  #changed: (() => string | undefined)[] = [];

  constructor(
    private readonly home: string,
    private readonly homes: readonly string[],
    private readonly tables: Tables,
  ) {}

  entry(core: EntryCore, payload: Payload): void {
    const done = doneBy(core, payload);
    if (!done) return;
    const { kind, action } = done;
    if (kind === 'lease') this.#lease(done);
    else if (action === 'dispute') this.#disputed(done);
    else if (kind === 'dispute') this.#ruled(done);
    else if (action === 'review') this.#reviewed(done);
  }

  /** Called once all new entries are read: the tables are those after the last one. */
  compare(): void {
    const changed = this.#changed;
    this.#changed = [];
    for (const compare of changed) {
      const flaw = compare();
      if (flaw !== undefined) throw new ModelViolation(`${this.home}: ${flaw}`);
    }
  }

  /** How many there were of what. */
  counts(): { readonly [what: string]: number } {
    const [leases, disputes] = [[...this.#leases.values()], [...this.#disputes.values()]];
    return {
      'leases ended': leases.filter(({ isEnded }) => isEnded).length,
      'leases used up': leases.filter((lease) => this.#charged(lease) === lease.budget).length,
      'leases used beyond their budget': leases.filter(({ units, budget }) => units * unitPrice > budget).length,
      'disputes decided': disputes.filter(({ ruling }) => ruling !== undefined).length,
      reviews: this.#reviews.size,
    };
  }

  #lease({ id, action, input, ids, signer }: Done): void {
    if (action === 'create') {
      const { budget } = input.plan as { readonly budget: number };
      this.#leases.set(id, { escrow: String(ids.escrow), lessee: signer, budget, units: 0, isEnded: false });
    }
    const lease = this.#leases.get(id);
    if (!lease) throw new ModelViolation(`${this.home}: ${id} was never leased`);
    if (action === 'invoke') {
      if (lease.isEnded || this.#charged(lease) === lease.budget)
        throw new ModelViolation(`${this.home}: ${id} is used after its end`);
      const meter = meterOf(this.home) === 'lessee' ? lease.lessee : didOf(residentsOf(this.home)[1]!);
      if (signer !== meter) throw new ModelViolation(`${this.home}: ${nameOf(signer)} meters ${id}`);
      lease.units += Number(input.units ?? 1);
    }
    if (action === 'terminate') lease.isEnded = true;
    this.#changed.push(() => this.#leaseFlaw(id, lease));
  }

  #charged = ({ units, budget }: Lease): number => Math.min(budget, units * unitPrice);

  #leaseFlaw(id: string, lease: Lease): string | undefined {
    const charged = this.#charged(lease);
    const { released, refunded } = this.tables.snapshot('escrow', lease.escrow)!.context;
    const isOver = lease.isEnded || charged === lease.budget;
    const [paid, back] = isOver ? [charged, lease.budget - charged] : [0, 0];
    if (released === paid && refunded === back) return undefined;
    return `${id} has paid ${released} and returned ${refunded}, and ${lease.units} units of ${lease.budget} Tokens were used`;
  }

  #disputed({ kind, id, ids }: Done): void {
    this.#disputes.set(String(ids.dispute), { about: `${kind}/${id}`, ruling: undefined });
  }

  #ruled({ id, action, input, signer }: Done): void {
    const dispute = this.#disputes.get(id);
    if (action !== 'resolve' || !dispute) return;
    const label = `${this.home}: ${nameOf(signer)} decides ${id}`;
    if (dispute.ruling !== undefined) throw new ModelViolation(`${label} a second time`);
    const { arbiter } = this.tables.snapshot('dispute', id)!.context;
    if (arbiter !== signer || (dispute.about.startsWith('info-order/') && arbiter !== this.#arbiter)) {
      throw new ModelViolation(`${label} in place of its arbiter`);
    }
    dispute.ruling = String(input.resolution);
    this.#changed.push(() => this.#rulingFlaw(id, dispute));
  }

  get #arbiter(): string {
    return didOf(arbiterOf(this.home, this.homes));
  }

  #rulingFlaw(id: string, { ruling, about }: Dispute): string | undefined {
    const { escrowId } = this.tables.snapshot('dispute', id)!.context;
    const { funded, released, refunded } = this.tables.snapshot('escrow', String(escrowId))!.context;
    const [paid, back] = ruling === 'release' ? [funded, 0] : [0, funded];
    if (released === paid && refunded === back) return undefined;
    return `${id} about ${about} is decided as ${ruling}, and pays ${released} and returns ${refunded}`;
  }

  #reviewed({ id, signer, input }: Done): void {
    const key = `${id} ${signer}`;
    if (this.#reviews.has(key)) throw new ModelViolation(`${this.home}: ${nameOf(signer)} reviews ${id} a second time`);
    this.#reviews.add(key);
    this.#changed.push(() => {
      const record = this.tables.snapshot('reputation', reviewIdOf(signer, id, 'quality'))?.context;
      if (record?.score === scoreOfRating(Number(input.rating))) return undefined;
      return `the review of ${id} by ${nameOf(signer)} has the score ${String(record?.score)}`;
    });
  }
}
