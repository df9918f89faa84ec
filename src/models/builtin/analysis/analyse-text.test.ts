import { describe, expect, test } from 'vitest'
import { createPacer } from '../reading/pacer.ts'
import { findSentences } from '../reading/sentences.ts'
import { analyseText, readability } from './analyse-text.ts'

const garden = `# A garden on the roof

The roof of our school has a garden now. The children planted beans, tomatoes and sunflowers in old boxes. Every class waters the garden for one week.

## What we learned

Bees love the sunflowers. The beans grew well, but the wind broke two tomatoes. Next year we will build a fence against the wind, because a garden on a roof needs a fence.

[Pictures of the garden](https://example.org/garden)
`

test('the analysis of an English text has all parts', async () => {
  expect(
    await analyseText(garden, { keyword: 'garden', maxSummarySentences: 2, maxKeyPhrases: 4 }),
  ).toMatchObject({
    counts: {
      characters: 422,
      words: 72,
      sentences: 7,
      paragraphs: 3,
      averageSentenceWords: 9.1,
      averageWordLetters: 4.2,
      readingSeconds: 18,
    },
    language: { code: 'en', name: 'English', source: 'detected', reliable: true },
    readability: { formula: 'Flesch reading ease', difficulty: 'easy' },
    keyPhrases: [
      { phrase: 'garden', score: 1, count: 5 },
      { phrase: 'roof' },
      { phrase: 'wind' },
      { phrase: 'sunflowers' },
    ],
    summary: [
      'The roof of our school has a garden now.',
      'Next year we will build a fence against the wind, because a garden on a roof needs a fence.',
    ],
    structure: { format: 'markdown', headingCount: 2, linkCount: 1, paragraphs: 3, findings: [] },
    sentiment: { label: expect.stringMatching(/positive|neutral|negative/) },
    seo: { keyword: { keyword: 'garden', occurrences: 5, density: 6.94 } },
    reasons: {},
  })
})

test.each([
  [
    'de',
    'Am 3. Mai gingen wir früh aus dem Haus. Der Wald lag still, und auf den Wiesen stand noch der Nebel. Später fanden wir einen Bach im Wald, an dem wir unser Brot aßen.',
    {
      formula: 'Flesch reading ease (Amstad)',
      sentences: 3,
      words: 34,
      phrase: 'Wald',
      opening: 'Der Wald lag still',
    },
  ],
  [
    'es',
    'La bicicleta es el medio de transporte más limpio de la ciudad. Cada mañana miles de vecinos van en bicicleta al trabajo. El ayuntamiento quiere más carriles para la bicicleta.',
    {
      formula: 'Lecturabilidad (Fernández Huerta)',
      sentences: 3,
      words: 30,
      phrase: 'bicicleta',
      opening: 'El ayuntamiento quiere',
    },
  ],
  [
    'ru',
    'Старый мост соединяет два берега реки. Каждое утро жители города идут на рынок через мост. Весной река поднимается высоко, и мост закрывают на несколько дней.',
    {
      formula: 'Flesch reading ease (Oborneva)',
      sentences: 3,
      words: 25,
      phrase: 'мост',
      opening: 'Старый мост',
    },
  ],
  [
    'zh',
    '城市图书馆在周末开放了新的阅览室。孩子们可以在阅览室里看书，也可以听老师讲故事。图书馆希望更多的家庭来这里读书。',
    { formula: undefined, sentences: 3, words: 32, phrase: '阅览室', opening: '城市图书馆' },
  ],
  [
    'ar',
    'افتتحت المدينة مكتبة جديدة قرب الحديقة. يقرأ الأطفال القصص في المكتبة كل مساء. تستعير العائلات الكتب من المكتبة في نهاية الأسبوع.',
    { formula: 'LIX', sentences: 3, words: 21, phrase: 'المكتبة', opening: 'يقرأ الأطفال' },
  ],
])('%s', async (code, text, expected) => {
  const found = await analyseText(text, { maxSummarySentences: 1 })
  expect({
    code: found.language?.code,
    formula: found.readability?.formula,
    sentences: found.counts.sentences,
    words: found.counts.words,
    phrase: found.keyPhrases[0]?.phrase,
    sentiment: found.sentiment,
    summary: found.summary.length,
  }).toEqual({
    code,
    formula: expected.formula,
    sentences: expected.sentences,
    words: expected.words,
    phrase: expected.phrase,
    sentiment: null,
    summary: 1,
  })
  expect(found.summary[0]).toContain(expected.opening)
  expect(found.reasons.sentiment).toContain('English only')
})

