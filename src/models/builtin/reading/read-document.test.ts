import { describe, expect, test } from 'vitest'
import { createPacer } from './pacer.ts'
import { markdownPieces, maxLineLength, readDocument } from './read-document.ts'

const read = (source: string, format?: 'markdown' | 'html') =>
  readDocument(source, { format, pacer: createPacer() })

describe('Markdown', () => {
  test('is parsed to headings, paragraphs and items without markup', async () => {
    const { passages, headings, lists } = await read(
      'Title\n=====\n\nSome *plain* text with `code`\non two lines.\n\n## Next ##\n\n- one\n- [x] two\n  1. inner\n\n> quoted',
    )
    expect(headings).toEqual([
      { level: 1, text: 'Title' },
      { level: 2, text: 'Next' },
    ])
    expect(passages).toEqual([
      { kind: 'heading', text: 'Title' },
      { kind: 'paragraph', text: 'Some plain text with code on two lines.' },
      { kind: 'heading', text: 'Next' },
      { kind: 'item', text: 'one' },
      { kind: 'item', text: 'two' },
      { kind: 'item', text: 'inner' },
      { kind: 'paragraph', text: 'quoted' },
    ])
    expect(lists).toBe(2)
  })

  test('has links of every kind', async () => {
    const { links, passages } = await read(
      'An [inline](a.html "t"), a [named][One], <https://auto.example/>, bare https://bare.example/x. And <a href="h.html">html</a>.\n\n[one]: /one',
    )
    expect(links).toEqual([
      { text: 'inline', url: 'a.html' },
      { text: 'named', url: '/one' },
      { text: 'https://auto.example/', url: 'https://auto.example/' },
      { text: 'https://bare.example/x.', url: 'https://bare.example/x' },
      { text: 'html', url: 'h.html' },
    ])
    expect(passages).toHaveLength(1)
  })

  test('has images, with and without alternative text', async () => {
    const { images } = await read(
      '![a cup](cup.png) ![](bare.png) <img src="x.png"> <img src="y.png" alt="">',
    )
    expect(images).toEqual([
      { alt: 'a cup', url: 'cup.png' },
      { alt: null, url: 'bare.png' },
      { alt: null, url: 'x.png' },
      { alt: '', url: 'y.png' },
    ])
  })

  test('counts fenced code and excludes it from prose', async () => {
    const { codeBlocks, passages } = await read(
      'Before.\n\n```js\n# no heading\n\nno prose\n```\n\n~~~\n```\n~~~\n\nAfter.',
    )
    expect(codeBlocks).toBe(2)
    expect(passages.map(({ text }) => text)).toEqual(['Before.', 'After.'])
  })

  test('treats indented lines as prose', async () => {
    const { passages, codeBlocks } = await read('    It was a dark night.\n\n    The dog slept.')
    expect(passages.map(({ text }) => text)).toEqual(['It was a dark night.', 'The dog slept.'])
    expect(codeBlocks).toBe(0)
  })

  test('has tables with pipes', async () => {
    const { tables, passages } = await read(
      'Prices:\n| what | how much |\n|:--|--:|\n| tea | **2** |\n\na | b\nno | table',
    )
    expect(tables).toBe(1)
    expect(passages).toEqual([
      { kind: 'paragraph', text: 'Prices:' },
      { kind: 'cell', text: 'what' },
      { kind: 'cell', text: 'how much' },
      { kind: 'cell', text: 'tea' },
      { kind: 'cell', text: '2' },
      { kind: 'paragraph', text: 'a | b no | table' },
    ])
  })

  test('has its title in its front matter', async () => {
    const { title, description, passages } = await read(
      '---\ntitle: "A day out"\ndescription: Rain.\ntags:\n  - x\n---\nText.',
    )
    expect({ title, description }).toEqual({ title: 'A day out', description: 'Rain.' })
    expect(passages).toEqual([{ kind: 'paragraph', text: 'Text.' }])
  })

  test('that only starts with a dashed line has no front matter', async () => {
    const { title, passages } = await read('---\nJust a text.\n\n---\nmore')
    expect(title).toBeNull()
    expect(passages.map(({ text }) => text)).toEqual(['Just a text.', 'more'])
  })

  test('is parsed the same with any line ending', async () => {
    const source = '# One\n\nTwo\nthree\n\n- four'
    const expected = await read(source)
    expect(await read(source.replaceAll('\n', '\r\n'))).toEqual(expected)
    expect(await read(`\uFEFF${source.replaceAll('\n', '\r')}`)).toEqual(expected)
  })

  test('in several pieces is parsed as one document', async () => {
    const items = Array.from({ length: 400 }, (_, index) => `- item ${index} with a [link][there]`)
    const source = `# Long\n\n${items.join('\n')}\n\n${'A long paragraph of words. '.repeat(400)}\n\n## End\n\n[there]: /there`
    const { lists, links, headings, passages, complete } = await read(source)
    expect(lists).toBe(1)
    expect(links).toHaveLength(400)
    expect(new Set(links.map(({ url }) => url))).toEqual(new Set(['/there']))
    expect(headings).toHaveLength(2)
    expect(passages.filter(({ kind }) => kind === 'item')).toHaveLength(400)
    const paragraphs = passages.filter(({ kind }) => kind === 'paragraph')
    expect(paragraphs).toEqual([
      { kind: 'paragraph', text: 'A long paragraph of words. '.repeat(400).trim() },
    ])
    expect(complete).toBe(true)
  })

  test('above the marker limit is plain text from there on', async () => {
    // Closing brackets are the markers that are parsed fastest.
    const { complete, passages, headings } = await read(`# a ${']'.repeat(100)}\n\n`.repeat(600))
    expect(complete).toBe(false)
    expect(headings.length).toBeGreaterThan(450)
    expect(headings.length).toBeLessThan(500)
    expect(passages).toHaveLength(600)
  })
})

