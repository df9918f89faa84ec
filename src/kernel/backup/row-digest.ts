import { hash } from 'node:crypto'

/** The number of rows of a table and a digest of their contents, which does not depend on their order. */
export interface RowDigest {
  add(row: Buffer): void
  readonly rows: number
  /** The sum of the hashes of all rows, modulo 2^128. */
  digest(): string
}

const modulus = 1n << 64n

export function createRowDigest(): RowDigest {
  let rows = 0
  let high = 0n
  let low = 0n
  return {
    add(row) {
      const bytes = hash('sha256', row, 'buffer')
      rows += 1
      // Two sums of 64 bits: a carry between them would cost time and improve nothing.
      high = (high + bytes.readBigUInt64BE(0)) % modulus
      low = (low + bytes.readBigUInt64BE(8)) % modulus
    },
    get rows() {
      return rows
    },
    digest: () => high.toString(16).padStart(16, '0') + low.toString(16).padStart(16, '0'),
  }
}
