import { setImmediate as nextTurn } from 'node:timers/promises'
import { isSecretName, redacted, redactLongText } from '#kernel/telemetry'

/** Writes recorded content: without secrets and media, and within its bounds. */
export interface ContentWriter {
  /** A text without secrets, shortened to the bounds. */
  text(text: string): Promise<string>
  /** A value of parsed JSON: texts as above, media as their type and size, bounded in depth and entries. */
  value(value: unknown): Promise<unknown>
  /** The same for an object. */
  fields(record: object): Promise<Record<string, unknown>>
  /** Notes that something was left out. */
  leaveOut(): void
  /** No more characters fit. */
  isFull(): boolean
  /** A text was shortened, or something was left out. */
  isTruncated(): boolean
}

export interface ContentBounds {
  /** Characters of all texts together. */
  readonly maxCharacters: number
  /** Characters of one text. */
  readonly maxTextLength: number
}

const maxDepth = 12
const maxEntries = 64
/** Redacting takes up to a microsecond for a character, so other work gets its turn after this time. */
const maxTurnMs = 5

export function createContentWriter({ maxCharacters, maxTextLength }: ContentBounds): ContentWriter {
  let left = maxCharacters
  let truncated = false
  let turnStartedMs = performance.now()

  async function text(given: string): Promise<string> {
    if (performance.now() - turnStartedMs > maxTurnMs) {
      await nextTurn()
      turnStartedMs = performance.now()
    }
    const limit = Math.min(maxTextLength, Math.max(0, left))
    if (given.length > limit) truncated = true
    // PostgreSQL stores neither NUL nor half of a surrogate pair.
    const kept = redactLongText(given, limit).toWellFormed().replaceAll('\0', '')
    left -= kept.length
    return kept
  }

  async function value(given: unknown, depth = 0): Promise<unknown> {
    if (typeof given === 'string') return describeMedia(given) ?? (await text(given))
    if (typeof given !== 'object' || given === null) return given
    if (depth >= maxDepth || left <= 0) {
      truncated = true
      return '…'
    }
    return Array.isArray(given) ? await list(given, depth) : await fields(given, depth)
  }

  async function list(items: readonly unknown[], depth: number): Promise<unknown[]> {
    const kept: unknown[] = []
    for (const item of items.slice(0, maxEntries)) kept.push(await value(item, depth + 1))
    if (items.length > maxEntries) {
      truncated = true
      kept.push(`… (${items.length - maxEntries} more)`)
    }
    return kept
  }

  async function fields(record: object, depth: number): Promise<Record<string, unknown>> {
    const kept: [string, unknown][] = []
    const entries = Object.entries(record)
    for (const [name, item] of entries.slice(0, maxEntries)) {
      const shown = typeof item === 'string' && isSecretName(name) ? redacted : await value(item, depth + 1)
      kept.push([await text(name), shown])
    }
    if (entries.length > maxEntries) truncated = true
    return Object.fromEntries(kept)
  }

  return {
    text,
    value: (given) => value(given),
    fields: (record) => fields(record, 0),
    leaveOut() {
      truncated = true
    },
    isFull: () => left <= 0,
    isTruncated: () => truncated,
  }
}

const dataUrl = /^data:([\w.+-]{1,64}\/[\w.+-]{1,64})?[^,]{0,200},/
/** Shorter texts of these characters may be words. */
const minMediaLength = 512
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/** The type and size of media that are written as text; undefined for any other text. */
export function describeMedia(text: string): string | undefined {
  const [head, type = 'media'] = dataUrl.exec(text) ?? []
  if (head !== undefined) return `[${type}, ${base64Bytes(text.slice(head.length))} bytes]`
  if (text.length < minMediaLength || !base64.test(text)) return undefined
  return `[media, ${base64Bytes(text)} bytes]`
}

/** The number of bytes that a base64 text stands for. */
export function base64Bytes(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.floor((text.length * 3) / 4) - padding
}
