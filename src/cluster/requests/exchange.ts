import { performance } from 'node:perf_hooks'
import type { Failure } from '#kernel/errors'
import type { Tracing } from '#kernel/telemetry'
import type { Balancer, NodeRequirements } from '../balancing/balancer.ts'
import type { NodeRegistry } from '../nodes/registry.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import type { Admission } from '../queue/admission.ts'
import type { Priority } from '../queue/fair-queue.ts'
import { planCall } from '../translation/plan-call.ts'
import { Attempt, type AttemptRules } from './attempt.ts'
import { CompatibleContinuation } from './compatible-continuation.ts'
import { Continuation, type StreamContinuation } from './continuation.ts'
import { explainFailure, explainMissingModel } from './explain-failure.ts'
import { type FailedAttempt, isRetry, needsBudget } from './failed-attempt.ts'
import type { Indexed, IndexedList } from './indexed-list.ts'
import type { NodePools } from './node-pools.ts'
import { type NodeSpan, startNodeSpan } from './node-span.ts'
import type { RequestMetrics } from './request-metrics.ts'
import { framingOf } from './response-content.ts'
import { ResponseCounts } from './response-counts.ts'
import type { RetryBudget } from './retry-budget.ts'
import type { TokenCounts } from './token-counts.ts'
import type { Traffic } from './traffic.ts'
import type { ResponseHead } from './wire/response-head.ts'
import type { Receiver, ResponseRouting, Work, WorkEnd } from './work.ts'

export interface ExchangeContext {
  readonly registry: NodeRegistry
  readonly balancer: Balancer
  readonly admission: Admission
  readonly pools: NodePools
  /** The exchanges that are not over. */
  readonly running: IndexedList<Exchange>
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
 * | asking    | the node is unhealthy and another is healthy  | asking                                            |
 * | asking    | first byte                                    | answering                                         |
 * | answering | the end                                       | over: `end`                                       |
 * | answering | the node fails, and another can continue      | answering: `continued`, when that one begins      |
 * | answering | the node fails                                | over: `breakOff`                                  |
 * | any       | `cancel`: the caller is gone                  | over; the node's work is cancelled                |
 * | any       | `shutDown`                                    | over: `fail` or `breakOff`; the same              |
 */
export class Exchange implements Indexed {
  /** In the list of those that are not over. */
  index = -1
  #work: Work
  readonly #receiver: Receiver
  readonly #context: ExchangeContext
  readonly #startedMs = performance.now()
  readonly #leaveBudget: () => void
  readonly #counts: ResponseCounts
  /** Nodes that returned an error status; the retries show whether the node or the request is at fault. */
  readonly #suspects: { readonly node: TrackedNode; readonly failure: FailedAttempt }[] = []
  #tried: Set<TrackedNode> | undefined
  #endRetry: (() => void) | undefined
  #node: TrackedNode | undefined
  #attempt: Attempt | undefined
  #span: NodeSpan | undefined
  /** Follows the stream, if it may be continued. */
  #continuation: StreamContinuation | undefined
  /** Why the previous node of a continued stream failed, until the next one begins. */
  #interruption: Failure | undefined
  #attempts = 0
  #retries = 0
  #askedMs = 0
  #position = 0
  /** The node has not begun its response. */
  #isPending = false
  #answering = false
  #isOver = false
  #status: number | undefined

