import { hash, randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Credential } from './credential.ts'

/** A TTL cache of callers by the digest of their credential. */
export interface Memory<Finding> {
  recall(digest: string): Finding | undefined
  keep(digest: string, finding: Finding): void
}

interface MemoryOptions {
  readonly keepMs: number
  readonly capacity: number
  readonly now?: () => number
}

export function createMemory<Finding>({
  keepMs,
  capacity,
  now = () => performance.now(),
}: MemoryOptions): Memory<Finding> {
  const entries = new Map<string, { readonly finding: Finding; readonly untilMs: number }>()
  return {
    recall(digest) {
      const entry = entries.get(digest)
      if (entry === undefined) return undefined
      if (entry.untilMs > now()) return entry.finding
      entries.delete(digest)
      return undefined
    },
    keep(digest, finding) {
      entries.delete(digest)
      entries.set(digest, { finding, untilMs: now() + keepMs })
      const [oldest] = entries.keys()
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
    },
  }
}

/** Hashes credentials with a salt that never leaves the process, so that cache keys reveal nothing about them. */
export function createDigest(): (credential: Credential) => string {
  const salt = randomBytes(16).toString('base64')
  return ({ kind, value }) => hash('sha256', `${salt}${kind} ${value}`, 'base64')
}
