import { expect, test } from 'vitest'
import { createPacer } from '../reading/pacer.ts'
import { findSentences } from '../reading/sentences.ts'
import { sentiment } from './analyse-text.ts'
import { givenLanguage } from './detect-language.ts'

async function sentimentOf(text: string, language: string | null = 'en') {
  const pacer = createPacer()
  const sentences = await findSentences([{ kind: 'paragraph', text }], { language, pacer })
  return await sentiment(sentences, { language: language === null ? null : givenLanguage(language), pacer })
}

test.each([
  ['positive', 'What a wonderful day! I love this lovely garden, and the food was excellent.'],
  ['negative', 'This was a terrible trip. The hotel was dirty and I hated the awful food.'],
  ['neutral', 'The train leaves at noon. It stops in four towns. The trip takes two hours.'],
])('%s', async (label, text) => {
  expect(await sentimentOf(text)).toMatchObject({ value: { label } })
})

test('a negation inverts a word', async () => {
  const good = await sentimentOf('The soup is good.')
  const notGood = await sentimentOf('The soup is not good.')
  expect('value' in good && good.value.score).toBeGreaterThan(0)
  expect('value' in notGood && notGood.value.score).toBeLessThan(0)
})

test('the most positive and negative sentences are listed, strongest first', async () => {
  const found = await sentimentOf(
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

test('other languages are not scored, with a reason', async () => {
  expect(await sentimentOf('Das ist ein wunderbarer Tag.', 'de')).toEqual({
    reason: 'Sentiment is scored for English only, and this text is German.',
  })
  expect(await sentimentOf('Xyzzy.', null)).toMatchObject({ reason: expect.stringContaining('uncertain') })
  expect(await sentimentOf('', 'en')).toEqual({ reason: 'There are no sentences.' })
})

test('very long words, on which the tokenizer is slow, are ignored', async () => {
  expect(await sentimentOf(`I love it ${'a'.repeat(200_000)}.`)).toMatchObject({
    value: { label: 'positive' },
  })
})