  constructor(work: Work, receiver: Receiver, context: ExchangeContext) {
    this.#work = work
    this.#receiver = receiver
    this.#context = context
    this.#leaveBudget = context.budget.enter()
    this.#counts = new ResponseCounts({ isCharged: work.onEnd !== undefined })
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
    this.#context.running.add(this)
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
    if (this.#finish('cancelled')) this.#leave()
  }

  /** The service stops: the caller gets the failure, and the node is not at fault. */
  shutDown(failure: Failure): void {
    if (!this.#finish('failed')) return
    this.#leave()
    if (this.#answering) this.#receiver.breakOff(failure)
    else this.#receiver.fail(failure)
  }

  #leave(): void {
    this.#context.admission.leave(this)
    this.#attempt?.cancel()
    if (this.#node !== undefined) this.#leaveNode(this.#node, 'cancelled')
  }

  whole(head: ResponseHead, body: Buffer): void {
    const node = this.#node
    if (node === undefined) return
    if (this.#interruption !== undefined) {
      this.#giveUp(node, this.#interruption)
      return
    }
    if (head.status === 404 && body.includes('model')) {
      // Applies only to the requested model: the runtime may have read another name from the body.
      const isLacking = body.includes(this.requirements.modelAsGiven)
      if (isLacking) node.lacks(this.requirements.model)
      this.#leaveNode(node, 'failed', 'lacks')
      if (this.#tryAnother(node, { kind: 'lacks', reason: 'does not have the model' })) return
      if (!this.#finish('failed')) return
      if (isLacking) this.#receiver.fail(explainMissingModel(node, this.requirements.modelAsGiven, body))
      else this.#receiver.whole(head, body, this.#routing(node))
      return
    }
    this.#firstByte(node)
    this.#status = head.status
    this.#answering = true
    this.#counts.add(body)
    const counts = this.#succeed(node)
    if (this.#finish('answered', counts)) this.#receiver.whole(head, body, this.#routing(node))
  }

  begin(head: ResponseHead): void {
    const node = this.#node
    if (node === undefined) return
    const framing = head.status === 200 ? framingOf(head) : undefined
    if (this.#interruption !== undefined) {
      if (framing === this.#continuation?.framing) this.#goOn(node)
      else this.#giveUp(node, this.#interruption)
      return
    }
    if (framing !== undefined && this.#work.mayContinue === true) {
      const { path, body } = this.#work
      const Following = framing === 'line' ? Continuation : CompatibleContinuation
      this.#continuation = new Following(path, body)
    }
    this.#answering = true
    this.#status = head.status
    this.#firstByte(node)
    this.#receiver.begin(head, this.#routing(node))
  }

  #goOn(node: TrackedNode): void {
    this.#interruption = undefined
    this.#firstByte(node)
    this.#context.metrics.continued(node.id)
    this.#receiver.continued(node)
  }

  /** The node does not continue the stream, for which it is not at fault: not every runtime takes the beginning of an answer. */
  #giveUp(node: TrackedNode, failure: Failure): void {
    this.#attempt?.cancel()
    this.#leaveNode(node, 'failed', 'continuation')
    if (this.#finish('failed')) this.#receiver.breakOff(failure)
  }

  data(chunk: Buffer): void {
    if (this.#isOver) return
    const passed = this.#continuation === undefined ? chunk : this.#continuation.take(chunk)
    if (passed !== undefined) this.#pass(passed)
  }

  #pass(data: Buffer): void {
    this.#counts.add(data)
    if (!this.#receiver.data(data)) this.#attempt?.pause()
  }

  end(): void {
    if (this.#node === undefined) return
    const rest = this.#continuation?.rest()
    if (rest !== undefined) this.#pass(rest)
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
      const explained = explainFailure(failure, node, this.#attempts)
      if (this.#continueElsewhere(node, failure, explained)) return
      if (this.#finish('failed')) this.#receiver.breakOff(explained)
      return
    }
    if (this.#tryAnother(node, failure)) return
    this.#blameSuspects()
    if (this.#finish('failed')) this.#receiver.fail(explainFailure(failure, node, this.#attempts))
  }

  /** The request waits for the first byte of a node that became unhealthy. */
  get isStranded(): boolean {
    const status = this.#isPending ? this.#node?.health.status : undefined
    return status === 'unhealthy' || status === 'probing'
  }

  /** The node became unhealthy before its first byte, or another became healthy meanwhile. Without another node the request stays. */
  moveOn(): void {
    const node = this.#node
    const attempt = this.#attempt
    if (node === undefined || attempt === undefined) return
    const failure: FailedAttempt = { kind: 'unhealthy', reason: 'became unhealthy before it answered' }
    const other = this.#findOther(node, failure)
    if (other === undefined) return
    attempt.cancel()
    node.load.failures += 1
    this.#leaveNode(node, 'failed', failure.kind)
    this.#retryOn(other, node, failure)
  }

  #ask(node: TrackedNode): void {
    const { pools, attempts, tracing } = this.#context
    this.#node = node
    this.#attempts += 1
    this.#askedMs = performance.now()
    node.load.requests += 1
    this.#span = startNodeSpan(tracing, this.#work, node.url)
    const plan = planCall(this.#span?.request ?? this.#work, this.#work, node, this)
    if (plan.kind === 'answer') {
      this.whole(plan.head, plan.body)
      return
    }
    if (plan.kind === 'refuse') {
      this.#leaveNode(node, 'failed', 'invalid')
      this.refused(plan.failure)
      return
    }
    const attempt = new Attempt(pools.of(node), plan.request, attempts, plan.events)
    plan.onAttempt?.(attempt)
    this.#attempt = attempt
    this.#isPending = true
    attempt.start()
  }

  /** Returns whether another node was asked to continue the stream. */
  #continueElsewhere(node: TrackedNode, failure: FailedAttempt, explained: Failure): boolean {
    const continuation = this.#continuation
    const next = continuation?.next()
    if (continuation === undefined || next === undefined) return false
    this.#interruption = explained
    const suits = ({ runtime }: TrackedNode) => continuation.suits(runtime)
    this.#work = { ...this.#work, ...next, requirements: { ...this.requirements, suits } }
    return this.#tryAnother(node, failure)
  }

  /** Returns whether the request was sent to another node. */
  #tryAnother(failedNode: TrackedNode, failure: FailedAttempt): boolean {
    const other = this.#findOther(failedNode, failure)
    if (other === undefined) return false
    if (needsBudget(failure)) {
      this.#endRetry ??= this.#context.budget.take()
      if (this.#endRetry === undefined) return false
    }
    this.#retryOn(other, failedNode, failure)
    return true
  }

  /** A healthy node that was not tried before. Each node is tried once at most. */
  #findOther(failedNode: TrackedNode, failure: FailedAttempt): TrackedNode | undefined {
    if (this.#isOver || (isRetry(failure) && this.#retries >= this.#work.maxRetries)) return undefined
    this.#tried ??= new Set()
    const choice = this.#context.balancer.choose(this.requirements, this.#tried.add(failedNode))
    return choice.kind === 'node' ? choice.node : undefined
  }

  #retryOn(node: TrackedNode, failedNode: TrackedNode, failure: FailedAttempt): void {
    if (isRetry(failure)) this.#retries += 1
    this.#context.metrics.failover(failedNode.id, failure.kind)
    node.load.active += 1
    this.#ask(node)
  }

  #firstByte(node: TrackedNode): void {
    this.#isPending = false
    const nowMs = performance.now()
    const waitedMs = nowMs - this.#askedMs
    node.load.expectedWait.add(this.requirements.model, waitedMs, nowMs)
    this.#context.metrics.firstByte(node.id, waitedMs)
  }

  #succeed(node: TrackedNode): TokenCounts | undefined {
    const counts = this.#context.metrics.tokens(node.id, this.requirements.model, this.#counts.tail)
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
    this.#isPending = false
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
    return {
      node,
      attempts: this.#attempts,
      position: this.#position,
      mayContinue: this.#continuation !== undefined,
    }
  }

  /** Returns false if the attempt had already ended. */
  #finish(outcome: WorkEnd['outcome'], counts?: TokenCounts): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#context.running.delete(this)
    this.#endRetry?.()
    this.#leaveBudget()
    const { onEnd } = this.#work
    if (onEnd === undefined) return true
    onEnd({
      outcome,
      begun: this.#answering || (outcome === 'cancelled' && this.#node !== undefined),
      status: this.#status,
      counts: counts ?? this.#counts.tokens(),
      bytes: this.#counts.bytes,
      lines: this.#counts.lines,
    })
    return true
  }
}

function observationOf({ kind }: FailedAttempt) {
  return kind === 'refused' ? 'request refused' : 'request failed'
}
