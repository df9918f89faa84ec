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
    'my-app >>> #menu >>> [aria-label="a >>> b"]',
  ])('%s', (selector) => {
    expect(checkSelector(selector)).toBeUndefined()
  })
})

describe('an invalid selector is refused', () => {
  test.each([
    ['p::before', 'pseudo-element'],
    ['>>> a', 'both sides of >>>'],
    ['a >>> ', 'both sides of >>>'],
    ['my-app >>> #1abc', 'digit'],
    [Array.from({ length: 9 }, () => 'a').join(' >>> '), 'at most 8 parts'],
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
    ['[tabindex=0]', 'cannot parse it from [tabindex=0]'],
    ['[1a]', 'cannot parse it from [1a]'],
    ['[type="a" s]', 'cannot parse it from [type="a" s]'],
    ['[a!=b]', 'cannot parse it from [a!=b]'],
    ['.w-[10px]', 'cannot parse it from [10px]'],
    ['1', 'cannot parse it from 1'],
    ['a #-', 'cannot parse it from #-'],
    ['-->b', 'cannot parse it from -->b'],
    ['li:nth-child(second)', 'cannot parse it from second)'],
    ['li:nth-child', 'cannot parse it from :nth-child'],
    ['li:nth-child(2 of :first)', 'cannot parse it from :first'],
    ['li:nth-of-type(2 of a)', 'cannot parse it from of a)'],
    ['a:first-child(2)', 'cannot parse it from :first-child(2)'],
    [':lang("de")', 'cannot parse it from "de")'],
    [':has(a:not(:has(b)))', 'cannot parse it from :has(b)))'],
  ])('%s, with a reason that says %s', (selector, reason) => {
    expect(checkSelector(selector)).toContain(reason)
  })
})

test('no selector takes long to check', () => {
  const before = process.cpuUsage()
  for (const part of ['\\aaaaaa', '\\a ', ':is(', '[a="', '"', ' ', '--', 'n+', ':nth-child(n of a', '\\"']) {
    checkSelector(`a${part.repeat(Math.floor(990 / part.length))}!=`)
    checkSelector(`[${part.repeat(Math.floor(990 / part.length))}`)
  }
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5_000)
})
