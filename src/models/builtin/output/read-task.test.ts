import { describe, expect, test } from 'vitest'
import { readAnalysisRequest } from '../builtin-provider.ts'
import { readInstruction, readSystemTask } from './read-task.ts'

describe('an instruction at the beginning of a message', () => {
  test.each([
    ['Summarise the following text: The fox ran.', ['summary'], 'The fox ran.'],
    ['summarize this\n\nThe fox ran.', ['summary'], 'The fox ran.'],
    [
      'Please give me the keywords and the sentiment of this article: It was good.',
      ['key_phrases', 'sentiment'],
      'It was good.',
    ],
    ['Key phrases: tea and coffee', ['key_phrases'], 'tea and coffee'],
    ['What language is this?\nHola', ['language'], 'Hola'],
    ['Check the readability of this text:\nIt is.', ['readability'], 'It is.'],
    ['SEO: It is.', ['seo'], 'It is.'],
    ['Outline\n# One', ['structure'], '# One'],
    ['Analyse this page: It is.', [], 'It is.'],
    ['TL;DR: It is.', ['summary'], 'It is.'],
    ['Summarise the text', ['summary'], ''],
  ])('%j', (message, names, text) => {
    expect(readInstruction(message)).toMatchObject({ task: { names }, text })
  })

  test.each([
    'The language of bees: a story',
    'Summarise was a word he hated: it was long.',
    'Structure and interpretation of gardens\n\nText.',
    'It is raining.',
    ': only a colon',
    '',
    `summarise ${'the text '.repeat(40)}: x`,
  ])('%j is a text', (message) => {
    expect(readInstruction(message)).toBeUndefined()
  })

  test('contains the number of results', () => {
    expect(readInstruction('Summarise in 2 sentences: x')?.task.limit).toBe(2)
    expect(readInstruction('List the top three keywords: x')?.task.limit).toBe(3)
    expect(readInstruction('Summarise in 900 sentences: x')?.task.limit).toBe(20)
  })

  test('contains a keyword', () => {
    expect(readInstruction('SEO check for the keyword "green tea": x')).toEqual({
      task: { names: ['seo'], limit: undefined, keyword: 'green tea' },
      text: 'x',
    })
  })
})

test('is read from the first sentence of a system prompt', () => {
  expect(readSystemTask('Summarize the text. Be brief and kind.')?.names).toEqual(['summary'])
  expect(readSystemTask('You are a helpful assistant. Summarize the text.')).toBeUndefined()
})

describe('the text of a conversation', () => {
  test('is the last user message, with the task of the system prompt', () => {
    const question = readAnalysisRequest([
      { role: 'system', content: 'Keywords' },
      { role: 'user', content: 'First.' },
      { role: 'assistant', content: 'Answer.' },
      { role: 'user', content: 'Second.' },
    ])
    expect(question).toMatchObject({ text: 'Second.', task: { names: ['key_phrases'] } })
  })

  test('is the previous user message when the last one is only an instruction', () => {
    const question = readAnalysisRequest([
      { role: 'user', content: 'Sentiment: I like rain.' },
      { role: 'assistant', content: 'Answer.' },
      { role: 'user', content: 'Summarise it, please' },
    ])
    expect(question).toMatchObject({ text: 'I like rain.', task: { names: ['summary'] } })
  })

  test('is undefined without a user message', () => {
    expect(readAnalysisRequest([{ role: 'system', content: 'Summarise' }])).toBeUndefined()
  })
})
