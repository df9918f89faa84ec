import { describe, expect, test } from 'vitest'
import { readBody, writeBody } from './tour-calls.ts'

describe('the body of a step', () => {
  test.each([
    ['one line', 'Hello.', '<p>Hello.</p>'],
    ['paragraphs and lines', 'One.\nTwo.\n\nThree.', '<p>One.<br />Two.</p><p>Three.</p>'],
    ['words that stand out', 'A <strong>big</strong> one.', '<p>A <strong>big</strong> one.</p>'],
    ['an ampersand', 'Questions & answers &lt;3', '<p>Questions &amp; answers &lt;3</p>'],
    ['an entity that was meant as text', 'Write &amp;lt; for it', '<p>Write &amp;lt; for it</p>'],
    ['a list', '<ul>\n<li>One</li>\n</ul>', '<ul>\n<li>One</li>\n</ul>'],
    [
      'a list within a list',
      '<ul><li><ul><li>a</li></ul></li></ul>',
      '<ul><li><ul><li>a</li></ul></li></ul>',
    ],
    [
      'text around a list',
      'One\n\n<ul><li>Two</li></ul>\n\nThree',
      '<p>One</p><ul><li>Two</li></ul><p>Three</p>',
    ],
    ['code with a blank line', '<pre>a\n\nb</pre>', '<pre>a\n\nb</pre>'],
    ['nothing', '', ''],
  ])('converts to HTML and back: %s', (_what, text, html) => {
    expect(writeBody(text)).toBe(html)
    expect(readBody(html)).toBe(text)
  })

  test.each([
    '<p>a</p> <p>b<br>c\nd</p>',
    'plain <b>text</b>',
    '<p></p><p>a</p>',
    '<p>a</p>\n\n\n<p>b</p><h3>c</h3>text',
    '<p>open <blockquote>x</blockquote></p>',
    '<ul><li>never closed',
    '</p><p>',
    '<pre>\n<p>a</p>\n\n</pre>',
  ])('is the same after two round trips as after one: %j', (html) => {
    const once = writeBody(readBody(html))
    expect(writeBody(readBody(once))).toBe(once)
  })

  test('accepts any number of blank lines, and a list right below a line', () => {
    expect(writeBody('  a\r\n\r\n\n  b  \n<ol><li>c</li></ol>d')).toBe(
      '<p>a</p><p>b</p><ol><li>c</li></ol><p>d</p>',
    )
  })

  test('with fifty thousand tags is converted within the time limit', () => {
    const hostile = '<ul>'.repeat(50_000)
    const started = performance.now()
    writeBody(readBody(hostile))
    writeBody('\n<'.repeat(50_000))
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