test('the same text always has the same analysis', async () => {
  const first = JSON.stringify(await analyseText(garden))
  const others = await Promise.all([analyseText(garden), analyseText(garden), analyseText(garden)])
  for (const other of others) expect(JSON.stringify(other)).toBe(first)
})

test('a given language is not detected', async () => {
  const found = await analyseText('Kort tekst.', { language: 'nl' })
  expect(found.language).toEqual({
    code: 'nl',
    name: 'Dutch',
    source: 'given',
    confidence: null,
    reliable: true,
  })
  await expect(analyseText('x', { language: '??' })).rejects.toThrow('is not a language tag')
})

test('a separate title and description are analysed', async () => {
  const given = { title: 'The title', description: 'The description' }
  const { seo, structure } = await analyseText('## Part\n\nSome text.', given)
  expect(seo).toMatchObject(given)
  expect(structure.findings).toEqual([])
})

describe('unusual texts', () => {
  const odd: Readonly<Record<string, string>> = {
    nothing: '',
    blanks: ' \n\t\r\n ',
    emoji: '😀👩‍👩‍👧‍👧🏳️‍🌈'.repeat(50),
    punctuation: '… --- !!! ??? ((( ))) *** ___ ```',
    numbers: '1 2 3. 4,5 6/7',
    NUL: 'a\0b \0\0 c',
    'lone surrogates': '\ud800 a \udc00\ud800',
    'control characters': '\u0001\u0007\u001b[31m red \u202e edis rehto eht',
    'right to left and left to right': 'The word שלום means peace. השלום means the peace. (מילה) 123 abc',
    'many marks on a letter': `a${'\u0301'.repeat(5000)}`,
    'names of properties': '__proto__ constructor toString: hasOwnProperty. [__proto__]: x\n\n[__proto__]',
    'half a tag': '<p',
    'half a page': '<!doctype html><title>never closed',
    'half a fence': '```',
    'half a link': '[a](',
    'a mark of order': '\uFEFF# Heading\n\nText.',
  }
  test.each(Object.entries(odd))('%s has an analysis', async (_name, text) => {
    const found = await analyseText(text, { keyword: text.slice(0, 20), title: text, description: text })
    expect(JSON.parse(JSON.stringify(found))).toEqual(found)
    const numbers = JSON.stringify(found).match(/:(?:null|NaN|-0[,}])/g) ?? []
    expect(numbers.filter((number) => number !== ':null')).toEqual([])
    if (found.counts.words === 0)
      expect(found).toMatchObject({ summary: [], keyPhrases: [], sentiment: null })
  })

  // These texts take up to half a second of processor time; with quadratic time they would take ten seconds.
  const much = 64 * 1024
  const maxProcessorMs = 5000
  const large: Readonly<Record<string, string>> = {
    'much English': `${garden}\n`.repeat(much / 2 / garden.length),
    'one long word': 'a'.repeat(much),
    'brackets in brackets': '['.repeat(much),
    'tags in tags': `<p>${'<div><b id=x>'.repeat(much / 13)}</p>`,
    'Thai without an end': 'ก'.repeat(much / 4),
    'Chinese without an end': '今天天气很好我们去公园'.repeat(much / 44),
    'items in items': '1. '.repeat(much / 24),
    'emphasis that is never closed': 'a**b _c* '.repeat(much / 36),
    'quotes in quotes': '> '.repeat(much / 4),
    'one tag with many attributes': `<p ${Array.from({ length: much / 8 }, (_, index) => `a${index}`).join(' ')}>x</p>`,
    'headings that leave out a level': '<h1>a</h1><h3>b</h3>'.repeat(much / 20),
    'sentences of one letter': 'a. '.repeat(much / 6),
    addresses: 'http://'.repeat(much / 14),
  }
  test.each(Object.entries(large))('%s is analysed completely', async (_name, text) => {
    const before = process.cpuUsage()
    expect((await analyseText(text, { keyword: 'garden' })).counts.characters).toBe(text.length)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(maxProcessorMs)
  })
})

