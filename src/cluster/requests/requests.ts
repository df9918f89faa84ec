import { kernelFailure } from '#kernel/errors'
import type { Metrics, Tracing } from '#kernel/telemetry'
import { type Balancer, createBalancer } from '../balancing/balancer.ts'
import type { NodeRegistry } from '../nodes/registry.ts'
import { type Admission, createAdmission } from '../queue/admission.ts'
import type { RequestRules } from '../settings.ts'
import { Deadlines } from './deadlines.ts'
import { Exchange, type ExchangeContext } from './exchange.ts'
import { IndexedList } from './indexed-list.ts'
import { createNodePools } from './node-pools.ts'
import { measureRequests } from './request-metrics.ts'
import { createRetryBudget } from './retry-budget.ts'
import { createTraffic, type OnTraffic, type Traffic } from './traffic.ts'
import type { Receiver, Work } from './work.ts'

/** Sends requests to nodes. */
export interface Requests extends AsyncDisposable {
  readonly balancer: Balancer
  readonly admission: Admission
  readonly traffic: Traffic
  /** Sends a request to a node; the receiver gets the response. Cancel the exchange when the response is no longer needed. */
  begin(work: Work, receiver: (resume: () => void) => Receiver): Exchange
  /** Ends all requests because the service shuts down: streams with an error line, the others with a response. */
  shutDown(): void
}

interface RequestsOptions {
  readonly registry: NodeRegistry
  readonly rules: RequestRules
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly onTraffic: OnTraffic | undefined
}

export function createRequests({ registry, rules, metrics, tracing, onTraffic }: RequestsOptions): Requests {
  const { strategy, nodeConcurrency, loadedLimit, queueLimit, queueWaitMs, firstByteMs, stallMs } = rules
  const balancer = createBalancer({ registry, strategy, nodeConcurrency, loadedLimit })
  const admission = createAdmission({ registry, balancer, queueLimit, maxWaitMs: queueWaitMs })
  const deadlines = new Deadlines()
  const pools = createNodePools(deadlines)
  const traffic = createTraffic(onTraffic)
  const running = new IndexedList<Exchange>()
  const context: ExchangeContext = {
    registry,
    balancer,
    admission,
    pools,
    running,
    budget: createRetryBudget(),
    metrics: measureRequests({ metrics, depths: () => admission.depths() }),
    attempts: { deadlines, firstByteMs, stallMs },
    traffic,
    tracing,
  }

  /**
   * Moves requests away from unhealthy nodes: a frozen node keeps its connections open and would hold them until their timeout. A request
   * that has no other node stays, and moves when one becomes healthy.
   */
  function moveStranded(): void {
    for (const exchange of running.filter(({ isStranded }) => isStranded)) exchange.moveOn()
  }

  registry.watchWith({
    added() {},
    removed: (node) => pools.drop(node),
    disturbed() {},
    healthChanged: moveStranded,
  })

  function shutDown(): void {
    const failure = kernelFailure('shutting_down', { retryAfterSeconds: 5 })
    for (const exchange of running.filter(() => true)) exchange.shutDown(failure)
  }

  return {
    balancer,
    admission,
    traffic,
    shutDown,
    begin(work, receiver) {
      if (!work.isFromGateway) traffic.request()
      const exchange: Exchange = new Exchange(
        work,
        receiver(() => exchange.resume()),
        context,
      )
      exchange.start()
      return exchange
    },
    async [Symbol.asyncDispose]() {
      shutDown()
      admission[Symbol.dispose]()
      pools[Symbol.dispose]()
      deadlines[Symbol.dispose]()
    },
  }
}
