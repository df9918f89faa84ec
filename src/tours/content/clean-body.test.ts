import { expect, test } from 'vitest'
import { cleanBody } from './clean-body.ts'

test('allowed HTML is unchanged', () => {
  const body =
    '<h3>Title</h3><p>Some <strong>strong</strong>, <em>soft</em>, <b>b</b>, <i>i</i> and <code>code</code>.<br />Next</p><h4>More</h4><pre>a\n  b</pre><ul><li>one</li></ul><ol><li>two</li></ol><blockquote>said</blockquote>'
  expect(cleanBody(body)).toBe(body)
})

test.each([
  'https://example.com/a?b=c#d',
  'http://example.com',
  'mailto:user@example.com',
  '/admin/content',
  'next-page?x=1',
  '#part',
])('a link to %s stays', (href) => {
  expect(cleanBody(`<a href="${href}" target="_blank" class="x">go</a>`)).toBe(`<a href="${href}">go</a>`)
})

test.each([
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://example.com',
  '//example.com',
  '/\\example.com',
  '\\\\example.com',
  'https:example.com',
  'tel:112',
])('a link to %j loses its href and keeps its text', (href) => {
  expect(cleanBody(`<a href="${href}">go</a>`)).toBe('<a>go</a>')
})

test('the text of unknown elements stays, that of scripts does not', () => {
  expect(cleanBody('<section><h1>Title</h1><table><tr><td>cell</td></tr></table></section>')).toBe(
    'Titlecell',
  )
  expect(cleanBody('a<script>b</script><style>c</style><textarea>d</textarea><iframe>e</iframe>f')).toBe('af')
})

test('plain text is written as HTML', () => {
  expect(cleanBody('1 < 2 & "so on"')).toBe('1 &lt; 2 &amp; "so on"')
})

test('control characters are removed', () => {
  expect(cleanBody('a\u0000b\u0008c\u001bd\u007fe\u0085f\tg\r\nh')).toBe('abcdef\tg\nh')
})

test('deeply nested elements are flattened', () => {
  const cleaned = cleanBody(`${'<ul><li>'.repeat(500)}deep`)
  expect(cleaned.length).toBeLessThan(500)
})
