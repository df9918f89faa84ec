import { expect, test } from 'vitest'
import { createPacer } from './pacer.ts'
import { countWords, findSentences, wordFolder } from './sentences.ts'

async function textsOf(text: string, language: string | null = 'en'): Promise<string[]> {
  const passages = [{ kind: 'paragraph', text }] as const
  const sentences = await findSentences(passages, { language, pacer: createPacer() })
  return sentences.map((sentence) => sentence.text)
}

test('abbreviations and initials end no sentence', async () => {
  expect(
    await textsOf('Dr. Smith met Mr. J. R. Jones, e.g. at noon. It was fun. So do I. Version 2.0 is out.'),
  ).toEqual([
    'Dr. Smith met Mr. J. R. Jones, e.g. at noon.',
    'It was fun.',
    'So do I.',
    'Version 2.0 is out.',
  ])
})

test('an ordinal ends no sentence in languages that write it with a full stop', async () => {
  expect(await textsOf('Am 3. Mai war es kalt. Dann nicht.', 'de')).toEqual([
    'Am 3. Mai war es kalt.',
    'Dann nicht.',
  ])
  expect(await textsOf('It was number 3. May came late.', 'en')).toHaveLength(2)
})

test('a sentence continues with a lower-case letter', async () => {
  expect(await textsOf('“Really?” he said. “Yes!”')).toEqual(['“Really?” he said.', '“Yes!”'])
})

test('sentences and words are found in text without spaces', async () => {
  expect(await textsOf('今天天气很好。我们去公园散步！你来吗？', 'zh')).toEqual([
    '今天天气很好。',
    '我们去公园散步！',
    '你来吗？',
  ])
  expect(wordFolder('zh')('今天天气很好')).toEqual(['今天', '天气', '很好'])
  expect(wordFolder('th')('ฉันอ่านหนังสือ')).toEqual(['ฉัน', 'อ่าน', 'หนังสือ'])
})

test('words are compared without case, width and diacritics', () => {
  expect(wordFolder('en')('Ｗｉｄｅ CAFÉ cafe\u0301 IT’S')).toEqual(['wide', 'café', 'café', "it's"])
  expect(wordFolder('tr')('IŞIK İyi')).toEqual(['ışık', 'iyi'])
  expect(wordFolder('ar')('مُدَرِّسٌ')).toEqual(wordFolder('ar')('مدرس'))
})

test('headings and cells are not split into sentences', async () => {
  const passages = [
    { kind: 'heading', text: 'What? Why!' },
    { kind: 'cell', text: 'Yes. No.' },
  ] as const
  const sentences = await findSentences(passages, { language: 'en', pacer: createPacer() })
  expect(sentences.map(({ kind, text }) => [kind, text])).toEqual([
    ['heading', 'What? Why!'],
    ['cell', 'Yes. No.'],
  ])
})

test('a word as long as the whole text is one word', async () => {
  expect(await countWords('a'.repeat(100_000), createPacer())).toBe(1)
  expect(await countWords('', createPacer())).toBe(0)
  expect(await countWords('… 😀 — !', createPacer())).toBe(0)
})
