import { expect, test } from 'vitest'
import { createPacer } from '../reading/pacer.ts'
import { findSentences } from '../reading/sentences.ts'
import { findRuns } from './content-terms.ts'
import { keyPhrases } from './key-phrases.ts'
import { loadStopWords } from './stop-words.ts'

async function phrasesOf(text: string, language: string | null, most = 5) {
  const pacer = createPacer()
  const sentences = await findSentences([{ kind: 'paragraph', text }], { language, pacer })
  const runs = await findRuns(sentences, { isStopWord: await loadStopWords(language), language, pacer })
  return await keyPhrases(runs, { limit: most, pacer })
}

const namesOf = async (text: string, language: string | null, most?: number) =>
  (await phrasesOf(text, language, most)).map(({ phrase }) => phrase)

const honey =
  'Wild honey comes from wild bees. The bees of the valley make wild honey from clover, and the valley is full of clover. ' +
  'None sells the wild honey: it is for the valley alone.'

test('frequent and well-connected phrases come first', async () => {
  expect(await phrasesOf(honey, 'en', 4)).toEqual([
    { phrase: 'wild honey', score: 1, count: 3 },
    { phrase: 'valley', score: 0.594, count: 3 },
    { phrase: 'wild bees', score: 0.364, count: 1 },
    { phrase: 'clover', score: 0.298, count: 2 },
  ])
})

test('phrases contain no stop words', async () => {
  for (const phrase of await namesOf(honey, 'en', 20))
    expect(phrase).not.toMatch(/\b(?:the|of|and|is|for|it)\b/i)
})

test('punctuation separates phrases, a hyphen does not', async () => {
  const phrases = await namesOf(
    'Red wine, white bread. Red wine, white bread. A long-term plan. A long-term plan.',
    'en',
    10,
  )
  expect(phrases).toEqual(expect.arrayContaining(['Red wine', 'white bread', 'long-term plan']))
  expect(phrases.join(';')).not.toContain('wine, white')
})

test('elided articles are removed', async () => {
  const phrases = await namesOf("L'eau est claire. L’eau du lac est froide. Il aime l'eau.", 'fr')
  expect(phrases[0]).toBe('eau')
})

test('possessives count as the same word, contractions are ignored', async () => {
  const phrases = await phrasesOf(
    "The baker's oven is hot. The baker doesn't sleep. We're near the baker.",
    'en',
    10,
  )
  expect(phrases[0]).toMatchObject({ phrase: 'baker', count: 3 })
  expect(phrases.map(({ phrase }) => phrase).join(' ')).not.toMatch(/doesn|we're/i)
})

test('text without spaces has key phrases', async () => {
  const text = '城市图书馆开放了新的阅览室。孩子们在阅览室里看书。图书馆希望更多的家庭来这里读书。'
  expect(await namesOf(text, 'zh', 2)).toEqual(['阅览室', '图书馆'])
})

test('text from right to left has key phrases', async () => {
  const text = 'افتتحت المدينة مكتبة قرب الحديقة. يقرأ الأطفال في المكتبة. تستعير العائلات الكتب من المكتبة.'
  expect(await namesOf(text, 'ar', 1)).toEqual(['المكتبة'])
})

test('without a stop word list, short words count as stop words', async () => {
  expect(await namesOf('Fjall og fjara og fjall.', 'is', 3)).toEqual(['Fjall', 'fjara'])
})

test('equal scores keep the order of the text', async () => {
  expect(await namesOf('Zebra. Apple. Mango.', 'en')).toEqual(['Zebra', 'Apple', 'Mango'])
})

test('names of object properties are ordinary words', async () => {
  expect(await namesOf('Constructor. Constructor. __proto__ hasOwnProperty.', 'en', 1)).toEqual([
    'Constructor',
  ])
})

test('an empty text has no key phrases', async () => {
  expect(await phrasesOf('', 'en')).toEqual([])
  expect(await phrasesOf('The and of. 12 34.', 'en')).toEqual([])
})
