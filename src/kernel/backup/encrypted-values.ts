/** Counts encrypted values in rows, by the id of the key that encrypted them. */
export interface EncryptedValues {
  add(row: Buffer): void
  counts(): ReadonlyMap<string, number>
}

const prefix = Buffer.from('v1.')
/** `v1.<key id>.<nonce, ciphertext and tag>`, as `#kernel/encryption` writes it; the shortest body has 38 characters. */
const format = /^v1\.([\w-]{8})\.[\w-]{38}/
const formatBytes = 3 + 8 + 1 + 38

/** Different key ids that are counted; an installation has three at most, and users can store texts that look alike. */
const maxKeyIds = 100

export function createEncryptedValues(): EncryptedValues {
  const counts = new Map<string, number>()
  return {
    add(row) {
      for (let at = row.indexOf(prefix); at !== -1; at = row.indexOf(prefix, at + 1)) {
        const keyId = format.exec(row.toString('latin1', at, at + formatBytes))?.[1]
        if (keyId === undefined || (!counts.has(keyId) && counts.size >= maxKeyIds)) continue
        counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
      }
    },
    counts: () => counts,
  }
}