test('the event loop keeps running during a long analysis', async () => {
  await analyseText(garden)
  let turns = 0
  const others = setInterval(() => {
    turns += 1
  }, 1)
  await analyseText(garden.repeat(150))
  clearInterval(others)
  // The whole analysis takes far more than three times as long as one turn may.
  expect(turns).toBeGreaterThan(3)
})

test('an abort ends the analysis, before and during the work', async () => {
  await expect(analyseText(garden, { signal: AbortSignal.abort(new Error('not now')) })).rejects.toThrow(
    'not now',
  )
  const controller = new AbortController()
  const running = analyseText(garden.repeat(1000), { signal: controller.signal })
  setImmediate(() => controller.abort(new Error('enough')))
  await expect(running).rejects.toThrow('enough')
})

async function readabilityOf(text: string, language: string | null) {
  const pacer = createPacer()
  const sentences = await findSentences([{ kind: 'paragraph', text }], { language, pacer })
  return await readability(sentences, { language, pacer })
}

async function valuesOf(text: string, language: string | null) {
  const found = await readabilityOf(text, language)
  return 'value' in found
    ? Object.fromEntries(found.value.values.map(({ formula, value }) => [formula, value]))
    : found
}

test('English, counted by hand: 21 words of one syllable in 3 sentences', async () => {
  const text = 'The cat sat on the mat. The dog ran to the park. The sun was warm and the sky was blue.'
  expect(await valuesOf(text, 'en')).toEqual({
    'Flesch reading ease': 115.1,
    'Flesch–Kincaid grade': -1.1,
    'Gunning fog': 2.8,
    LIX: 7,
  })
})

test('the fog index counts long words, but no names and suffixes', async () => {
  // 20 words in 2 sentences, of which "understanding" and "readability" count; "Alexander" is a name, "computing" an ending.
  const text =
    'My friend Alexander is computing how the understanding of a text grows. It is what we call the readability here.'
  expect(await valuesOf(text, 'en')).toMatchObject({ 'Gunning fog': 8 })
})

test('German by Amstad, counted by hand: 27 syllables in 20 words, 2 sentences', async () => {
  const text =
    'Der Hund liegt heute vor der Tür und wartet auf die Kinder. Am Abend kommt die Katze wieder nach Hause.'
  expect(await readabilityOf(text, 'de')).toMatchObject({
    value: { formula: 'Flesch reading ease (Amstad)', difficulty: 'very easy', averageSyllables: 1.35 },
  })
  expect(await valuesOf(text, 'de')).toEqual({ 'Flesch reading ease (Amstad)': 91, LIX: 10 })
})

test('Italian by letters: 20 words of 3 letters in 2 sentences', async () => {
  const text = `${Array.from({ length: 10 }, () => 'sei').join(' ')}. ${Array.from({ length: 10 }, () => 'Tre').join(' ')}.`
  expect(await valuesOf(text, 'it')).toEqual({ Gulpease: 89, LIX: 10 })
})

test.each([
  ['es', 'Lecturabilidad (Fernández Huerta)'],
  ['fr', 'Flesch reading ease (Kandel and Moles)'],
  ['nl', 'Leesgemak (Douma)'],
  ['pt', 'Flesch reading ease (Martins)'],
  ['ru', 'Flesch reading ease (Oborneva)'],
  ['tr', 'Okunabilirlik (Ateşman)'],
  ['sv', 'LIX'],
  ['ar', 'LIX'],
  [null, 'LIX'],
])('%s has %s', async (language, formula) => {
  expect(await readabilityOf('palabra '.repeat(30), language)).toMatchObject({ value: { formula } })
})

test('a language without a formula has a reason', async () => {
  expect(await readabilityOf('今天天气很好，我们去公园散步。'.repeat(5), 'zh')).toEqual({
    reason: 'There is no formula for a script without spaces between words.',
  })
  expect(await readabilityOf('도서관에서 책을 읽습니다. '.repeat(10), 'ko')).toEqual({
    reason: 'There is no formula for a syllabic script.',
  })
  expect(await readabilityOf('Thư viện mở cửa. '.repeat(10), 'vi')).toMatchObject({
    reason: expect.stringContaining('Vietnamese'),
  })
  expect(await readabilityOf('Too short.', 'en')).toEqual({
    reason: 'There are fewer than 20 words in sentences.',
  })
})
