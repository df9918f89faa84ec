import { expect, test } from 'vitest'
import { createPacer } from '../reading/pacer.ts'
import { findSentences } from '../reading/sentences.ts'
import { readability } from './readability.ts'

async function judge(text: string, language: string | null) {
  const pacer = createPacer()
  const sentences = await findSentences([{ kind: 'paragraph', text }], { language, pacer })
  return await readability(sentences, { language, pacer })
}

async function valuesOf(text: string, language: string | null) {
  const found = await judge(text, language)
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

test('the fog grows with long words, but not with names and endings', async () => {
  // 20 words in 2 sentences, of which "understanding" and "readability" count; "Alexander" is a name, "computing" an ending.
  const text =
    'My friend Alexander is computing how the understanding of a text grows. It is what we call the readability here.'
  expect(await valuesOf(text, 'en')).toMatchObject({ 'Gunning fog': 8 })
})

test('German by Amstad, counted by hand: 27 syllables in 20 words, 2 sentences', async () => {
  const text =
    'Der Hund liegt heute vor der Tür und wartet auf die Kinder. Am Abend kommt die Katze wieder nach Hause.'
  expect(await judge(text, 'de')).toMatchObject({
    value: { formula: 'Flesch reading ease (Amstad)', difficulty: 'very easy', averageSyllables: 1.35 },
  })
  expect(await valuesOf(text, 'de')).toEqual({ 'Flesch reading ease (Amstad)': 91, LIX: 10 })
})

test('Italian by letters, 20 words of 3 letters in 2 sentences', async () => {
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
  expect(await judge('palabra '.repeat(30), language)).toMatchObject({ value: { formula } })
})

test('where no formula fits, the reason is told', async () => {
  expect(await judge('今天天气很好，我们去公园散步。'.repeat(5), 'zh')).toEqual({
    reason: 'No formula fits a script without blanks between words.',
  })
  expect(await judge('도서관에서 책을 읽습니다. '.repeat(10), 'ko')).toEqual({
    reason: 'No formula fits a script with a sign for each syllable.',
  })
  expect(await judge('Thư viện mở cửa. '.repeat(10), 'vi')).toMatchObject({
    reason: expect.stringContaining('Vietnamese'),
  })
  expect(await judge('Too short.', 'en')).toEqual({ reason: 'There are fewer than 20 words in sentences.' })
})
