/** The ways to show one value. */
export type ValueKind = 'markdown' | 'text' | 'fields' | 'tree' | 'raw'

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

/**
 * Texts are read as Markdown, texts that are JSON objects or lists and other values as a tree. An object with texts to read
 * can also be shown field by field.
 */
export function readValue(value: unknown): ReadableValue {
  if (typeof value !== 'string') {
    const views: readonly ValueKind[] = hasReadableTexts(value) ? ['tree', 'fields', 'raw'] : ['tree', 'raw']
    return { text: JSON.stringify(value, null, 2), views, tree: value }
  }
  const tree = readJson(value)
  return tree === undefined
    ? { text: value, views: ['markdown', 'text'], tree: undefined }
    : { text: value, views: ['tree', 'text'], tree }
}

/** An object with more fields is data rather than something to read. */
const maxFields = 12
/** A shorter text is a name, a key or a word. */
const readableCharacters = 40

function hasReadableTexts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = Object.values(value)
  return (
    fields.length <= maxFields &&
    fields.some(
      (field) =>
        typeof field === 'string' && field.length >= readableCharacters && readJson(field) === undefined,
    )
  )
}

/** The name of a field as people write it: `source_language` is `Source language`. */
export function nameOfField(key: string): string {
  const words = key.replaceAll(/[_-]+/g, ' ').trim()
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1)
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
