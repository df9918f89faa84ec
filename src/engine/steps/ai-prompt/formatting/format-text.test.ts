import * as fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import { formatText } from './format-text.ts'

async function format(
  source: string,
  wanted: 'markdown' | 'html' | 'plain_text',
  more: { withContents?: boolean; withCharts?: boolean } = {},
): Promise<string> {
  const { text } = await formatText(source, {
    format: wanted,
    withContents: false,
    withCharts: false,
    ...more,
  })
  return text
}

const markdown = `# Tea & rain

Green **tea** and *rain*, see [a page](https://tea.example/a_b?x=1) or \`code\`.\\
Second line.

- one
- two
  1. deep
- three

> quoted

\`\`\`js
if (a < b) run()
\`\`\`

---

| Cup | Price |
|-----|------:|
| small | $1.50 |
| large | $3 |

## How to

Pour.`

describe('Markdown', () => {
  test('is converted to HTML', async () => {
    expect(await format(markdown, 'html')).toBe(
      [
        '<h1 id="tea--rain">Tea &amp; rain</h1>',
        '<p>Green <strong>tea</strong> and <em>rain</em>, see <a href="https://tea.example/a_b?x=1" rel="nofollow noopener">a page</a> or <code>code</code>.<br>Second line.</p>',
        '<ul>\n<li>one</li>\n<li>two\n<ol>\n<li>deep</li>\n</ol></li>\n<li>three</li>\n</ul>',
        '<blockquote>\n<p>quoted</p>\n</blockquote>',
        '<pre><code class="language-js">if (a &lt; b) run()</code></pre>',
        '<hr>',
        '<table>\n<thead>\n<tr><th>Cup</th><th>Price</th></tr>\n</thead>\n<tbody>\n<tr><td>small</td><td>$1.50</td></tr>\n<tr><td>large</td><td>$3</td></tr>\n</tbody>\n</table>',
        '<h2 id="how-to">How to</h2>',
        '<p>Pour.</p>',
      ].join('\n'),
    )
  })

  test('is converted to plain text', async () => {
    expect(await format(markdown, 'plain_text')).toBe(
      [
        'Tea & rain',
        'Green tea and rain, see a page or code.\nSecond line.',
        '- one\n- two\n  1. deep\n- three',
        'quoted',
        'if (a < b) run()',
        'Cup\tPrice\nsmall\t$1.50\nlarge\t$3',
        'How to',
        'Pour.',
      ].join('\n\n'),
    )
  })

  test('is unchanged when it is formatted again', async () => {
    const once = await format(markdown, 'markdown')
    expect(once).toContain('Green **tea** and *rain*, see [a page](https://tea.example/a_b?x=1) or `code`.')
    expect(await format(once, 'markdown')).toBe(once)
    expect(await format(once, 'html')).toBe(await format(markdown, 'html'))
  })

  test('keeps literal special characters', async () => {
    const text = '\\# no heading\n\n2 \\* 3 \\* 4, snake_case, \\[x\\], \\<b>, 1\\. no list'
    const html = '<p># no heading</p>\n<p>2 * 3 * 4, snake_case, [x], &lt;b&gt;, 1. no list</p>'
    expect(await format(text, 'html')).toBe(html)
    expect(await format(await format(text, 'markdown'), 'html')).toBe(html)
  })
})

describe('HTML', () => {
  const html = `<!doctype html><html><head><title>No</title><style>p{}</style></head><body onload="x()">
    <h1 class="a">Tea &amp; rain</h1><p>Green <b>tea</b>,<br>and <a href="https://tea.example" onclick="x()">more</a>.
    <ul><li>one<li>two<ol><li>deep</ol></ul>
    <table><tr><th>Cup<th>Price</tr><tr><td>small<td></tr></table>
    <pre>a &lt; b</pre><script>alert(1)</script><p>End</body></html>`

  test('is converted to Markdown', async () => {
    expect(await format(html, 'markdown')).toBe(
      [
        '# Tea & rain',
        'Green **tea**,\\\nand [more](https://tea.example).',
        '- one\n- two\n  1. deep',
        '| Cup | Price |\n| --- | --- |\n| small |  |',
        '```\na < b\n```',
        'End',
      ].join('\n\n'),
    )
  })

  test('is rewritten without scripts, styles and event handlers', async () => {
    const written = await format(html, 'html')
    expect(written).toContain('<h1 id="tea--rain">Tea &amp; rain</h1>')
    expect(written).toContain('<td>small</td><td></td>')
    expect(written).not.toMatch(/script|style|onclick|onload|class|alert/)
  })
})

