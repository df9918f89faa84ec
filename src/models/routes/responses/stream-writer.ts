import type { Failure } from '#kernel/errors'
import type { ModelPart } from '../../providers/provider.ts'

/** Writes a streamed response in the format of an API. */
export interface StreamWriter {
  readonly contentType: string
  /** The text before the first part. */
  readonly opening: string
  /** The text of a part; that of the last part ends the response. */
  part(part: ModelPart): string
  /** The text that ends a response after a failure. */
  failure(failure: Failure): string
  /** A text that keeps an idle connection open; undefined when the format has none. */
  readonly heartbeat: string | undefined
}
