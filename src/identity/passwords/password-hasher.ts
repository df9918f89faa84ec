import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { kernelFailure } from '#kernel/errors'
import type { Metrics } from '#kernel/telemetry'

export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** Compares a password with a stored hash. Without a hash it takes as long and returns false. */
  verify(password: string, stored: string | null | undefined): Promise<boolean>
}

export interface PasswordHasherOptions {
  readonly metrics: Metrics
  /** Concurrent computations. The default leaves half of the process's four worker threads to other work. */
  readonly parallel?: number
  /** The maximum number of queued computations; about half a second of work. */
  readonly waiting?: number
}

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes passwords with Argon2id, with bounded concurrency. Throws `overloaded` when the queue is full. */
export function createPasswordHasher({
  metrics,
  parallel = 2,
  waiting = 64,
}: PasswordHasherOptions): PasswordHasher {
  const limit = createWorkLimit({ parallel, waiting })
  const unmatchableHash = generateUnmatchableHash()
  const hashed = metrics.counter({
    name: 'identity_password_hashes_total',
    help: 'Argon2 computations, for existing and unknown accounts.',
  })
  metrics.gauge({
    name: 'identity_password_hashes_waiting',
    help: 'Password checks waiting in the queue.',
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
        return await verify(stored ?? unmatchableHash, password)
      }),
  }
}

/** A hash of the same cost that no password matches, because its digest is random: unknown usernames take as long. */
function generateUnmatchableHash(): string {
  const [salt, digest] = [16, 32].map((size) => randomBytes(size).toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${salt}$${digest}`
}

interface WorkLimitOptions {
  readonly parallel: number
  readonly waiting: number
}

interface WorkLimit {
  run<Result>(work: () => Promise<Result>): Promise<Result>
  readonly waiting: number
}

/** Runs work with bounded concurrency and a bounded queue; throws `overloaded` at once when the queue is full. */
export function createWorkLimit({ parallel, waiting }: WorkLimitOptions): WorkLimit {
  const queue: (() => void)[] = []
  let running = 0

  async function acquireSlot(): Promise<void> {
    if (running < parallel) {
      running += 1
      return
    }
    if (queue.length >= waiting) throw kernelFailure('overloaded', { retryAfterSeconds: 2 })
    // Finished work passes its slot to the next in the queue, so `running` does not change.
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  function releaseSlot(): void {
    const next = queue.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    get waiting() {
      return queue.length
    },
    async run(work) {
      await acquireSlot()
      try {
        return await work()
      } finally {
        releaseSlot()
      }
    },
  }
}
