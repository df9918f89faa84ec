import { describe, expect, test } from 'vitest'
import { readMarkdown, readSpans } from './read-markdown.ts'

describe('readMarkdown', () => {
  test('tells headings, lists, quotes, code, tables and paragraphs apart', () => {
    const text = [
      '# Title',
      '',
      'A line',
      'and another.',
      '',
      '- one',
      '  - inside',
      '  goes on',
      '2. two',
      '> said',
      '>',
      '> twice',
      '```ts',
      '# no heading',
      '```',
      '| a | b |',
    ].join('\n')
    expect(readMarkdown(text)).toEqual([
      { line: 0, kind: 'heading', level: 1, text: 'Title' },
      { line: 2, kind: 'paragraph', text: 'A line\nand another.' },
      {
        line: 5,
        kind: 'list',
        items: [
          { line: 5, marker: '•', depth: 0, text: 'one' },
          { line: 6, marker: '•', depth: 1, text: 'inside\ngoes on' },
          { line: 8, marker: '2.', depth: 0, text: 'two' },
        ],
      },
      { line: 9, kind: 'quote', text: 'said\n\ntwice' },
      { line: 12, kind: 'code', text: '# no heading' },
      { line: 15, kind: 'code', text: '| a | b |' },
    ])
  })

  test('reads code whose end is still to come', () => {
    expect(readMarkdown('So:\n```\nconst a =')).toMatchObject([
      { kind: 'paragraph', text: 'So:' },
      { kind: 'code', text: 'const a =' },
    ])
  })

  test('takes nothing for what it is not', () => {
    expect(readMarkdown('#hashtag\n-5 degrees\n1.5 litres')).toEqual([
      { line: 0, kind: 'paragraph', text: '#hashtag\n-5 degrees\n1.5 litres' },
    ])
  })
})

describe('readSpans', () => {
  test('sets what is marked, and leaves the rest as it came', () => {
    expect(
      readSpans('a **b** `c*d*` _e_ *f* snake_case 2 * 3 * 4').map(({ kind, text }) => [kind, text]),
    ).toEqual([
      ['text', 'a '],
      ['strong', 'b'],
      ['text', ' '],
      ['code', 'c*d*'],
      ['text', ' '],
      ['emphasis', 'e'],
      ['text', ' '],
      ['emphasis', 'f'],
      ['text', ' snake_case 2 * 3 * 4'],
    ])
  })

  test('takes no longer for marks without end than for anything else', () => {
    const started = performance.now()
    for (const mark of ['`', '*', '**', '_ ', '* a']) readSpans(mark.repeat(100_000))
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
