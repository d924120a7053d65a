/** What an editor shows: each member of an input of the client has a description, in the types that are published. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const types = 'packages/client/dist';
/** Types that callers fill in. */
const inputs =
  /^(?:\w+(?:Request|Input|Options|Types)|Paging|Queries|SignerCredentials|Target|Stated|NewReview|Of\w+)$/;
/** Types that the client uses internally, and that callers do not fill in. */
const internal = new Set(['HttpOptions', 'HttpRequest', 'KindTypes']);

interface Block {
  readonly name: string;
  readonly lines: readonly string[];
}

const blocksOf = (text: string): Block[] =>
  text.split(/^(?=\/\*\*|export |declare |interface |type )/m).flatMap((block) => {
    const [, kind, name = ''] = /^(?:export )?(?:declare )?(interface|type|class) (\w+)/.exec(block) ?? [];
    return kind === undefined ? [] : [{ name, lines: block.split('\n') }];
  });

/** Rows of a table by operation, members that only name types, and methods have no separate description. */
function isMember(line: string, name: string): boolean {
  const [, indent = '', type = ''] = /^( +)readonly (?!\[)[\w']+\??: (.*)/.exec(line) ?? [];
  if (indent === '') return false;
  if (name === 'Queries' || !inputs.test(name)) return indent.length > 4;
  return !name.endsWith('Types') || (indent.length > 4 && type === 'string;');
}

/** @returns the inputs' members without a description in a file of types */
function undescribedIn(text: string): { undescribed: string[]; described: number } {
  const undescribed: string[] = [];
  let described = 0;
  for (const { name, lines } of blocksOf(text)) {
    // Classes have inputs among the parameters of their methods.
    if (internal.has(name) || !(inputs.test(name) || /^(?:export )?declare class/.test(lines[0]!))) continue;
    lines.forEach((line, index) => {
      if (!isMember(line, name)) return;
      if (lines[index - 1]?.trimEnd().endsWith('*/')) described += 1;
      else undescribed.push(`${name}: ${line.trim()}`);
    });
  }
  return { undescribed, described };
}

describe('The types of the client', () => {
  it('describe each member of an input', () => {
    const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.d.ts') && !file.startsWith('cjs'),
    );
    const found = files.map((file) => undescribedIn(readFileSync(join(types, file), 'utf8')));
    expect(found.flatMap(({ undescribed }) => undescribed)).to.deep.equal([]);
    const described = found.reduce((sum, each) => sum + each.described, 0);
    expect(described).to.be.above(400);
  });

  it('are read by this test: it sees a member without a description', () => {
    const text = `export interface PayRequest {
    /** Tokens. */
    readonly amount: number;
    readonly to: string;
}
export declare class Payments {
    readonly writes: Writes;
    pay(id: string, from?: {
        readonly after?: number;
    }): void;
}
`;
    const undescribed = ['PayRequest: readonly to: string;', 'Payments: readonly after?: number;'];
    expect(undescribedIn(text)).to.deep.equal({ undescribed, described: 1 });
  });
});
