import { describe, expect, test } from 'vitest'
import { type Mark, markText } from '../steps/StepEditor.tsx'

/** Marks a text in which `[` and `]` enclose the selection. */
function mark(shown: string, how: Mark): string {
  const start = shown.indexOf('[')
  const end = shown.indexOf(']') - 1
  const { text, start: from, end: to } = markText({ text: shown.replace(/[[\]]/g, ''), start, end }, how)
  return `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`
}

describe('marking a text', () => {
  test.each<[string, Mark, string]>([
    ['a [big] one', 'strong', 'a <strong>[big]</strong> one'],
    ['a [] one', 'em', 'a <em>[emphasis]</em> one'],
    ['[x]', 'code', '<code>[x]</code>'],
    ['see [here]', 'link', 'see <a href="[https://]">here</a>'],
    ['[one\ntwo]', 'list', '<ul>\n<li>[one</li>\n<li>two]</li>\n</ul>'],
    ['before[one]after', 'list', 'before\n\n<ul>\n<li>[one]</li>\n</ul>\n\nafter'],
    ['before\n\n[]\n\nafter', 'list', 'before\n\n<ul>\n<li>[First]</li>\n</ul>\n\nafter'],
  ])('%j as %s gives %j', (shown, how, marked) => {
    expect(mark(shown, how)).toBe(marked)
  })
})
