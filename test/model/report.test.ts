/** The HTML report is well-formed, whatever its content is. */
import { expect } from 'chai';
import { htmlReport } from '../../scripts/conformance/html.js';
import { junitReport } from '../../scripts/conformance/junit.js';
import { plainReport } from '../../scripts/conformance/plain.js';
import { countsOf, type Report, totalled } from '../../scripts/conformance/report.js';
import type { Finding } from '../../scripts/conformance/walk.js';

const hostile = `"><script>alert('x')</script> & \u0007\ud800 ]]>`;

const finding = (outcome: Finding['outcome'], more: Partial<Finding> = {}): Finding => ({
  kind: 'escrow',
  setting: 'by hand',
  situation: 'funded',
  state: 'funded',
  action: 'release',
  asked: `ada: release, ${outcome}`,
  outcome,
  ...more,
});

const findings = [
  finding('passed', { says: 'allowed' }),
  finding('passed', { says: 'refused' }),
  finding('failed', { asked: hostile, flaw: { what: hostile, expected: { state: hostile }, came: hostile } }),
  finding('unreachable'),
];
const kind = {
  ...{ kind: 'escrow', seconds: 1.25, ...countsOf(findings), allowed: 1, refused: 1 },
  ...{ findings, unmet: [`state ${hostile}`] },
};
const report: Report = {
  ...{ url: `http://127.0.0.1/${hostile}`, network: 'devnet', version: '0.1.0' },
  ...{ startedAt: '2026-06-15T12:00:00.000Z', seconds: 1.5, waits: { count: 2, seconds: 31 } },
  ...totalled([kind]),
  kinds: [kind],
};

/** Expects that every tag that is opened is closed in order, as an XML parser requires. */
function expectNested(text: string, empty: readonly string[] = []): void {
  const open: string[] = [];
  for (const [, end, name, rest] of text.matchAll(/<(\/?)([a-z][\w-]*)((?:"[^"]*"|[^<>"])*)>/g)) {
    if (end) expect(open.pop(), `closed by ${name}`).to.equal(name);
    else if (!rest!.endsWith('/') && !empty.includes(name!)) open.push(name!);
  }
  expect(open).to.deep.equal([]);
}

describe('A conformance report', () => {
  it('counts what is not reachable apart from what passed', () => {
    expect(totalled([kind, kind])).to.deep.equal({ passed: 4, failed: 2, unreachable: 2 });
  });

  it('on a terminal names what failed, with what was expected and what came', () => {
    const text = plainReport(report);
    expect(text).to.match(/^escrow +2 +1 +1 +1\.3$/m);
    expect(text).to.include(`expected: ${JSON.stringify({ state: hostile })}`);
    expect(text)
      .to.match(/^All kinds: 2 passed, 1 failed, 1 need the node's clock to be moved and were not tried; 1\.5 s\.$/m)
      .and.include('wait 2 times, 31 s');
  });

  it('as JUnit is well-formed, with failures and skips counted', () => {
    const text = junitReport(report);
    expectNested(text.replace(/^<\?xml.*\?>\n/, ''));
    expect(text).to.include('<testsuites name="svc-node conformance" tests="4" failures="1" skipped="1" time="1.500"');
    expect(text).to.include('<testsuite name="escrow" tests="4" failures="1" errors="0" skipped="1" time="1.250">');
    expect(text.match(/<testcase /g)).to.have.length(4);
    expect(text.match(/<skipped message="not reachable from outside"\/>/g)).to.have.length(1);
    expect(text).not.to.include('<script').and.not.to.include('\u0007');
    expect(text.isWellFormed()).to.equal(true);
  });

  it('as HTML asks for nothing else, escapes everything, and has both colours', () => {
    const text = htmlReport(report);
    expectNested(text, ['meta']);
    expect(text).not.to.match(/<script|src=|href=|@import|url\(/);
    expect(text).to.include("default-src 'none'").and.include('prefers-color-scheme: dark');
    expect(text).to.include('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; ');
    expect(text).to.include('<span class="good">2 ✓</span> <span class="bad">1 ✗</span> <span class="far">1 –</span>');
    expect(text).to.include('1 requests failed.');
    // Scrollable parts can be reached with the keyboard and have a name for screen readers.
    expect(text.match(/<main>/g)).to.have.length(1);
    expect(text.match(/<table>/g)!.length).to.equal(
      text.match(/<div class="wide" role="region" tabindex="0" aria-label="[^"]+"><table>/g)!.length,
    );
  });
});
