/**
 * The row that the main loop works on, in memory that the heartbeat thread can read while the main loop hangs.
 *
 * | the memory | on                                                | next     |
 * |------------|---------------------------------------------------|----------|
 * | empty      | `mark`                                            | the row  |
 * | the row    | `mark` of another row                             | that row |
 * | the row    | the main loop turns to other events               | empty    |
 */
export interface BusyRow {
  readonly memory: SharedArrayBuffer
  mark(queue: string, key: string | number): void
}

export interface RowName {
  readonly queue: string
  readonly key: string
}

/** The first four bytes are the length of the text. */
const headerBytes = 4
const maxTextBytes = 256

export function createBusyRow(): BusyRow {
  const memory = new SharedArrayBuffer(headerBytes + maxTextBytes)
  const length = new Int32Array(memory, 0, 1)
  const text = new Uint8Array(memory, headerBytes)
  const encoder = new TextEncoder()
  let marked: string | undefined
  const clear = () => {
    marked = undefined
    Atomics.store(length, 0, 0)
  }
  return {
    memory,
    mark(queue, key) {
      const name = `${queue} ${key}`
      if (name === marked) return
      if (marked === undefined) setImmediate(clear)
      marked = name
      Atomics.store(length, 0, 0)
      const { read, written } = encoder.encodeInto(name, text)
      // A name that does not fit would be that of another row.
      if (read === name.length) Atomics.store(length, 0, written)
    },
  }
}

/** The marked row, read by another thread. Undefined: the main loop works on no row. */
export function readBusyRow(memory: SharedArrayBuffer): RowName | undefined {
  const length = Atomics.load(new Int32Array(memory, 0, 1), 0)
  if (length === 0) return undefined
  const text = new TextDecoder().decode(new Uint8Array(memory, headerBytes, length).slice())
  const space = text.indexOf(' ')
  return { queue: text.slice(0, space), key: text.slice(space + 1) }
}
