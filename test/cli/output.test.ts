/** Text tables, with any characters and on narrow terminals. */
import { expect } from 'chai';
import { cellWidth, columnsIn, table } from '../../src/cli/output.js';

describe('svc-node, tables', () => {
  it('stand in columns also with letters that take two places, or none', () => {
    expect(['abc', '雨量データ', '한국', 'e\u0301', '🌈', 'über', '–…'].map(cellWidth)).to.deep.equal([
      3, 10, 4, 1, 2, 4, 2,
    ]);
    const lines = table(
      ['TITLE', 'PRICE'],
      [
        ['雨量', '3'],
        ['rain', '14'],
      ],
    ).split('\n');
    expect(lines).to.deep.equal(['TITLE  PRICE', '雨量       3', 'rain      14']);
  });

  it('have no more columns than there is room for, and one at least', () => {
    const widths = [10, 6, 8];
    for (const [room, columns] of [
      [80, 3],
      [28, 3],
      [27, 2],
      [18, 2],
      [17, 1],
      [3, 1],
    ] as const) {
      expect(columnsIn(room, widths), String(room)).to.equal(columns);
    }
  });

  it('show nothing that would steer the terminal', () => {
    expect(table(['A'], [['x\u001b[2J\u202e']])).to.equal('A\nx\ufffd[2J\ufffd');
  });
});
