import { expect, test } from 'vitest'
import { longestLine } from './markdown-lines.ts'
import { markdownPieces } from './markdown-pieces.ts'

const hostile: Readonly<Record<string, string>> = {
  'a long line': 'x'.repeat(20_000),
  'a long line of words': 'word '.repeat(5000),
  'a line of brackets': '['.repeat(20_000),
  'nested items in one line': '1. '.repeat(5000),
  'many short blocks': 'a\n-\n'.repeat(5000),
  'emoji without a blank': '😀'.repeat(10_000),
  'an open comment': `<!--\n${'# a\n\n'.repeat(3000)}`,
}

test.each(Object.entries(hostile))('%s comes in pieces of a bounded size, and whole', (_name, source) => {
  const pieces = [...markdownPieces(source)]
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.map(({ text }) => text).join('')).toBe(source)
  for (const { text, markers } of pieces) {
    expect(text.length).toBeLessThanOrEqual(longestLine.chars)
    expect(markers).toBeLessThanOrEqual(longestLine.markers)
    expect(text.isWellFormed()).toBe(true)
  }
})

test('a piece ends before a heading or a paragraph when it can', () => {
  const section = `## Heading\n\n${'Some words. '.repeat(60)}\n\nA second paragraph.\n\n`
  const pieces = [...markdownPieces(section.repeat(20))]
  expect(pieces.length).toBeGreaterThan(3)
  for (const { text, glue } of pieces) {
    expect(glue).toBeUndefined()
    expect(text).toMatch(/^(?:## Heading|Some words|A second)/)
  }
})

test('a cut says what stood there', () => {
  const [, afterBlank] = markdownPieces('word '.repeat(2000))
  const [, insideWord] = markdownPieces('x'.repeat(10_000))
  expect(afterBlank?.glue).toBe(' ')
  expect(insideWord?.glue).toBe('')
})

test('what stands in a fence is left out, and a fence that is never closed goes to the end', () => {
  expect([...markdownPieces('a\n```js\ncode\n~~~\n```\nb')].map(({ text }) => text)).toEqual([
    'a\n```js\n```\nb',
  ])
  expect([...markdownPieces('a\n~~~\ncode\n```\nb')].map(({ text }) => text)).toEqual(['a\n~~~\n'])
})
