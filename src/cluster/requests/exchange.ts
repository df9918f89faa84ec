import { performance } from 'node:perf_hooks'
import type { Failure } from '#kernel/errors'
import type { Tracing } from '#kernel/telemetry'
import type { Balancer, NodeRequirements } from '../balancing/balancer.ts'
import { clusterFailure } from '../errors.ts'
import type { NodeRegistry } from '../nodes/registry.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import type { Admission } from '../queue/admission.ts'
import type { Priority } from '../queue/fair-queue.ts'
import { Attempt, type AttemptRules } from './attempt.ts'
import { type FailedAttempt, readErrorText } from './failed-attempt.ts'
import type { NodePools } from './node-pools.ts'
import { type NodeSpan, startNodeSpan, type TraceHeaders } from './node-span.ts'
import type { RequestMetrics } from './request-metrics.ts'
import { ResponseTail } from './response-tail.ts'
import type { RetryBudget } from './retry-budget.ts'
import { readTokenCounts, type TokenCounts } from './token-counts.ts'
import type { Traffic } from './traffic.ts'
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
  readonly maxRetries: number
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

/** Receives the response. Calls come in the order whole, or begin, data…, end or breakOff, or else fail. */
export interface Receiver {
  whole(head: ResponseHead, body: Buffer, routing: ResponseRouting): void
  begin(head: ResponseHead, routing: ResponseRouting): void
  /** Returns false for backpressure; the receiver then calls `resume` of the exchange. */
  data(chunk: Buffer): boolean
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
}

export interface ExchangeContext {
  readonly registry: NodeRegistry
  readonly balancer: Balancer
  readonly admission: Admission
  readonly pools: NodePools
  readonly budget: RetryBudget
  readonly metrics: RequestMetrics
  readonly attempts: AttemptRules
  readonly traffic: Pick<Traffic, 'tokens'>
  readonly tracing: Tracing
}

/**
 * A request and its response, over as many nodes as needed.
 *
 * | state     | on                                            | next                                              |
 * |-----------|-----------------------------------------------|---------------------------------------------------|
 * | waiting   | a node has a free slot                        | asking                                            |
 * | waiting   | no node can, or the queue is full             | over: `fail`                                      |
 * | asking    | the node fails and can be retried on another  | asking                                            |
 * | asking    | the node fails, and that was the last         | over: `fail`                                      |
 * | asking    | first byte                                    | answering                                         |
 * | answering | the end                                       | over: `end`                                       |
 * | answering | the node fails                                | over: `breakOff`                                  |
 * | any       | `cancel`: the caller is gone                  | over; the node's work is cancelled                |
 */
export class Exchange {
  readonly #work: Work
  readonly #receiver: Receiver
  readonly #context: ExchangeContext
  readonly #startedMs = performance.now()
  readonly #leaveBudget: () => void
  readonly #tail = new ResponseTail()
  /** Nodes that returned an error status; the retries show whether the node or the request is at fault. */
  readonly #suspects: { readonly node: TrackedNode; readonly failure: FailedAttempt }[] = []
  #tried: Set<TrackedNode> | undefined
  #endRetry: (() => void) | undefined
  #node: TrackedNode | undefined
  #attempt: Attempt | undefined
  #span: NodeSpan | undefined
  #attempts = 0
  #askedMs = 0
  #position = 0
  #answering = false
  #isOver = false
  #status: number | undefined
  #bytes = 0
  #lines = 0

  constructor(work: Work, receiver: Receiver, context: ExchangeContext) {
    this.#work = work
    this.#receiver = receiver
    this.#context = context
    this.#leaveBudget = context.budget.enter()
  }

  get requirements(): NodeRequirements {
    return this.#work.requirements
  }
  get caller(): string {
    return this.#work.caller
  }
  get priority(): Priority {
    return this.#work.priority
  }

  start(): void {
    this.#context.admission.enter(this)
  }

  granted(node: TrackedNode, position: number): void {
    this.#position = position
    if (position > 0) this.#context.metrics.waited(performance.now() - this.#startedMs)
    this.#ask(node)
  }

