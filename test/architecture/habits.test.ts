/** Coding rules that a text search can check (docs/reference/limits.md#clock). */
import { expect } from 'chai';
import { codeLines, codeOf, fileOf, filesIn, sources, textOf } from './sources.js';

interface Habit {
  readonly says: string;
  readonly pattern: RegExp;
  /** Files that are exempt, each with the reason. */
  readonly except: { readonly [file: string]: string };
}

const habits: readonly Habit[] = [
  {
    says: 'only core/environment.ts reads a clock',
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|\bperformance\.now\b|\bhrtime\b/,
    except: {
      'core/environment.ts': 'is the clock',
      'packages/client/src/environment.ts': 'runs in the caller’s program, which brings its own in tests',
    },
  },
  {
    says: 'only core/environment.ts sets a timer',
    pattern: /(?<![.\w])set(Timeout|Interval)\(|\btimers\/promises\b|\bAbortSignal\.timeout\b/,
    except: {
      'core/environment.ts': 'is the timer',
      'packages/client/src/environment.ts': 'runs in the caller’s program, which brings its own in tests',
      'packages/client/src/http.ts': 'runs in the caller’s program: the deadline of one fetch',
      'cli/doctor/listening.ts': 'a command that asks another process once: the deadline of one fetch',
      'cli/status.ts': 'a command that asks another process once: the deadline of one fetch',
    },
  },
  {
    says: 'only core/environment.ts draws a random number',
    pattern: /\bMath\.random\b|\brandom(Bytes|UUID|Int|FillSync)\b|\bgetRandomValues\b/,
    except: {
      'core/environment.ts': 'is the randomness',
      'packages/client/src/environment.ts': 'runs in the caller’s program, which brings its own in tests',
      'core/durable-file.ts': 'the name of a temporary file that is renamed at once',
    },
  },
  {
    says: 'no code puts work off to another turn of the event loop',
    pattern: /(?<![.\w])setImmediate\(|\bnextTick\b|\bqueueMicrotask\b/,
    except: {
      'core/environment.ts': 'is how time passes',
      'store/sqlite/write-queue.ts': 'gathers what one turn brings into one fsync',
      'store/mongo/turn.ts': 'gathers what one turn brings into one insertMany, or one query',
    },
  },
  {
    says: 'only core/threads.ts starts a thread: it bounds its memory and lets it be watched',
    pattern: /\bnew Worker\(/,
    except: { 'core/threads.ts': 'starts them' },
  },
  {
    says: 'no bare Error: a refusal for what a caller can cause, an assertion for what cannot happen',
    pattern: /\bnew (Error|TypeError|RangeError)\(/,
    except: {},
  },
];

const found = ({ pattern }: Habit): string[] => sources().filter((file) => pattern.test(codeOf(fileOf(file))));

describe('habits', () => {
  for (const habit of habits) {
    it(habit.says, () => {
      expect(found(habit).filter((file) => !habit.except[file])).to.deep.equal([]);
    });

    it(`${habit.says}: every exception is needed`, () => {
      expect(Object.keys(habit.except).filter((file) => !found(habit).includes(file))).to.deep.equal([]);
    });
  }

  it('every thread shows its pulse to the watchdog', () => {
    const threads = sources().filter((file) => file.endsWith('-thread.ts'));
    expect(threads.length).to.be.greaterThan(4);
    // For the embedded store's threads, answerCalls calls showPulse.
    const silent = threads.filter((file) => !/\b(showPulse|answerCalls)\(/.test(codeOf(fileOf(file))));
    expect(silent).to.deep.equal([]);
  });

  it('a start that is refused names the variable concerned', () => {
    const refusals = sources().flatMap((file) =>
      codeOf(fileOf(file))
        .split('new StartRefused(')
        .slice(1)
        .map((rest) => rest.slice(0, rest.indexOf(');')).trim()),
    );
    expect(refusals.length).to.be.greaterThan(15);
    // Two pass on an error that already names a variable; entries that the node can't write are not a matter of configuration.
    const named = /SVC_[A-Z_]+|^`\$\{variable\}|^closed$|error\.message|could not (appoint|erase)/;
    expect(refusals.filter((text) => !named.test(text))).to.deep.equal([]);
  });

  it('machines never wait, invoke, or run after a time', () => {
    // Request transformers run before the machine, with keys and stored content. Extra reads run without it.
    const besideTheMachine = new Set(['transformer.ts', 'transformers.ts', 'content.ts', 'reads.ts']);
    const waiting = sources()
      .filter((file) => file.startsWith('machines/') && !besideTheMachine.has(file.split('/').at(-1)!))
      .filter((file) =>
        /\bawait\b|\basync\b|\bPromise\b|\bfromPromise\b|\binvoke: ?\[?\s*\{?\s*(id|src)\b|\bafter: \{/.test(
          codeOf(fileOf(file)),
        ),
      );
    expect(waiting).to.deep.equal([]);
  });

  it('only one file of the machines calls XState’s own transitions', () => {
    const calling = sources().filter((file) =>
      /\bcreateActor\(|\.transition\(|\.getInitialSnapshot\(/.test(codeOf(fileOf(file))),
    );
    expect(calling).to.deep.equal(['machines/kernel/stepper.ts']);
  });

  it('tests have the time limit of .mocharc.json, which no busy machine exceeds', () => {
    const own = filesIn('test').filter((file) => /^ *(this|\}?\)+)\.timeout\(/m.test(textOf(file)));
    expect(own.sort()).to.deep.equal(['test/generators/generators.campaign.ts', 'test/generators/python.campaign.ts']);
  });

  it('file names are kebab-case nouns, none that says nothing', () => {
    const files = ['src', 'packages', 'test', 'scripts']
      .flatMap((folder) => filesIn(folder))
      .filter((file) => !file.includes('/dist/'));
    const names = files.map((file) => [
      file,
      file
        .split('/')
        .at(-1)!
        .replace(/(\.test|\.campaign|\.contract)?\.(d\.)?ts$/, ''),
    ]);
    const empty = /^(utils?|helpers?|common|manager|services?|misc)$|-(utils?|helpers?|manager|service)$/;
    expect(names.filter(([, name]) => empty.test(name!)).map(([file]) => file)).to.deep.equal([]);
    expect(names.filter(([, name]) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name!)).map(([file]) => file)).to.deep.equal([]);
  });

  it('the kernel that makes derivation work stays small', () => {
    // The kernel may also import scalars, the ledger's own rules (ledger, posting), refusals and canonical JSON.
    const kernel = [
      'resource',
      'definition',
      'stepper',
      'versioning',
      'chart',
      'decide',
      'sub-command',
      'permitted',
    ].map((name) => `src/machines/kernel/${name}.ts`);
    const lines = kernel.reduce((sum, file) => sum + codeLines(file), 0);
    expect(lines, 'lines that are neither blank nor comment (docs/decisions/0006)').to.be.at.most(1_023);
  });
});
