/** For a read from a node, with the framing of a chunk. */
const bufferBytes = 17 * 1024
/** Most writes are complete at once, so that few are in use at a time. */
const maxKept = 4

/** Buffers for bytes to be written. They are used again once these are sent: those of slow callers would be freed late. */
export interface WriteBuffers {
  /** A buffer of at least so many bytes. */
  take(bytes: number): Buffer
  /** The bytes of the buffer are sent. */
  giveBack(buffer: Buffer): void
}

export function createWriteBuffers(): WriteBuffers {
  const kept: Buffer[] = []
  return {
    take: (bytes) =>
      (bytes <= bufferBytes ? kept.pop() : undefined) ?? Buffer.allocUnsafeSlow(Math.max(bytes, bufferBytes)),
    giveBack(buffer) {
      if (buffer.length === bufferBytes && kept.length < maxKept) kept.push(buffer)
    },
  }
}
