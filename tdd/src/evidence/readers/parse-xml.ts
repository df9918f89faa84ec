import { XMLParser } from 'fast-xml-parser'

/** An element without its text: reports have all required data in names and attributes. */
export type XmlElement = {
  name: string
  attributes: ReadonlyMap<string, string>
  children: readonly XmlElement[]
}

// Entities of a DOCTYPE are never expanded: decode() below handles only the five of XML and character references.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  attributeValueProcessor: (_name, value) => decode(value),
  tagValueProcessor: () => '',
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // The limit does not count the root.
  maxNestedTags: 63,
  jPath: false,
})

/** Parses a well-formed document, nested at most 64 deep; undefined for any other text. */
export function parseXml(text: string): XmlElement | undefined {
  try {
    const elements = elementsOf(parser.parse(text.replace(/^\uFEFF/, '').trim(), true))
    return elements.length === 1 ? elements[0] : undefined
  } catch {
    return undefined
  }
}

function elementsOf(nodes: unknown): XmlElement[] {
  if (!Array.isArray(nodes)) return []
  return nodes.flatMap((node: Record<string, unknown>) => {
    const name = Object.keys(node).find((key) => key !== ':@' && key !== '#text')
    if (name === undefined) return []
    const attributes = new Map(Object.entries((node[':@'] ?? {}) as Record<string, string>))
    return [{ name, attributes, children: elementsOf(node[name]) }]
  })
}

const namedCharacters = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

function decode(value: string): string {
  return value.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return namedCharacters.get(name) ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
