import { open } from 'node:fs/promises'
import type { Logger } from '#kernel/telemetry'

export interface FollowedFileOptions<Value> {
  readonly path: string
  /** Lines that end beyond this are not read. */
  readonly maxBytes: number
  readonly parse: (text: string) => Value
  readonly log: Logger
}

/** How long a parsed file is used without asking whether it changed. */
const freshMs = 1000

/** Reads a system file of lines when it is needed, and parses it again only after it changed. A missing file is an empty one. */
export function followFile<Value>(options: FollowedFileOptions<Value>): () => Promise<Value> {
  const { path, maxBytes, parse, log } = options
  let known: { readonly mark: string; readonly value: Value } | undefined
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<Value> | undefined

  async function read(): Promise<Value> {
    try {
      await using file = await open(path)
      const { ino, size, mtimeMs } = await file.stat()
      const mark = `${ino} ${size} ${mtimeMs}`
      if (known?.mark === mark) return known.value
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes))
      const text = buffer.toString('utf8', 0, bytesRead)
      const isCut = size > maxBytes
      if (isCut) log.warn({ path, size, maxBytes }, 'the file is too large; only its beginning is used')
      known = { mark, value: parse(isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text) }
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isMissing) log.warn({ err: error, path }, 'the file cannot be read')
      if (isMissing || known === undefined) known = { mark: 'missing', value: parse('') }
    }
    return known.value
  }

  return async () => {
    if (known !== undefined && performance.now() - checkedAtMs < freshMs) return known.value
    reading ??= read().finally(() => {
      checkedAtMs = performance.now()
      reading = undefined
    })
    return await reading
  }
}
