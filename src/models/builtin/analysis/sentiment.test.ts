import { expect, test } from 'vitest'
import { createPacer } from '../reading/pacer.ts'
import { findSentences } from '../reading/sentences.ts'
import { givenLanguage } from './detect-language.ts'
import { sentiment } from './sentiment.ts'

async function judge(text: string, language: string | null = 'en') {
  const pacer = createPacer()
  const sentences = await findSentences([{ kind: 'paragraph', text }], { language, pacer })
  return await sentiment(sentences, { language: language === null ? null : givenLanguage(language), pacer })
}

test.each([
  ['positive', 'What a wonderful day! I love this lovely garden, and the food was excellent.'],
  ['negative', 'This was a terrible trip. The hotel was dirty and I hated the awful food.'],
  ['neutral', 'The train leaves at noon. It stops in four towns. The trip takes two hours.'],
])('%s', async (label, text) => {
  expect(await judge(text)).toMatchObject({ value: { label } })
})

test('a negation turns a word around', async () => {
  const good = await judge('The soup is good.')
  const notGood = await judge('The soup is not good.')
  expect('value' in good && good.value.score).toBeGreaterThan(0)
  expect('value' in notGood && notGood.value.score).toBeLessThan(0)
})

test('the sentences that lean most are shown, strongest first', async () => {
  const found = await judge(
    'I love it. It is good. The bus is blue. It is bad. I hate it, a terrible horrible thing.',
  )
  if ('reason' in found) throw new Error(found.reason)
  const { score, sentences, mostPositive, mostNegative } = found.value
  expect(sentences).toBe(5)
  expect(score).toBeGreaterThanOrEqual(-1)
  expect(score).toBeLessThanOrEqual(1)
  expect(mostPositive.map(({ text }) => text).sort()).toEqual(['I love it.', 'It is good.'])
  expect(mostNegative.map(({ text }) => text).sort()).toEqual([
    'I hate it, a terrible horrible thing.',
    'It is bad.',
  ])
  for (const [strong, weak] of [mostPositive, mostNegative]) {
    expect(Math.abs(strong?.score ?? 0)).toBeGreaterThan(Math.abs(weak?.score ?? 0))
  }
})

test('other languages are not judged, and it is said why', async () => {
  expect(await judge('Das ist ein wunderbarer Tag.', 'de')).toEqual({
    reason: 'Sentiment is judged for English alone, and this text is German.',
  })
  expect(await judge('Xyzzy.', null)).toMatchObject({ reason: expect.stringContaining('not sure') })
  expect(await judge('', 'en')).toEqual({ reason: 'There are no sentences.' })
})

test('words on which the tokenizer would take for ever are left out', async () => {
  expect(await judge(`I love it ${'a'.repeat(200_000)}.`)).toMatchObject({ value: { label: 'positive' } })
})
