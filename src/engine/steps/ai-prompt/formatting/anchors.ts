import { type Block, plainTextOf } from './document.ts'

/** Where each heading can be jumped to. */
export type Anchors = ReadonlyMap<Block, string>

const mostEntries = 200

type Heading = Block & { readonly kind: 'heading' }

/** Names for the headings of a document, each once, as those who show Markdown make them up. */
export function anchorsOf(blocks: readonly Block[]): Anchors {
  const taken = new Map<string, number>()
  return new Map(
    headingsOf(blocks).map((heading) => {
      const name = nameOf(plainTextOf(heading.inside))
      const times = taken.get(name) ?? 0
      taken.set(name, times + 1)
      return [heading, times === 0 ? name : `${name}-${times}`]
    }),
  )
}

/** A list of links to the headings, as deep as they are. Undefined without headings. */
export function tableOfContents(blocks: readonly Block[], anchors: Anchors): Block | undefined {
  const headings = headingsOf(blocks).slice(0, mostEntries)
  if (headings.length === 0) return undefined
  return listOf(headings, anchors)
}

function listOf(headings: readonly Heading[], anchors: Anchors): Block {
  const level = Math.min(...headings.map((heading) => heading.level))
  const items: Block[][] = []
  for (let at = 0; at < headings.length; ) {
    const next = headings.findIndex((heading, index) => index > at && heading.level === level)
    const end = next < 0 ? headings.length : next
    const own = headings[at]
    const isOwn = own?.level === level
    const below = headings.slice(isOwn ? at + 1 : at, end)
    items.push([
      ...(own !== undefined && isOwn ? [entryOf(own, anchors)] : []),
      ...(below.length === 0 ? [] : [listOf(below, anchors)]),
    ])
    at = end
  }
  return { kind: 'list', first: undefined, items }
}

function entryOf(heading: Heading, anchors: Anchors): Block {
  const text = plainTextOf(heading.inside)
  const url = `#${anchors.get(heading) ?? ''}`
  return { kind: 'paragraph', inside: [{ kind: 'link', url, inside: [{ kind: 'text', text }] }] }
}

/** Those that stand in a list or a quote are no chapters. */
function headingsOf(blocks: readonly Block[]): Heading[] {
  return blocks.filter((block) => block.kind === 'heading')
}

function nameOf(text: string): string {
  const name = text
    .slice(0, 200)
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  return name === '' ? 'section' : name
}
