import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Pieces, splitMarkdown } from './Markdown.tsx'

/** Renders a text to HTML without styling attributes. */
function render(text: string): string {
  return renderToStaticMarkup(createElement(Pieces, { text })).replaceAll(
    / (?:class|tabindex|role|data-level|target|rel|scope)="[^"]*"/g,
    '',
  )
}

/** The minimum processor time of five calls: wall time includes other processes, and the first call compiles. */
function processorMs(work: () => unknown): number {
  const times = [1, 2, 3, 4, 5].map(() => {
    const before = process.cpuUsage()
    work()
    return process.cpuUsage(before).user / 1000
  })
  return Math.min(...times)
}

describe('Markdown', () => {
  test('renders headings, paragraphs, emphasis, quotes and rules', () => {
    expect(render('# Title\n\nA *b* **c** `d*e*`\nsnake_case 2 * 3 * 4\n\n> said\n>\n> twice\n\n---')).toBe(
      '<p>Title</p><p>A <em>b</em> <strong>c</strong> <code>d*e*</code>\nsnake_case 2 * 3 * 4</p>' +
        '<blockquote><p>said</p><p>twice</p></blockquote><hr/>',
    )
    expect(render('#hashtag\n-5 degrees\n1.5 litres')).toBe('<p>#hashtag\n-5 degrees\n1.5 litres</p>')
  })

  test('renders nested lists, and numbers them as written', () => {
    expect(render('Steps:\n\n3. one\n   - inside\n\n4. two')).toBe(
      '<p>Steps:</p><ol start="3"><li><p>one</p><ul><li><p>inside</p></li></ul></li><li><p>two</p></li></ol>',
    )
  })

  test('renders code, in and outside of a list', () => {
    expect(render('So:\n```ts\n# no **heading**\n\n| a |\n```\nDone.')).toBe(
      '<p>So:</p><pre aria-label="Code"># no **heading**\n\n| a |</pre><p>Done.</p>',
    )
    expect(render('- run\n\n  ```\n  npm start\n\n  npm test\n  ```\n- look')).toBe(
      '<ul><li><p>run</p><pre aria-label="Code">npm start\n\nnpm test</pre></li><li><p>look</p></li></ul>',
    )
  })

  test('renders tables', () => {
    expect(render('Prices:\n| Model | $ |\n|:--|--:|\n| **a** \\| b | 1 |\n| c |\n\nEnd.')).toBe(
      '<p>Prices:</p><div aria-label="Table"><table><thead><tr><th data-align="left">Model</th>' +
        '<th data-align="right">$</th></tr></thead><tbody><tr><td data-align="left"><strong>a</strong> | b</td>' +
        '<td data-align="right">1</td></tr><tr><td data-align="left">c</td><td colSpan="1"></td></tr>' +
        '</tbody></table></div><p>End.</p>',
    )
    expect(render('a | b\nno table')).toBe('<p>a | b\nno table</p>')
  })

  test('links only to web pages and e-mail addresses, and loads no images', () => {
    expect(render('[a](https://a.test/) [b](mailto:b@b.test) [c](javascript:alert(1)) [d](/api-keys)')).toBe(
      '<p><a href="https://a.test/">a</a> <a href="mailto:b@b.test">b</a> c d</p>',
    )
    expect(render('![logo](https://a.test/logo.png) ![x](data:image/png;base64,AA)')).toBe(
      '<p><a href="https://a.test/logo.png">logo</a> x</p>',
    )
    expect(render('<img src=x onerror=alert(1)>\n\na <b>c</b>')).toBe(
      '<p>&lt;img src=x onerror=alert(1)&gt;</p><p>a &lt;b&gt;c&lt;/b&gt;</p>',
    )
  })
})

describe('a streaming answer', () => {
  const answer =
    '# Title\n\nSome *text*.\n\n- one\n- two\n\n```\ncode\n\nmore\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.'

  test('renders code and lists before their end has arrived', () => {
    expect(render('So:\n```\nconst a =')).toBe('<p>So:</p><pre aria-label="Code">const a =</pre>')
    expect(render('- one\n- **tw')).toBe('<ul><li><p>one</p></li><li><p>**tw</p></li></ul>')
  })

  test('changes only its last pieces, so the others are not parsed again', () => {
    let before = splitMarkdown('')
    for (let length = 1; length <= answer.length; length += 1) {
      const pieces = splitMarkdown(answer.slice(0, length))
      const settled = before.slice(0, -2)
      expect(pieces.slice(0, settled.length)).toEqual(settled)
      before = pieces
    }
    expect(before.map(({ kind }) => kind)).toEqual([
      'markdown',
      'markdown',
      'markdown',
      'code',
      'table',
      'markdown',
    ])
  })
})

describe('hostile text', () => {
  const patterns = [
    ' *a_',
    '*a ',
    '*a**b***c',
    '_*a',
    '**',
    '[',
    '![',
    '[a](',
    '[a][',
    '[*a_',
    '<',
    '<a ',
    '`',
    '`a``b',
    '\\',
    '&amp;',
    '> ',
    '- ',
    '1. ',
    '> - ',
    '+ - ',
    '\n>',
    '\n- ',
    '\n\t',
    'a\n',
    'a  \n',
    '[a]: b\n',
    '- a\n  - b\n',
    '|',
    '| a ',
    '|-',
    '\n|-|',
    '|*a_|\n|-|\n',
    '```\n',
    `${'`'.repeat(9000)}x\`\n`,
    '~~~',
    '\n\n',
    ' ',
    '\t',
    '#',
  ]

  test.each(patterns)('%j takes less than 100 ms of processor time', (pattern) => {
    const text = pattern.repeat(20_000 / pattern.length)
    const pieces = splitMarkdown(text)
    expect(processorMs(() => splitMarkdown(text))).toBeLessThan(100)
    // React yields between two pieces, so the longest piece is how long the page is unresponsive.
    const parsed = new Set(pieces.flatMap((piece) => (piece.kind === 'markdown' ? piece.text : [])))
    for (const piece of parsed) expect(processorMs(() => render(piece))).toBeLessThan(100)
  })

  test('is rendered as plain text when it has too many markers', () => {
    expect(splitMarkdown(' *a_'.repeat(5000))).toMatchObject([{ kind: 'plain' }])
    expect(splitMarkdown('> '.repeat(50))).toMatchObject([{ kind: 'plain' }])
    const kinds = splitMarkdown(`${'*a* '.repeat(40)}\n\n`.repeat(200)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'markdown')).toHaveLength(125)
  })

  test('renders a long list as a list', () => {
    const kinds = splitMarkdown('1. **Title**: some `code` and text\n'.repeat(500)).map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['markdown']))
  })
})
