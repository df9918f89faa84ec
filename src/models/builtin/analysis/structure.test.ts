import { expect, test } from 'vitest'
import { createPacer } from '../reading/pacer.ts'
import { readDocument } from '../reading/read-document.ts'
import { findSentences } from '../reading/sentences.ts'
import { structure } from './structure.ts'

async function structureOf(source: string) {
  const pacer = createPacer()
  const document = await readDocument(source, { pacer })
  return structure(document, await findSentences(document.passages, { language: 'en', pacer }))
}

const idsOf = async (source: string) => (await structureOf(source)).findings.map(({ id }) => id)

test('every kind of element is counted', async () => {
  expect(
    await structureOf(
      '# A\n\nText [l](u).\n\n- one\n- two\n\n```\nx\n```\n\n|a|b|\n|-|-|\n|c|d|\n\n![](i.png)',
    ),
  ).toEqual({
    format: 'markdown',
    complete: true,
    paragraphs: 1,
    lists: 1,
    listItems: 2,
    codeBlocks: 1,
    tables: 1,
    headingCount: 1,
    linkCount: 1,
    imageCount: 1,
    imagesWithoutAlt: 1,
    headings: [{ level: 1, text: 'A' }],
    links: [{ text: 'l', url: 'u' }],
    images: [{ alt: null, url: 'i.png' }],
    findings: [{ id: 'image_without_alt', message: 'Images without an alternative text: 1.' }],
  })
})

test('problems are found', async () => {
  expect(await idsOf('## Only\n\ntext')).toEqual(['missing_h1'])
  expect(await idsOf('# A\n\n# B')).toEqual(['several_h1'])
  expect(await idsOf('# A\n\n### C\n\n## B\n\n#### D')).toEqual(['heading_jump', 'heading_jump'])
  expect(await idsOf('<h1></h1><p>text</p>')).toEqual(['empty_heading'])
  expect(await idsOf('word '.repeat(151))).toEqual(['long_paragraph'])
  expect(await idsOf('Some few words.\n\n'.repeat(100))).toEqual(['no_headings'])
  expect(await idsOf('<html><p>text')).toEqual(['missing_h1'])
})

test('a plain note and a text with a separate title have no problems', async () => {
  expect(await idsOf('Just a note.')).toEqual([])
  expect(await idsOf('---\ntitle: Apart\n---\n## Part\n\nText.')).toEqual([])
  expect(await idsOf('# A\n\n## B\n\n### C\n\n## D')).toEqual([])
})

test('long lists are counted completely and listed partly', async () => {
  const found = await structureOf(
    Array.from({ length: 300 }, (_, index) => `## Heading ${index}`).join('\n\n'),
  )
  expect(found.headingCount).toBe(300)
  expect(found.headings).toHaveLength(100)
})