  refused(failure: Failure): void {
    if (this.#finish('failed')) this.#receiver.fail(failure)
  }

  /** The receiver is ready for more data. */
  resume(): void {
    this.#attempt?.resume()
  }

  cancel(): void {
    if (!this.#finish('cancelled')) return
    this.#context.admission.leave(this)
    this.#attempt?.cancel()
    if (this.#node !== undefined) this.#leaveNode(this.#node, 'cancelled')
  }

  whole(head: ResponseHead, body: Buffer): void {
    const node = this.#node
    if (node === undefined) return
    if (head.status === 404 && body.includes('model')) {
      // Applies only to the requested model: the runtime may have read another name from the body.
      const isLacking = body.includes(this.requirements.modelAsGiven)
      if (isLacking) node.lacks(this.requirements.model)
      this.#leaveNode(node, 'failed', 'lacks')
      if (this.#tryAnother(node, { kind: 'lacks', reason: 'does not have the model' })) return
      if (!this.#finish('failed')) return
      if (isLacking) this.#receiver.fail(lackedBy(node, this.requirements.modelAsGiven, body))
      else this.#receiver.whole(head, body, this.#routing(node))
      return
    }
    this.#firstByte(node)
    this.#status = head.status
    this.#answering = true
    this.#count(body)
    const counts = this.#succeed(node)
    if (this.#finish('answered', counts)) this.#receiver.whole(head, body, this.#routing(node))
  }

  begin(head: ResponseHead): void {
    if (this.#node === undefined) return
    this.#answering = true
    this.#status = head.status
    this.#firstByte(this.#node)
    this.#receiver.begin(head, this.#routing(this.#node))
  }

  data(chunk: Buffer): void {
    this.#count(chunk)
    if (!this.#receiver.data(chunk)) this.#attempt?.pause()
  }

  end(): void {
    if (this.#node === undefined) return
    const counts = this.#succeed(this.#node)
    if (this.#finish('answered', counts)) this.#receiver.end()
  }

  failed(failure: FailedAttempt): void {
    const node = this.#node
    if (node === undefined) return
    node.load.failures += 1
    this.#leaveNode(node, 'failed', failure.kind)
    if (failure.kind === 'status') this.#suspects.push({ node, failure })
    else this.#context.registry.report(node, observationOf(failure), `a request ${failure.reason}`)
    if (this.#answering) {
      if (this.#finish('failed')) this.#receiver.breakOff(explain(failure, node, this.#attempts))
      return
    }
    if (this.#tryAnother(node, failure)) return
    this.#blameSuspects()
    if (this.#finish('failed')) this.#receiver.fail(explain(failure, node, this.#attempts))
  }

  #ask(node: TrackedNode): void {
    const { pools, attempts, tracing } = this.#context
    this.#node = node
    this.#attempts += 1
    this.#askedMs = performance.now()
    node.load.requests += 1
    this.#span = startNodeSpan(tracing, this.#work, node.url)
    const attempt = new Attempt(pools.of(node), this.#span?.request ?? this.#work, attempts, this)
    this.#attempt = attempt
    attempt.start()
  }

  /** Returns whether the request was sent to another node. */
  #tryAnother(failedNode: TrackedNode, failure: FailedAttempt): boolean {
    const { balancer, budget, metrics } = this.#context
    if (this.#isOver || this.#attempts > this.#work.maxRetries) return false
    this.#tried ??= new Set()
    const choice = balancer.choose(this.requirements, this.#tried.add(failedNode))
    if (choice.kind !== 'node') return false
    this.#endRetry ??= budget.take()
    if (this.#endRetry === undefined) return false
    metrics.failover(failedNode.id, failure.kind)
    choice.node.load.active += 1
    this.#ask(choice.node)
    return true
  }

  #firstByte(node: TrackedNode): void {
    const nowMs = performance.now()
    const waitedMs = nowMs - this.#askedMs
    node.load.expectedWait.add(this.requirements.model, waitedMs, nowMs)
    this.#context.metrics.firstByte(node.id, waitedMs)
  }

  #count(chunk: Buffer): void {
    this.#tail.add(chunk)
    if (this.#work.onEnd === undefined) return
    this.#bytes += chunk.length
    for (let at = chunk.indexOf(lineBreak); at !== -1; at = chunk.indexOf(lineBreak, at + 1)) this.#lines += 1
  }

  #succeed(node: TrackedNode): TokenCounts | undefined {
    const counts = this.#context.metrics.tokens(node.id, this.requirements.model, this.#tail)
    this.#span?.onTokens(counts)
    this.#leaveNode(node, 'answered')
    if (node.health.failedRequests > 0) this.#context.registry.report(node, 'request good')
    for (const { node: suspect, failure } of this.#suspects) this.#blame(suspect, failure)
    if (counts !== undefined && !this.#work.isFromGateway) this.#context.traffic.tokens(counts)
    return counts
  }

  /** If several nodes fail the same request, the request is at fault; otherwise one caller could make all nodes unhealthy. */
  #blameSuspects(): void {
    const [only, ...others] = this.#suspects
    if (only !== undefined && others.length === 0) this.#blame(only.node, only.failure)
  }

  #blame(node: TrackedNode, failure: FailedAttempt): void {
    this.#context.registry.report(node, 'request failed', `a request was ${failure.reason}`)
  }

  #leaveNode(node: TrackedNode, outcome: 'answered' | 'failed' | 'cancelled', error: string = outcome): void {
    const { admission, metrics, balancer } = this.#context
    this.#node = undefined
    this.#attempt = undefined
    this.#span?.end(outcome === 'answered' ? undefined : error)
    this.#span = undefined
    metrics.left(
      node.id,
      this.requirements.strategy ?? balancer.strategy,
      outcome,
      performance.now() - this.#askedMs,
    )
    admission.release(node)
  }

  #routing(node: TrackedNode): ResponseRouting {
    return { node, attempts: this.#attempts, position: this.#position }
  }

  /** Returns false if the attempt had already ended. */
  #finish(outcome: WorkEnd['outcome'], counts?: TokenCounts): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#endRetry?.()
    this.#leaveBudget()
    const { onEnd } = this.#work
    if (onEnd === undefined) return true
    onEnd({
      outcome,
      begun: this.#answering || (outcome === 'cancelled' && this.#node !== undefined),
      status: this.#status,
      counts: counts ?? readTokenCounts(this.#tail.bytes(), this.#tail.beginning()),
      bytes: this.#bytes,
      lines: this.#lines,
    })
    return true
  }
}

const lineBreak = 0x0a

function observationOf({ kind }: FailedAttempt) {
  return kind === 'refused' ? 'request refused' : 'request failed'
}

/** The node's message with the platform's code: not every runtime has a code for a missing model. */
function lackedBy(node: TrackedNode, model: string, body: Buffer): Failure {
  const said = readErrorText(body)
  return clusterFailure('model_not_found', {
    message: said === '' ? `model '${model}' not found on any node` : said,
    details: { model, node: node.id },
  })
}

function explain({ kind, reason }: FailedAttempt, node: TrackedNode, attempts: number): Failure {
  const code = kind === 'late' || kind === 'stalled' ? 'node_timeout' : 'attempts_failed'
  const tries = attempts === 1 ? '' : `after ${attempts} attempts, the last: `
  return clusterFailure(code, {
    message: `${tries}node ${node.id} ${reason}`,
    details: { node: node.id, attempts },
  })
}
