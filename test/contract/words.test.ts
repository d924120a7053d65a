import { expect } from 'chai';
import { longestWord, mostWords, searchWords, weighedWords, wordRules } from '../../src/store/words.js';
import { expectWithin } from '../support/within.js';

describe('words to search for', () => {
  const words = (text: string) => [...searchWords(text)].join(' ');

  const cut: readonly (readonly [string, string])[] = [
    ['Hourly RAINFALL, 1990–2020', 'hourly rainfall 1990 2020'],
    ['Crème brûlée à São Paulo', 'creme brulee a sao paulo'],
    ['Straße STRASSE', 'strasse strasse'],
    ['Łódź, Ærø, İzmir, ılık', 'lodz aero izmir ilik'],
    ['ΟΔΥΣΣΕΎΣ οδυσσεύς', 'οδυσσευσ οδυσσευσ'],
    ['node.js foo_bar C++ don’t', 'node js foo bar c don t'],
    ['ｆｕｌｌ ﬁne ①', 'full fine 1'],
    ['Йод и ёлка', 'иод и елка'],
    ['שָׁלוֹם שלום', 'שלום שלום'],
    ['أَحْمَد احمد', 'احمد احمد'],
    ['رحمٰن آية', 'رحمن اية'],
    ['Donau\u00addampf\u2060schiff', 'donaudampfschiff'],
    ['می\u200cخواهم', 'میخواهم'],
    ['हिन्दी कु', 'हिन्दी कु'],
    ['one\u200btwo', 'one two'],
    ['τῷ ΤΩΙ c\u0345o', 'τωι τωι co'],
    ['\u0963 \u0963h \u0316T', 'h t'],
    ['---', ''],
    ['🦊', ''],
    ['', ''],
  ];
  for (const [text, expected] of cut) {
    it(`of ${JSON.stringify(text)} are ${JSON.stringify(expected)}`, () => {
      expect(words(text)).to.equal(expected);
    });
  }

  it('are the same with and without what has no form, and without points of scripts that may leave them out', () => {
    const letters = { Cyrl: 'а', Hebr: 'א', Arab: 'ا', Syrc: 'ܐ', Zinh: 'a' };
    let tried = 0;
    for (let point = 0x80; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const mark = String.fromCodePoint(point);
      const isFormless = /\p{DI}/u.test(mark) && mark !== '\u200b';
      const isPoint = /[\p{Mn}\p{Me}]/u.test(mark) && !/\p{scx=Hira}/u.test(mark);
      const script = Object.keys(letters).find((each) => new RegExp(`\\p{sc=${each}}`, 'u').test(mark));
      if (!isFormless && !(isPoint && script)) continue;
      const letter = letters[(script ?? 'Zinh') as keyof typeof letters];
      expect(words(letter + mark + letter), `U+${point.toString(16)}`).to.equal(words(letter + letter));
      tried++;
    }
    expect(tried).to.be.above(1_000);
  });

  it('of Chinese and Japanese are words of several characters', () => {
    expect(words('地图数据服务')).to.equal('地图 数据 服务');
    expect(words('東京の天気データ')).to.equal('東京 の 天気 データ');
    expect(words('ガ')).not.to.equal(words('カ'));
    expect(words('Wetter 東京2020')).to.match(/^wetter 東京 ?2020$/);
  });

  it('of plain letters are the same next to any other letters', () => {
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
    expect([...searchWords('x'.repeat(1000))]).to.deep.equal(['x'.repeat(longestWord)]);
    const many = Array.from({ length: 2 * mostWords }, (_, i) => `w${i}`).join(' ');
    const weights = weighedWords([
      ['first w0', 4],
      [many, 1],
      ['first', 1],
    ]);
    expect(weights.size).to.equal(mostWords);
    expect(weights.get('first')).to.equal(4);
    expect(weights.get('w0')).to.equal(5);
    expect([...searchWords('x '.repeat(2 * mostWords))]).to.have.length(2 * mostWords);
  });

  it('of Korean are those between spaces, and apart from those of other scripts', () => {
    expect(words('지도 데이터')).to.equal('지도 데이터');
    expect(words('GPT모델 2020년')).to.equal('gpt 모델 2020 년');
  });

  it('of a run without spaces longer than is cut at once are no halves of letters', () => {
    const text = `東${'𠀀'.repeat(2_000)}`;
    expect(searchWords(text).join('') === text).to.equal(true);
  });

  /** The longest texts of a listing: letters that expand to many, many words, and many combining marks in a row. */
  const costly: { readonly [name: string]: string } = {
    'alternating marks': '\u0f73\u0f75',
    'marks of half-width kana': '\uff9e\u0334',
    'letters with marks': `一${'\u0f73'.repeat(16)}`,
    Chinese: '地图数据服务东京天气',
    Thai: 'ภาษาไทยเขียนติดกันทั้งหมด',
    'Thai without words': 'ก',
    Korean: '한 ',
    English: 'A node that sells maps, weather and 1,000 other things. ',
    accents: 'é è ',
    'U+3316, six letters': '\u3316',
    'U+FDFB, eight letters': '\ufdfb',
    'U+FDFA, eighteen letters': '\ufdfa',
  };
  for (const [name, unit] of Object.entries(costly)) {
    it(`cost no more than some ms: ${name}`, async () => {
      const letters = [...unit.repeat(10_000)];
      const text = (length: number) => letters.slice(0, length).join('');
      const listing = [
        [text(200), 4],
        [text(2_048), 3],
        [text(64), 2],
        [text(10_000), 1],
      ] as const;
      const once = () => {
        const before = process.cpuUsage();
        expect(weighedWords(listing).size).to.be.at.most(mostWords);
        return process.cpuUsage(before).user / 1000;
      };
      // 0.2 to 3 ms of CPU on an idle machine.
      await expectWithin(15, once);
    });
  }

  it('have rules that name a version', () => {
    expect(wordRules).to.match(/^words-5, ICU \d/);
  });
});
