import { describe, expect, test } from 'vitest'
import { isAllowedLink, parseHtml, toBlocks, withoutMedia, writeHtml } from './rich-text.ts'

const clean = (html: string) => writeHtml(toBlocks(parseHtml(html)))

describe('a body that the platform stored', () => {
  test.each([
    '<p>One &amp; &lt;two&gt; "three"</p><p>Four<br />five</p>',
    '<p>A <strong>big</strong>, <em>small</em> <code>x</code> <a href="/a?b=1&amp;c=%22">link</a>.</p>',
    '<h3>Title</h3><ul><li>One<ul><li>Inner</li></ul></li><li>Two</li></ul><ol><li>First</li></ol><h4>End</h4>',
    '<pre>a\n  b</pre><blockquote><p>Said</p></blockquote>',
    '<table><tbody><tr><td>1</td></tr></tbody></table>',
    '<p>سلام \u200d 😀</p>',
    '',
  ])('is the same after it was edited: %s', (html) => {
    expect(clean(html)).toBe(html)
  })
})

describe('content of the editor', () => {
  test.each([
    ['text without a paragraph', 'Hello', '<p>Hello</p>'],
    [
      'lines as browsers make them',
      'One<div>Two</div><div><br></div><p>Three<br></p>',
      '<p>One</p><p>Two</p><p>Three</p>',
    ],
    ['bold and italic', '<p><b>a</b><i>b</i></p>', '<p><strong>a</strong><em>b</em></p>'],
    ['a list in a paragraph', '<p>a<ul><li>b</li></ul>c</p>', '<p>a</p><ul><li>b</li></ul><p>c</p>'],
    [
      'a list between items',
      '<ul><li>a</li><ul><li>b</li></ul></ul>',
      '<ul><li>a<ul><li>b</li></ul></li></ul>',
    ],
    ['an empty editor', '<p><br></p>', ''],
    ['paragraphs in an item', '<ul><li><p>a</p><p>b</p></li></ul>', '<ul><li>a<br />b</li></ul>'],
  ])('becomes a body: %s', (_what, html, expected) => {
    expect(clean(html)).toBe(expected)
  })
})

describe('pasted content', () => {
  test.each([
    [
      'scripts and handlers',
      '<p onclick="x()">a<script>alert(1)</script><img src=x onerror=y></p>',
      '<p>a</p>',
    ],
    [
      'a document',
      '<!doctype html><html><head><title>T</title><style>p{}</style></head><body><!-- x --><h1>A</h1>b</body></html>',
      '<h3>A</h3><p>b</p>',
    ],
    [
      'links that are not allowed',
      '<a href="javascript:x()">a</a> <a href="//evil">b</a> <a href="https://ok.example/">c</a>',
      '<p>a b <a href="https://ok.example/">c</a></p>',
    ],
    ['styled text', '<span style="color:red" class="x">a <font size=7>b</font></span>', '<p>a b</p>'],
    ['unclosed elements', '<p>a<p>b<ul><li>c<li>d', '<p>a</p><p>b</p><ul><li>c</li><li>d</li></ul>'],
    ['a lone angle bracket', 'a < b &copy; &#128512; &unknown;', '<p>a &lt; b © 😀 &amp;unknown;</p>'],
    ['indentation', '\n  <p>\n    a\n    b\n  </p>\n', '<p>a b</p>'],
  ])('is reduced to what a body can have: %s', (_what, html, expected) => {
    expect(writeHtml(toBlocks(withoutMedia(parseHtml(html))))).toBe(expected)
  })

  test('of any nesting is read within the time limit', () => {
    const before = process.cpuUsage()
    clean('<div>'.repeat(20_000) + 'x')
    clean('<a "'.repeat(20_000))
    clean('<'.repeat(20_000))
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5_000)
  })
})

test.each([
  ['https://example.com', true],
  ['mailto:a@example.com', true],
  ['/terms', true],
  ['#part', true],
  ['javascript:alert(1)', false],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['data:text/html,x', false],
  ['https://', false],
])('the link %s is allowed: %s', (href, expected) => {
  expect(isAllowedLink(href)).toBe(expected)
})
