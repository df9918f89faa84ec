import type { Operation } from './measure-operations.ts'
import type { AbusiveRequest } from './messages.ts'
import type { AbusePlatform } from './open-platform.ts'
import type { Receiver } from './receiver.ts'

/** A kind of abuse, and the operation of normal accounts that it is known to delay. */
export interface Kind {
  readonly name: string
  /** Settings of its server, which is used for this kind alone. */
  readonly settings?: Readonly<Record<string, string>>
  readonly prepare: (stage: KindStage) => Promise<PreparedKind>
}

interface KindStage extends AbusePlatform {
  /** For requests that the platform sends for normal accounts. */
  readonly receiver: Receiver
}

interface PreparedKind {
  /** The requests that the abusive account repeats without pauses. */
  readonly abuse: readonly AbusiveRequest[]
  /** The operations of normal accounts. Each is repeated in a loop of its own. */
  readonly operations: readonly Operation[]
  /** The shortest pause between two operations of a loop, if not the usual one. */
  readonly pauseMs?: number
  /** Brings about what the abuse would have brought about after some time. */
  readonly beforeAbuse?: () => Promise<unknown>
  /** Ends what would go on without the requests of the abuse. */
  readonly afterAbuse?: () => Promise<unknown>
}
