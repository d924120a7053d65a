/** The versions of Node.js that the package admits, and that its files recommend. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const read = (file: string): string => readFileSync(file, 'utf8');
/** Majors that get security updates and are supported. */
const recommended = ['22', '24'];

describe('Node.js', () => {
  it('is a recommended version in .nvmrc and in each stage of the image', () => {
    const stages = [...read('Dockerfile').matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => major!);
    expect(stages).to.have.length.above(1);
    for (const major of [read('.nvmrc').trim(), ...stages]) expect(recommended).to.include(major);
  });

  it('20.19 is admitted, and the README names the recommended ones first', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node).to.equal('>=20.19');
    expect(read('README.md')).to.match(/Node\.js 24 or 22 \(20\.19 /);
  });
});
