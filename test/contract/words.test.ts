import { expect } from 'chai';
import { longestWord, mostWords, weighedWords, wordRules, wordsOf } from '../../src/store/search/words.js';

describe('words to search for', () => {
  const words = (text: string) => [...wordsOf(text)].join(' ');

  const cut: readonly (readonly [string, string])[] = [
    ['Hourly RAINFALL, 1990–2020', 'hourly rainfall 1990 2020'],
    ['Crème brûlée à São Paulo', 'creme brulee a sao paulo'],
    ['Straße STRASSE', 'strasse strasse'],
    ['Łódź, Ærø, İzmir, ılık', 'lodz aero izmir ilik'],
    ['ΟΔΥΣΣΕΎΣ οδυσσεύς', 'οδυσσευσ οδυσσευσ'],
    ['node.js foo_bar C++ don’t', 'node js foo bar c don t'],
    ['ｆｕｌｌ ﬁne ①', 'full fine 1'],
    ['Йод и ёлка', 'иод и елка'],
    ['---', ''],
    ['🦊', ''],
    ['', ''],
  ];
  for (const [text, expected] of cut) {
    it(`of ${JSON.stringify(text)} are ${JSON.stringify(expected)}`, () => {
      expect(words(text)).to.equal(expected);
    });
  }

  it('of Chinese and Japanese are words of several characters', () => {
    expect(words('地图数据服务')).to.equal('地图 数据 服务');
    expect(words('東京の天気データ')).to.equal('東京 の 天気 データ');
    expect(words('ガ')).not.to.equal(words('カ'));
    expect(words('Wetter 東京2020')).to.match(/^wetter 東京 ?2020$/);
  });

  it('of plain letters are the same whether or not others stand beside them', () => {
    const text = 'A node.js 3.14 e-mail: x_y "quoted" (a/b) 1,000';
    expect(words(`${text} é`)).to.equal(`${words(text)} e`);
  });

  it('weigh the sum of the texts that have them, once each', () => {
    const weights = weighedWords([
      ['Map of maps of maps', 4],
      ['map rain', 3],
      ['rain', 1],
    ]);
    expect(Object.fromEntries(weights)).to.deep.equal({ map: 7, of: 4, maps: 4, rain: 4 });
  });

  it('are bounded in length and number, the weightiest texts first', () => {
    expect([...wordsOf('x'.repeat(1000))]).to.deep.equal(['x'.repeat(longestWord)]);
    const many = Array.from({ length: 2 * mostWords }, (_, i) => `w${i}`).join(' ');
    const weights = weighedWords([
      ['first', 4],
      [many, 1],
      [many, 1],
    ]);
    expect(weights.size).to.equal(mostWords);
    expect(weights.get('first')).to.equal(4);
    expect(weights.get('w0')).to.equal(2);
  });

  it('have rules that name a version', () => {
    expect(wordRules).to.match(/^words-2, ICU \d/);
  });
});
