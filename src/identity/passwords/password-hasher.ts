import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { Metrics } from '#kernel/telemetry'
import { createWorkLimit } from './work-limit.ts'

export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** Compares with the stored hash. Without one it works as long and says no. */
  verify(password: string, stored: string | null | undefined): Promise<boolean>
}

export interface PasswordHasherOptions {
  readonly metrics: Metrics
  /** Hashes at a time. The default leaves half of the process's four worker threads to everything else. */
  readonly parallel?: number
  /** How many may wait; about half a second's worth. */
  readonly waiting?: number
}

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes passwords with Argon2id, never more at a time than the process can bear. */
export function createPasswordHasher({
  metrics,
  parallel = 2,
  waiting = 64,
}: PasswordHasherOptions): PasswordHasher {
  const limit = createWorkLimit({ parallel, waiting })
  const nobody = hashOfNobody()
  const hashed = metrics.counter({
    name: 'identity_password_hashes_total',
    help: 'Argon2 computations, whether or not the account existed.',
  })
  metrics.gauge({
    name: 'identity_password_hashes_waiting',
    help: 'Sign-ins waiting for their turn to be computed.',
    collect: (gauge) => gauge.set(limit.waiting),
  })

  return {
    hash: (password) =>
      limit.run(async () => {
        hashed.inc()
        return await hash(password, cost)
      }),
    verify: (password, stored) =>
      limit.run(async () => {
        hashed.inc()
        return await verify(stored ?? nobody, password)
      }),
  }
}

/** A hash of the same cost that no password has: its digest is drawn, not computed. */
function hashOfNobody(): string {
  const [salt, digest] = [16, 32].map((size) => randomBytes(size).toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${salt}$${digest}`
}
