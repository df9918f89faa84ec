import type { Failure } from '#kernel/errors'
import type { ModelPart } from '../../providers/provider.ts'

/** How an interface writes an answer as it comes. */
export interface AnswerWriter {
  readonly contentType: string
  /** What stands before the first part. */
  readonly opening: string
  /** One part; the end has whatever closes the answer. */
  part(part: ModelPart): string
  /** The last words of an answer that cannot be finished. */
  breakOff(failure: Failure): string
  /** Keeps a silent connection open without being taken for part of the answer, where the format has such a thing. */
  readonly heartbeat: string | undefined
}
