import type { Sentence } from '../reading/sentences.ts'
import type { Heading, Image, Link, TextDocument } from '../reading/text-document.ts'

interface StructureFinding {
  readonly id:
    | 'missing_h1'
    | 'several_h1'
    | 'heading_jump'
    | 'empty_heading'
    | 'no_headings'
    | 'long_paragraph'
    | 'image_without_alt'
  readonly message: string
}

export interface TextStructure {
  readonly format: TextDocument['format']
  /** False when the rest of a text with too much markup was read as plain text. */
  readonly complete: boolean
  readonly paragraphs: number
  readonly lists: number
  readonly listItems: number
  readonly codeBlocks: number
  readonly tables: number
  readonly headingCount: number
  readonly linkCount: number
  readonly imageCount: number
  readonly imagesWithoutAlt: number
  /** The first ones of each, up to a bound. */
  readonly headings: readonly Heading[]
  readonly links: readonly Link[]
  readonly images: readonly Image[]
  readonly findings: readonly StructureFinding[]
}

const maxShown = 100
const maxFindings = 20
const maxShownLength = 200

/** Longer paragraphs are reported. */
export const longParagraphWords = 150
/** Longer texts need headings. */
export const headingsFromWords = 300

/** The structure of a text and its problems. */
export function structure(document: TextDocument, sentences: readonly Sentence[]): TextStructure {
  const { format, complete, passages, headings, links, images, lists, tables, codeBlocks } = document
  return {
    format,
    complete,
    paragraphs: passages.filter(({ kind }) => kind === 'paragraph').length,
    lists,
    listItems: passages.filter(({ kind }) => kind === 'item').length,
    codeBlocks,
    tables,
    headingCount: headings.length,
    linkCount: links.length,
    imageCount: images.length,
    imagesWithoutAlt: images.filter(({ alt }) => alt === null).length,
    headings: headings.slice(0, maxShown).map(({ level, text }) => ({ level, text: show(text) })),
    links: links.slice(0, maxShown).map(({ text, url }) => ({ text: show(text), url: show(url) })),
    images: images
      .slice(0, maxShown)
      .map(({ alt, url }) => ({ alt: alt === null ? null : show(alt), url: show(url) })),
    findings: [
      ...headingFindings(document, sentences),
      ...longParagraphs(sentences),
      ...altFindings(images),
    ].slice(0, maxFindings),
  }
}

function show(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength - 1)}…` : text
}

/** Headings that skip a level. */
export function headingJumps(
  headings: readonly Heading[],
): { readonly from: Heading; readonly to: Heading }[] {
  return headings.flatMap((to, index) => {
    const from = headings[index - 1]
    return from !== undefined && to.level > from.level + 1 ? { from, to } : []
  })
}

/** The words of each paragraph, by the index of its passage. */
export function paragraphWords(
  sentences: readonly Sentence[],
): Map<number, { words: number; start: string }> {
  const paragraphs = new Map<number, { words: number; start: string }>()
  for (const { kind, passage, text, words } of sentences) {
    if (kind !== 'paragraph') continue
    const paragraph = paragraphs.get(passage) ?? { words: 0, start: text.slice(0, 40) }
    paragraph.words += words.length
    paragraphs.set(passage, paragraph)
  }
  return paragraphs
}

function headingFindings(
  { headings, title, isPage }: TextDocument,
  sentences: readonly Sentence[],
): StructureFinding[] {
  const findings: StructureFinding[] = []
  const first = headings.filter(({ level }) => level === 1).length
  const words = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0)
  if (headings.length === 0 && words >= headingsFromWords) {
    findings.push({ id: 'no_headings', message: `There are ${words} words and no heading.` })
  }
  if (first === 0 && (isPage || (headings.length > 0 && title === null))) {
    findings.push({ id: 'missing_h1', message: 'There is no heading of level 1.' })
  }
  if (first > 1) findings.push({ id: 'several_h1', message: `There are ${first} headings of level 1.` })
  const empty = headings.filter(({ text }) => text === '').length
  if (empty > 0) findings.push({ id: 'empty_heading', message: `Headings without text: ${empty}.` })
  for (const { from, to } of headingJumps(headings).slice(0, maxFindings)) {
    const message = `"${to.text.slice(0, 60)}" is of level ${to.level}, and the heading before it of level ${from.level}.`
    findings.push({ id: 'heading_jump', message })
  }
  return findings
}

function longParagraphs(sentences: readonly Sentence[]): StructureFinding[] {
  return [...paragraphWords(sentences).values()].flatMap(({ words, start }) =>
    words > longParagraphWords
      ? { id: 'long_paragraph' as const, message: `The paragraph "${start}…" has ${words} words.` }
      : [],
  )
}

function altFindings(images: readonly Image[]): StructureFinding[] {
  const missing = images.filter(({ alt }) => alt === null).length
  return missing === 0
    ? []
    : [{ id: 'image_without_alt', message: `Images without an alternative text: ${missing}.` }]
}