describe('HTML', () => {
  const page = `<!doctype html><html><head><title>A &amp; B</title><meta name="Description" content="About both.">
    <style>p { color: red }</style><script>document.write("<p>no</p>")</script></head>
    <body><nav><a href="/">Home</a></nav><h1>Main <em>thing</em></h1><p>One<br>two &lt;three&gt;<p>Four
    <ul><li>five<li><a href="six.html">six</a></ul><table><tr><th>seven<td>eight</table>
    <pre>code here</pre><img src="a.png" alt="nine"><img src="b.png"><a href="/img"><img src="c.png" alt="logo"></a>
    <svg><title>no</title><text>no</text></svg><h3>Last</h3></body></html>`

  test('yields the visible text and the metadata of the head', async () => {
    expect(await read(page)).toEqual({
      format: 'html',
      isPage: true,
      title: 'A & B',
      description: 'About both.',
      passages: [
        { kind: 'heading', text: 'Main thing' },
        { kind: 'paragraph', text: 'One two <three>' },
        { kind: 'paragraph', text: 'Four' },
        { kind: 'item', text: 'five' },
        { kind: 'item', text: 'six' },
        { kind: 'cell', text: 'seven' },
        { kind: 'cell', text: 'eight' },
        { kind: 'heading', text: 'Last' },
      ],
      headings: [
        { level: 1, text: 'Main thing' },
        { level: 3, text: 'Last' },
      ],
      links: [
        { text: 'Home', url: '/' },
        { text: 'six', url: 'six.html' },
        { text: 'logo', url: '/img' },
      ],
      images: [
        { alt: 'nine', url: 'a.png' },
        { alt: null, url: 'b.png' },
        { alt: 'logo', url: 'c.png' },
      ],
      lists: 1,
      tables: 1,
      codeBlocks: 1,
      complete: true,
    })
  })

  test('is distinguished from Markdown', async () => {
    const formats = {
      '<p>A piece.</p>': 'html',
      '<!-- a note -->\n<html lang="en"><p>x': 'html',
      '<h1 align="center">Logo</h1>\n\n## Install\n\nText.': 'markdown',
      'a < b and b > c': 'markdown',
      '<https://example.org> is a link': 'markdown',
      'Text with <b>bold</b> words.': 'markdown',
      '': 'markdown',
    }
    for (const [source, format] of Object.entries(formats)) {
      expect((await read(source)).format, source).toBe(format)
    }
  })

  test('is parsed in the format that the caller sets', async () => {
    expect((await read('plain <b>text</b>', 'html')).passages).toEqual([
      { kind: 'paragraph', text: 'plain text' },
    ])
  })

  test('inside Markdown is parsed, too', async () => {
    const { headings, images, passages } = await read(
      '<h1>Logo</h1>\n<p><img src="l.png" alt="l"></p>\n\n## Next\n\nText.',
    )
    expect(headings.map(({ text }) => text)).toEqual(['Logo', 'Next'])
    expect(images).toHaveLength(1)
    expect(passages.at(-1)).toEqual({ kind: 'paragraph', text: 'Text.' })
  })

  test('may be nested to any depth', async () => {
    const { passages } = await read(
      `<html>${'<div><ul>'.repeat(100_000)}deep${'</ul></div>'.repeat(100_000)}<p>after`,
    )
    expect(passages).toEqual([
      { kind: 'item', text: 'deep' },
      { kind: 'paragraph', text: 'after' },
    ])
  })
})

const hostile: Readonly<Record<string, string>> = {
  'a long line': 'x'.repeat(20_000),
  'a long line of words': 'word '.repeat(5000),
  'a line of brackets': '['.repeat(20_000),
  'nested items in one line': '1. '.repeat(5000),
  'many short blocks': 'a\n-\n'.repeat(5000),
  'emoji without a blank': '😀'.repeat(10_000),
  'an open comment': `<!--\n${'# a\n\n'.repeat(3000)}`,
}

test.each(Object.entries(hostile))('%s is split into bounded pieces without loss', (_name, source) => {
  const pieces = [...markdownPieces(source)]
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.map(({ text }) => text).join('')).toBe(source)
  for (const { text, markers } of pieces) {
    expect(text.length).toBeLessThanOrEqual(maxLineLength.chars)
    expect(markers).toBeLessThanOrEqual(maxLineLength.markers)
    expect(text.isWellFormed()).toBe(true)
  }
})

test('a piece ends before a heading or a paragraph when it can', () => {
  const section = `## Heading\n\n${'Some words. '.repeat(60)}\n\nA second paragraph.\n\n`
  const pieces = [...markdownPieces(section.repeat(20))]
  expect(pieces.length).toBeGreaterThan(3)
  for (const { text, glue } of pieces) {
    expect(glue).toBeUndefined()
    expect(text).toMatch(/^(?:## Heading|Some words|A second)/)
  }
})

test('a cut keeps the text at its position', () => {
  const [, afterBlank] = markdownPieces('word '.repeat(2000))
  const [, insideWord] = markdownPieces('x'.repeat(10_000))
  expect(afterBlank?.glue).toBe(' ')
  expect(insideWord?.glue).toBe('')
})

test('fenced code is left out, and an unclosed fence extends to the end', () => {
  expect([...markdownPieces('a\n```js\ncode\n~~~\n```\nb')].map(({ text }) => text)).toEqual([
    'a\n```js\n```\nb',
  ])
  expect([...markdownPieces('a\n~~~\ncode\n```\nb')].map(({ text }) => text)).toEqual(['a\n~~~\n'])
})
