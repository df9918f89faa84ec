/** The ways to show one value. */
export type ValueKind = 'markdown' | 'text' | 'tree' | 'raw'

/** A longer value is folded. */
const maxCharacters = 2_000
const maxLines = 40

/** A value with its text, and the ways to show it; the first one is the default. */
export interface ReadableValue {
  readonly text: string
  readonly views: readonly ValueKind[]
  /** The value of the tree: a text that is JSON is read. */
  readonly tree: unknown
}

/** Texts are read as Markdown, texts that are JSON objects or lists and other values as a tree. */
export function readValue(value: unknown): ReadableValue {
  if (typeof value !== 'string')
    return { text: JSON.stringify(value, null, 2), views: ['tree', 'raw'], tree: value }
  const tree = readJson(value)
  return tree === undefined
    ? { text: value, views: ['markdown', 'text'], tree: undefined }
    : { text: value, views: ['tree', 'text'], tree }
}

function readJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first lines of a long text, cut between two lines where that is possible; undefined for a short text. */
export function foldText(text: string): string | undefined {
  const lines = text.split('\n', maxLines + 1)
  const byLines = lines.length > maxLines ? lines.slice(0, maxLines).join('\n') : text
  if (byLines.length <= maxCharacters) return byLines === text ? undefined : byLines
  const cut = byLines.slice(0, maxCharacters)
  const end = cut.lastIndexOf('\n')
  return end > maxCharacters / 2 ? cut.slice(0, end) : cut
}

/** The size of a text as people write it. */
export function describeBytes(text: string): string {
  const bytes = new TextEncoder().encode(text).length
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
