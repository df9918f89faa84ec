import { describe, expect, test } from 'vitest'
import { checkSelector } from './check-selector.ts'

describe('a selector that browsers accept', () => {
  test.each([
    'main',
    '*',
    '#edit-title-0-value',
    '.a.b > .c + d ~ e f',
    '[data-tour="save"]',
    "input[name='title[0][value]']",
    'a[href$="/node/add" i]',
    '[aria-label="Say \\"hello\\""]',
    'li:nth-child(2n+1):not(.x, .y)',
    ':is(h1, h2):has(> a)',
    'tr:first-of-type td:last-child',
    'a:any-link',
    '#\\31 23',
    '.md\\:w-1\\/2',
    '#überschrift',
    '.-moz-thing',
    '._private',
    '--custom-element, b',
    '*|circle',
    '[title="a > b { c } ; <d>"]',
    '[href="/a#1"]',
    'a[href^="https://example.com/?q=1&x=2"]',
  ])('%s', (selector) => {
    expect(checkSelector(selector)).toBeUndefined()
  })
})

describe('what is refused', () => {
  test.each([
    ['p::before', 'pseudo-element'],
    ['a:contains("x")', ':contains'],
    ['li:eq(2)', ':eq'],
    ['#1abc', 'digit'],
    ['a.2b', 'digit'],
    ['a >', 'combinator'],
    ['> a', 'combinator'],
    ['a < b', '<'],
    [':not(> a)', 'combinator'],
    [':is(p::after)', 'pseudo-element'],
    ['svg|circle', 'namespace'],
    ['[xlink|href]', 'namespace'],
    ['.a b*', 'come first'],
  ])('%s, with a reason that says %s', (selector, reason) => {
    expect(checkSelector(selector)).toContain(reason)
  })
})
