import type { Failure } from '#kernel/errors'
import type { NodeRequirements } from '../balancing/balancer.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import type { Priority } from '../queue/fair-queue.ts'
import type { TraceHeaders } from './node-span.ts'
import type { TokenCounts } from './token-counts.ts'
import type { ResponseHead } from './wire/response-head.ts'

/** A request to be sent to a node. */
export interface Work {
  /** The runtime's path, with its query. */
  readonly path: string
  readonly headers: string[]
  readonly body: Buffer
  readonly requirements: NodeRequirements
  readonly caller: string
  readonly priority: Priority
  /** Further nodes after one that may have worked on the request. */
  readonly maxRetries: number
  /** Whether another node may continue the stream when its node fails. */
  readonly mayContinue?: boolean
  /** Sent by the platform's gateway, which counts it. */
  readonly isFromGateway: boolean
  /** The headers of the caller's trace. */
  readonly trace?: TraceHeaders | undefined
  /** Called once, at the end of a request that is charged. */
  readonly onEnd?: ((end: WorkEnd) => void) | undefined
}

/** How a charged request ended. */
export interface WorkEnd {
  readonly outcome: 'answered' | 'failed' | 'cancelled'
  /** A node had begun to answer, or may have worked on a request that was cancelled. */
  readonly begun: boolean
  readonly status: number | undefined
  /** Undefined when the response has no counts. */
  readonly counts: TokenCounts | undefined
  readonly bytes: number
  /** Lines of the response: a stream has about one for each token. */
  readonly lines: number
}

/** Bytes that stand for one token where a response has neither counts nor lines. */
const bytesPerToken = 4

/** The tokens of a request: the counts of its node, else an estimate from the response. */
export function tokensOf({ begun, status = 200, counts, lines, bytes }: WorkEnd): number {
  if (!begun || status >= 400) return 0
  if (counts !== undefined) return counts.prompt + counts.completion
  return lines > 1 ? lines : Math.ceil(bytes / bytesPerToken)
}

/** Receives the response. Calls come in the order whole, or begin, data and continued…, end or breakOff, or else fail. */
export interface Receiver {
  whole(head: ResponseHead, body: Buffer, routing: ResponseRouting): void
  begin(head: ResponseHead, routing: ResponseRouting): void
  /** The bytes are valid during the call. Returns false for backpressure; the receiver then calls `resume` of the exchange. */
  data(chunk: Buffer): boolean
  /** Another node continues the stream. */
  continued(node: TrackedNode): void
  end(): void
  /** The node failed after the response had started. */
  breakOff(failure: Failure): void
  fail(failure: Failure): void
}

export interface ResponseRouting {
  readonly node: TrackedNode
  readonly attempts: number
  /** Position in the queue on arrival; 0 without a wait. */
  readonly position: number
  /** The stream may be continued by another node. */
  readonly mayContinue: boolean
}