describe('hostile markup', () => {
  test.each([
    '[x](javascript:alert(1))',
    '[x](<java\tscript:alert(1)>)',
    '[x](JAVASCRIPT:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '![x](vbscript:x)',
    '[x](//evil.example)',
    'a <img src=x onerror=alert(1)> b',
    '<script>alert(1)</script>\n\ntext',
    '<p><a href="java&#10;script:alert(1)">x</a></p>',
    '<p><a href=" javascript:alert(1)">x</a><img src="javascript:x" alt="y"></p>',
    '<div><svg><script>alert(1)</script></svg><p>x</p></div>',
    '<p>x</p><iframe src="https://evil.example"></iframe>',
    '```"><script>\nx\n```',
    '[x](https://a.example/"onmouseover="alert(1))',
  ])('%s leaves no active content', async (source) => {
    for (const wanted of ['html', 'markdown'] as const) {
      const written = await format(await format(source, wanted), 'html')
      expect(written).not.toMatch(
        /<script|<iframe|<svg|(?:href|src)="(?!https?:|#)|="[^"]*" on\w+=|<[^>]*\son\w+=/i,
      )
      expect(written).not.toContain('evil.example')
    }
  })

  test.each([
    ['deep lists', '- '.repeat(2_500)],
    ['deep quotes', '>'.repeat(5_000)],
    ['stars', '*a '.repeat(12_500)],
    ['brackets', '['.repeat(12_500)],
    ['open tags', `<div>${'<ul><li>'.repeat(12_500)}</div>`],
    ['bold in bold', `<p>${'<b>'.repeat(12_500)}x</p>`],
    ['rows of dashes', '| - '.repeat(5_000)],
    ['a fence that is not closed', `\`\`\`\n${'x\n\n'.repeat(12_500)}`],
  ])('is formatted quickly: %s', async (_name, source) => {
    const before = process.cpuUsage()
    for (const wanted of ['html', 'markdown', 'plain_text'] as const) await format(source, wanted)
    // Processor time does not depend on the load of the machine: at most 0.2 s was measured.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1500)
  })
})

/** Texts built from the characters and tokens of markup. */
function hostileTexts(): fc.Arbitrary<string> {
  const pieces =
    '< > " \' ` `` * _ [ ] ( ) ! & ; : / \\ | = a b1 javascript: https://a.example on=x <p> </p> <a\u0020href=" <li> <table><td> <script> </script> <b> <!-- --> <pre> <code> &lt; &#x6a; ``` ---'.split(
      ' ',
    )
  const part = fc.constantFrom(...pieces, ' ', '\n', '\n\n', '- ', '# ', '> ', '1. ')
  return fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''))
}

test('for any text, the HTML contains only generated markup', async () => {
  const ours =
    /^<(?:\/?(?:h[1-6]|p|pre|code|blockquote|ul|ol|li|table|thead|tbody|tr|th|td|strong|em|a)|hr|br|h[1-6] id="[^"<>]*"|ol start="\d+"|code class="language-[^"<>]*"|a href="[^"<>]*" rel="nofollow noopener"|img src="[^"<>]*" alt="[^"<>]*")>$/
  await fc.assert(
    fc.asyncProperty(hostileTexts(), async (given) => {
      const html = await format(given, 'html', { withContents: true, withCharts: true })
      for (const [tag] of html.matchAll(/<[^>]*>?/g)) expect(tag).toMatch(ours)
      expect(html).not.toMatch(/(?:href|src)="(?!https?:|mailto:|tel:|#)[^"]*:/)
      await format(given, 'plain_text')
    }),
    { numRuns: 300 },
  )
})

test('for any text, the Markdown contains no HTML and no unsafe link', async () => {
  const walk = (node: ReturnType<typeof fromMarkdown>['children'][number]): void => {
    expect(node.type).not.toBe('html')
    if (node.type === 'link' || node.type === 'image') expect(node.url).toMatch(/^(?:https?:|#|[^:]*$)/)
    if ('children' in node) for (const child of node.children) walk(child)
  }
  await fc.assert(
    fc.asyncProperty(hostileTexts(), async (given) => {
      const written = await format(given, 'markdown', { withContents: true, withCharts: true })
      for (const node of fromMarkdown(written).children) walk(node)
    }),
    { numRuns: 500 },
  )
})

test('a long list stays one list', async () => {
  const items = Array.from({ length: 300 }, (_, index) => `- item ${index} with some words`)
  const written = await format(items.join('\n'), 'html')
  expect(written.match(/<ul>/g)).toHaveLength(1)
  expect(written.match(/<li>/g)).toHaveLength(300)
})

describe('a table of contents', () => {
  const text = '# Tea\n\n## Green\n\nx\n\n## Black\n\n### Assam\n\n## Green\n\ny'

  test('links to the headings of Markdown', async () => {
    expect(await format(text, 'markdown', { withContents: true })).toMatch(
      '- [Tea](#tea)\n  - [Green](#green)\n  - [Black](#black)\n    - [Assam](#assam)\n  - [Green](#green-1)\n\n# Tea',
    )
  })

  test('links to the headings of HTML', async () => {
    const written = await format(text, 'html', { withContents: true })
    const targets = [...written.matchAll(/href="#([^"]+)"/g)].map(([, name]) => name)
    expect(targets).toEqual(['tea', 'green', 'black', 'assam', 'green-1'])
    for (const name of targets) expect(written).toContain(`id="${name}"`)
  })

  test('is omitted without headings', async () => {
    expect(await format('Just text.', 'markdown', { withContents: true })).toBe('Just text.')
  })
})

describe('charts', () => {
  const table = '| Cup | Note | Price |\n|---|---|---|\n| small | a | $1,500.50 |\n| large | b | 3001 |'

  test('show the numbers of a table below it', async () => {
    const { text, charts } = await formatText(table, {
      format: 'markdown',
      withContents: false,
      withCharts: true,
    })
    expect(charts).toBe(1)
    expect(text).toContain(`Price\n\nsmall ${'█'.repeat(15)} 1500.5\nlarge ${'█'.repeat(30)} 3001`)
  })

  test('are not drawn for tables without numbers', async () => {
    const words = '| Cup | Note |\n|---|---|\n| small | a |'
    expect(await format(words, 'html', { withCharts: true })).not.toContain('<pre>')
  })
})
