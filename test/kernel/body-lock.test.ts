/** The lock of function bodies: the functions of a locked version may not change (scripts/generate/body-lock.ts). */

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type BodyLock, bodiesNow, flawsOf, lockFile, lockText, namesIn } from '../../scripts/generate/body-lock.js';
import { withoutDescriptions } from '../../scripts/generate/descriptions.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { escrow } from '../../src/machines/escrow/resource.js';
import type { Workflow } from '../../src/machines/kernel/resource.js';
import { definitionVersion } from '../../src/machines/kernel/versioning.js';

describe('the lock of bodies', () => {
  const locked = JSON.parse(readFileSync(lockFile, 'utf8')) as BodyLock;

  it('holds: no guard, effect or change has changed while its version stayed', () => {
    const now = bodiesNow();
    expect(flawsOf(locked, now)).to.deep.equal([]);
    expect(Object.keys(locked)).to.deep.equal(Object.keys(now));
  });

  it('notices another body of an effect, a guard or a creation under the same version', () => {
    const version = definitionVersion(escrow);
    const changed = {
      ...escrow,
      effects: { ...escrow.effects, pay: () => [] },
      create: { ...escrow.create, check: () => undefined },
      machine: escrow.machine.provide({ guards: { expiryHasPassed: () => true } }),
    };
    expect(definitionVersion(changed as never)).to.equal(version);
    const flaws = flawsOf(locked, bodiesNow([changed as never]));
    expect(flaws).to.have.members(
      ['guard expiryHasPassed', 'effect pay', 'create check'].map(
        (name) => `${version}: ${name} has changed, and the version has not`,
      ),
    );
  });

  it('notices a change in what a guard calls', () => {
    const { 'guard releaseRuleMet': met, 'guard withinRemaining': within } = locked[definitionVersion(escrow)]!;
    expect(met).to.match(/^[0-9a-f]{16}$/);
    expect(met).not.to.equal(within);
  });

  it('leaves out what a schema is described as, and nothing else', () => {
    const source = (text: string) =>
      `const a = is.described(is.object({ b: described(is.text(1, 2), ${text}) }), ${text}), c = 'x, y';`;
    expect(withoutDescriptions(source("'Old (one), really.'"))).to.equal(
      "const a = is.described(is.object({ b: described(is.text(1, 2)) })), c = 'x, y';",
    );
    expect(withoutDescriptions(source('`New (d, e)`'))).to.equal(withoutDescriptions(source("'Old'")));
    expect(withoutDescriptions(source("'Old'").replace('1, 2', '1, 3'))).to.not.equal(
      withoutDescriptions(source("'Old'")),
    );
  });

  it('follows a name behind a spread, and no member', () => {
    expect([...namesIn('{ ...claimOf(event), cited: a.b?.c }')]).to.deep.equal(['claimOf', 'event', 'cited', 'a']);
  });

  it('notices another body of a workflow under the same revision, and of all that its factory was given', () => {
    const settle = catalogue.workflows['dispute.settle']!;
    const changed = (workflow: Workflow) => flawsOf(locked, bodiesNow([], { 'dispute.settle': workflow }));
    expect(changed(settle)).to.deep.equal([]);
    expect(changed({ revision: 1, subCommands: () => [] })).to.deep.equal(
      ['sub-commands', 'endings.contract', 'endings.info-order', 'endings.task-order'].map(
        (name) => `dispute.settle+1: ${name} has changed, and the version has not`,
      ),
    );
  });

  it('permits a workflow to cover one more kind', () => {
    const before = { 'a.b+1': { 'sub-commands': '1', 'endings.a': '2' } };
    const now = { 'a.b+1': { 'sub-commands': '1', 'endings.a': '2', 'endings.c': '3' } };
    expect(flawsOf(before, now)).to.deep.equal([]);
    expect(JSON.parse(lockText(before, now))).to.deep.equal(now);
    expect(flawsOf(now, before)).to.have.length(1);
  });

  it('keeps what is locked, and takes a new version as it is', () => {
    const kept = lockText({ 'a-1': { 'guard x': '1' } }, { 'a-1': { 'guard x': '2' }, 'a-2': { 'guard x': '3' } });
    expect(JSON.parse(kept)).to.deep.equal({ 'a-1': { 'guard x': '1' }, 'a-2': { 'guard x': '3' } });
  });
});
