/** Habits from the first commit (design.md, Faults and load; style): what a grep can hold. */
import { expect } from 'chai';
import { codeLines, codeOf, filesIn, sources } from './sources.js';

interface Habit {
  readonly says: string;
  readonly pattern: RegExp;
  /** Files that may, each with the reason. */
  readonly except: { readonly [file: string]: string };
}

const habits: readonly Habit[] = [
  {
    says: 'nobody but world.ts reads a clock',
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|\bperformance\.now\b|\bhrtime\b/,
    except: { 'world.ts': 'is the clock' },
  },
  {
    says: 'nobody but world.ts sets a timer',
    pattern: /(?<![.\w])set(Timeout|Interval)\(|\btimers\/promises\b|\bAbortSignal\.timeout\b/,
    except: {
      'world.ts': 'is the timer',
      'client/environment.ts': 'runs in the caller’s program, which brings its own in tests',
      'client/http.ts': 'runs in the caller’s program: the deadline of one fetch',
      'cli/doctor/listening.ts': 'a command that asks another process once: the deadline of one fetch',
      'cli/status.ts': 'a command that asks another process once: the deadline of one fetch',
    },
  },
  {
    says: 'nobody but world.ts draws a random number',
    pattern: /\bMath\.random\b|\brandom(Bytes|UUID|Int|FillSync)\b|\bgetRandomValues\b/,
    except: {
      'world.ts': 'is the randomness',
      'client/environment.ts': 'runs in the caller’s program, which brings its own in tests',
      'durable-file.ts': 'the name of a temporary file that is renamed at once',
    },
  },
  {
    says: 'nobody puts work off to another turn of the event loop',
    pattern: /(?<![.\w])setImmediate\(|\bnextTick\b|\bqueueMicrotask\b/,
    except: {
      'store/sqlite/write-queue.ts': 'gathers what one turn brings into one fsync',
      'store/mongo/turn.ts': 'gathers what one turn brings into one insertMany, or one query',
    },
  },
  {
    says: 'no bare Error: a refusal for what a caller can cause, an assertion for what cannot happen',
    pattern: /\bnew (Error|TypeError|RangeError)\(/,
    except: {},
  },
];

const found = ({ pattern }: Habit): string[] => sources().filter((file) => pattern.test(codeOf(`src/${file}`)));

describe('habits', () => {
  for (const habit of habits) {
    it(habit.says, () => {
      expect(found(habit).filter((file) => !habit.except[file])).to.deep.equal([]);
    });

    it(`${habit.says}: every exception is needed`, () => {
      expect(Object.keys(habit.except).filter((file) => !found(habit).includes(file))).to.deep.equal([]);
    });
  }

  it('machines never wait, invoke, or run after a time', () => {
    const waiting = sources()
      .filter((file) => file.startsWith('machines/'))
      .filter((file) =>
        /\bawait\b|\basync\b|\bPromise\b|\bfromPromise\b|\binvoke: ?\[?\s*\{?\s*(id|src)\b|\bafter: \{/.test(
          codeOf(`src/${file}`),
        ),
      );
    expect(waiting).to.deep.equal([]);
  });

  it('only one file of the machines calls XState’s own transitions', () => {
    const calling = sources().filter((file) =>
      /\bcreateActor\(|\.transition\(|\.getInitialSnapshot\(/.test(codeOf(`src/${file}`)),
    );
    expect(calling).to.deep.equal(['machines/kernel/law.ts']);
  });

  it('file names are kebab-case nouns, none that says nothing', () => {
    const files = ['src', 'test', 'scripts'].flatMap((folder) => filesIn(folder));
    const names = files.map((file) => [
      file,
      file
        .split('/')
        .at(-1)!
        .replace(/(\.test|\.contract)?\.(d\.)?ts$/, ''),
    ]);
    const empty = /^(utils?|helpers?|common|manager|services?|misc)$|-(utils?|helpers?|manager|service)$/;
    expect(names.filter(([, name]) => empty.test(name!)).map(([file]) => file)).to.deep.equal([]);
    expect(names.filter(([, name]) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name!)).map(([file]) => file)).to.deep.equal([]);
  });

  it('the kernel that makes derivation work stays small', () => {
    // Beside it: scalars, the ledger's own law (ledger, posting), refusals, canonical JSON.
    const kernel = ['resource', 'law', 'lineage', 'chart', 'part', 'permitted', 'plain', 'step'].map(
      (name) => `src/machines/kernel/${name}.ts`,
    );
    const lines = kernel.reduce((sum, file) => sum + codeLines(file), 0);
    expect(lines, 'lines that are neither blank nor comment; decisions, 0006').to.be.at.most(950);
  });
});
