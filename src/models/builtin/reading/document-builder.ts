import type { Heading, Image, Link, Passage, PassageKind, TextDocument } from './text-document.ts'

/** Collects the parts of a document in the order of the text. */
export interface DocumentBuilder {
  title(text: string): void
  description(text: string): void
  heading(level: number, text: string): void
  passage(kind: Exclude<PassageKind, 'heading'>, text: string): void
  /** Continues the previous passage, which was cut at `glue`. */
  extend(text: string, glue: '' | ' '): void
  link(link: Link): void
  image(image: Image): void
  count(thing: 'lists' | 'tables' | 'codeBlocks'): void
  isPage(): void
  isIncomplete(): void
  build(): TextDocument
}

export function createDocumentBuilder(format: TextDocument['format']): DocumentBuilder {
  const passages: Passage[] = []
  const headings: Heading[] = []
  const links: Link[] = []
  const images: Image[] = []
  const counts = { lists: 0, tables: 0, codeBlocks: 0 }
  let title: string | null = null
  let description: string | null = null
  let isPage = false
  let complete = true

  return {
    title(text) {
      title ??= oneLine(text) || null
    },
    description(text) {
      description ??= oneLine(text) || null
    },
    heading(level, text) {
      const line = oneLine(text)
      headings.push({ level, text: line })
      if (line !== '') passages.push({ kind: 'heading', text: line })
    },
    passage(kind, text) {
      const line = oneLine(text)
      if (line !== '') passages.push({ kind, text: line })
    },
    extend(text, glue) {
      const line = oneLine(text)
      const last = line === '' ? undefined : passages.pop()
      if (last !== undefined) passages.push({ kind: last.kind, text: last.text + glue + line })
      else if (line !== '') passages.push({ kind: 'paragraph', text: line })
    },
    link: ({ text, url }) => void links.push({ text: oneLine(text), url: url.trim() }),
    image: ({ alt, url }) => void images.push({ alt: alt === null ? null : oneLine(alt), url: url.trim() }),
    count(thing) {
      counts[thing] += 1
    },
    isPage() {
      isPage = true
    },
    isIncomplete() {
      complete = false
    },
    build: () => ({
      format,
      isPage,
      title,
      description,
      passages,
      headings,
      links,
      images,
      ...counts,
      complete,
    }),
  }
}

/** Replaces line ends, NULs and repeated spaces by one space. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\0]+/g, ' ').trim()
}
