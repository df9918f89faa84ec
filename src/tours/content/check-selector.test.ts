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
    '[tabindex="0"] , [role=tab]',
    'li:nth-child( -n + 3 of .item, [hidden] )',
    ':NOT(:has(+ a, ~ b)):lang(de)',
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
    ['[tabindex=0]', 'read on at [tabindex=0]'],
    ['[1a]', 'read on at [1a]'],
    ['[type="a" s]', 'read on at [type="a" s]'],
    ['[a!=b]', 'read on at [a!=b]'],
    ['.w-[10px]', 'read on at [10px]'],
    ['1', 'read on at 1'],
    ['a #-', 'read on at #-'],
    ['-->b', 'read on at -->b'],
    ['li:nth-child(second)', 'read on at second)'],
    ['li:nth-child', 'read on at :nth-child'],
    ['li:nth-child(2 of :first)', 'read on at :first'],
    ['li:nth-of-type(2 of a)', 'read on at of a)'],
    ['a:first-child(2)', 'read on at :first-child(2)'],
    [':lang("de")', 'read on at "de")'],
    [':has(a:not(:has(b)))', 'read on at :has(b)))'],
  ])('%s, with a reason that says %s', (selector, reason) => {
    expect(checkSelector(selector)).toContain(reason)
  })
})

test('however a selector is written, it is judged at once', () => {
  const began = performance.now()
  for (const part of ['\\aaaaaa', '\\a ', ':is(', '[a="', '"', ' ', '--', 'n+', ':nth-child(n of a', '\\"']) {
    checkSelector(`a${part.repeat(Math.floor(990 / part.length))}!=`)
    checkSelector(`[${part.repeat(Math.floor(990 / part.length))}`)
  }
  expect(performance.now() - began).toBeLessThan(5_000)
})
