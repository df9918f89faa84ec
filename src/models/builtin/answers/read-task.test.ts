import { describe, expect, test } from 'vitest'
import { readQuestion } from './read-question.ts'
import { readInstruction, readStandingTask } from './read-task.ts'

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

  test('says how many', () => {
    expect(readInstruction('Summarise in 2 sentences: x')?.task.most).toBe(2)
    expect(readInstruction('List the top three keywords: x')?.task.most).toBe(3)
    expect(readInstruction('Summarise in 900 sentences: x')?.task.most).toBe(20)
  })

  test('names a keyword', () => {
    expect(readInstruction('SEO check for the keyword "green tea": x')).toEqual({
      task: { names: ['seo'], most: undefined, keyword: 'green tea' },
      text: 'x',
    })
  })
})

test('a system prompt says it in its first sentence', () => {
  expect(readStandingTask('Summarize the text. Be brief and kind.')?.names).toEqual(['summary'])
  expect(readStandingTask('You are a helpful assistant. Summarize the text.')).toBeUndefined()
})

describe('the text of a conversation', () => {
  test('is the last user message, with the task of the system prompt', () => {
    const question = readQuestion([
      { role: 'system', content: 'Keywords' },
      { role: 'user', content: 'First.' },
      { role: 'assistant', content: 'Answer.' },
      { role: 'user', content: 'Second.' },
    ])
    expect(question).toMatchObject({ text: 'Second.', task: { names: ['key_phrases'] } })
  })

  test('is the one before when the last is an instruction alone', () => {
    const question = readQuestion([
      { role: 'user', content: 'Sentiment: I like rain.' },
      { role: 'assistant', content: 'Answer.' },
      { role: 'user', content: 'Summarise it, please' },
    ])
    expect(question).toMatchObject({ text: 'I like rain.', task: { names: ['summary'] } })
  })

  test('is nowhere without a user', () => {
    expect(readQuestion([{ role: 'system', content: 'Summarise' }])).toBeUndefined()
  })
})
