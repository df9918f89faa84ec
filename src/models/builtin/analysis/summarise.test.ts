import { expect, test } from 'vitest'
import { createPacer } from '../reading/pacer.ts'
import { findSentences } from '../reading/sentences.ts'
import { findRuns } from './content-terms.ts'
import { loadStopWords } from './stop-words.ts'
import { summarise } from './summarise.ts'

async function summaryOf(text: string, most: number, language: string | null = 'en'): Promise<string[]> {
  const pacer = createPacer()
  const passages = text.split('\n').map((line) => ({ kind: 'paragraph' as const, text: line }))
  const sentences = await findSentences(passages, { language, pacer })
  const runs = await findRuns(sentences, { isStopWord: await loadStopWords(language), language, pacer })
  return await summarise(sentences, runs, { limit: most, pacer })
}

const ferry =
  'The old ferry crosses the lake twice a day. My aunt keeps a dog. The ferry carries farmers and their milk across the lake. ' +
  'A new bridge over the lake will replace the ferry next year. Some farmers like the bridge, but many will miss the ferry. ' +
  'It rained on Tuesday and everybody stayed at home.'

test('the summary has the sentences that share the most words with the others, in the order of the text', async () => {
  expect(await summaryOf(ferry, 2)).toEqual([
    'The ferry carries farmers and their milk across the lake.',
    'A new bridge over the lake will replace the ferry next year.',
  ])
})

test('a short text is its own summary', async () => {
  expect(await summaryOf('Only this sentence is there.', 3)).toEqual(['Only this sentence is there.'])
  expect(await summaryOf('', 3)).toEqual([])
})

test('repeated sentences are skipped', async () => {
  const text = `${'The mill grinds the corn of the village. '.repeat(5)}The baker of the village buys the flour of the mill.`
  expect(await summaryOf(text, 2)).toEqual([
    'The mill grinds the corn of the village.',
    'The baker of the village buys the flour of the mill.',
  ])
})

test('an overlong sentence is used only when there is no other', async () => {
  const endless = `Mill ${'corn village flour mill '.repeat(20)}end.`
  expect(await summaryOf(`The mill grinds corn for the village. ${endless}`, 2)).toEqual([
    'The mill grinds corn for the village.',
  ])
  expect(await summaryOf(endless, 2)).toEqual([endless])
})

test('of many sentences only those with the most frequent words are compared', async () => {
  const noise = Array.from(
    { length: 2000 },
    (_, index) => `Visitors saw number x${index} near spot y${index} today.`,
  )
  noise.splice(1000, 0, ferry)
  const [first] = await summaryOf(noise.join('\n'), 1)
  expect(first).toBeDefined()
  expect(await summaryOf(noise.join('\n'), 1)).toEqual([first])
})
