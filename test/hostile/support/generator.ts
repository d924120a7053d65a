/** Generates values for a JSON Schema: most of them valid, some hostile. */
import type { Body } from '../../node/support/client.js';
import type { Random } from './random.js';

/** Values that the API returned, by the name of their member. */
export class Known {
  readonly #values = new Map<string, string[]>();

  /** Bounded, so that later requests use newer resources. */
  add(name: string, value: string): void {
    const values = this.#values.get(name) ?? [];
    if (values.includes(value)) return;
    values.push(value);
    if (values.length > 40) values.shift();
    this.#values.set(name, values);
  }

  /** Collects ids, hashes and DIDs from anywhere in a reply. */
  learn(value: Body, depth = 0): void {
    if (depth > 6 || typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries<Body>(value)) {
      if (typeof member !== 'string') this.learn(member, depth + 1);
      else if (/(Id|^id|Hash|Prev|^did|^hash)$/.test(name) && member.length < 200) this.add(name, member);
    }
  }

  of(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }
}

const hostileValues: readonly unknown[] = [
  ...[null, true, -1, 0, 0.5, 2 ** 53, 1e308, '', ' ', 'x'.repeat(5_000), '\u0000', '\ud800', 'ﷺ'.repeat(300)],
  ...[[], {}, [[]], { $gt: '' }, { toString: 1 }, '../../etc/passwd', "' OR 1=1 --", '<script>', '%00', 'NaN'],
];

export class Generator {
  constructor(
    private readonly random: Random,
    private readonly known: Known,
    /** Share of values that do not fit the schema. */
    private readonly hostility: number,
  ) {}

  /** @param name the member's name; values known under it are used most of the time */
  value(schema: Body, name = '', depth = 0): unknown {
    const { random } = this;
    if (random.chance(this.hostility)) return random.pick(hostileValues);
    const known = this.known.of(name);
    if (known.length > 0 && random.chance(0.8)) return random.pick(known);
    const variants = schema.oneOf ?? schema.anyOf;
    if (variants) return this.value(random.pick<Body>(variants), name, depth);
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((each: Body) => this.value(each, name, depth)));
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return random.pick(schema.enum);
    if (schema.examples && random.chance(0.5)) return random.pick(schema.examples);
    return this.#ofType(schema, depth);
  }

  #ofType(schema: Body, depth: number): unknown {
    const { random } = this;
    const type = Array.isArray(schema.type) ? random.pick<string>(schema.type) : schema.type;
    switch (type) {
      case 'integer':
      case 'number':
        return this.#number(schema);
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      case 'array': {
        const items = schema.items || { type: 'string' };
        const count = depth > 4 ? 0 : random.below(Math.min(schema.maxItems ?? 3, 3) + 1);
        return Array.from({ length: Math.max(count, schema.minItems ?? 0) }, () => this.value(items, '', depth + 1));
      }
      case 'string':
        return this.#text(schema);
      default:
        return depth > 6 ? {} : this.object(schema, depth);
    }
  }

  object(schema: Body, depth = 0): Body {
    const required: readonly string[] = schema.required ?? [];
    const made: Body = {};
    for (const [name, member] of Object.entries<Body>(schema.properties ?? {})) {
      if (required.includes(name) ? this.random.chance(0.97) : this.random.chance(0.3)) {
        made[name] = this.value(member, name, depth + 1);
      }
    }
    return made;
  }

  #number({ minimum = 0, maximum = 1_000 }: Body): number {
    const least = Math.max(minimum, -1_000);
    if (this.random.chance(0.1)) return maximum;
    return least + this.random.below(Math.min(maximum - least, 60) + 1);
  }

  #text({ minLength = 0, maxLength = 40, format, pattern }: Body): string {
    if (format === 'date-time') return new Date(Date.now() + this.random.below(10) * 3_600_000).toISOString();
    if (/0-9a-f/.test(pattern ?? '')) return 'ab'.repeat(32);
    const letters = 'abc XYZ019-_.é漢🙂';
    const length = Math.max(minLength, this.random.below(Math.min(maxLength, 30) + 1));
    return Array.from({ length }, () => this.random.pick([...letters])).join('');
  }
}
