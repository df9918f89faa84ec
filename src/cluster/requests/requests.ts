import type { Metrics, Tracing } from '#kernel/telemetry'
import { type Balancer, createBalancer } from '../balancing/balancer.ts'
import type { NodeRegistry } from '../nodes/registry.ts'
import { type Admission, createAdmission } from '../queue/admission.ts'
import type { RequestRules } from '../settings.ts'
import { Deadlines } from './deadlines.ts'
import { Exchange, type ExchangeContext, type Receiver, type Work } from './exchange.ts'
import { createNodePools } from './node-pools.ts'
import { measureRequests } from './request-metrics.ts'
import { createRetryBudget } from './retry-budget.ts'
import { createTraffic, type OnTraffic, type Traffic } from './traffic.ts'

/** Sends requests to nodes. */
export interface Requests extends AsyncDisposable {
  readonly balancer: Balancer
  readonly admission: Admission
  readonly traffic: Traffic
  /** Sends a request to a node; the receiver gets the response. Cancel the exchange when the response is no longer needed. */
  begin(work: Work, receiver: (resume: () => void) => Receiver): Exchange
}

interface RequestsOptions {
  readonly registry: NodeRegistry
  readonly rules: RequestRules
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly onTraffic: OnTraffic | undefined
}

export function createRequests({ registry, rules, metrics, tracing, onTraffic }: RequestsOptions): Requests {
  const { strategy, nodeConcurrency, queueLimit, queueWaitMs, firstByteMs, stallMs } = rules
  const balancer = createBalancer({ registry, strategy, nodeConcurrency })
  const admission = createAdmission({ registry, balancer, queueLimit, maxWaitMs: queueWaitMs })
  const deadlines = new Deadlines()
  const pools = createNodePools(deadlines)
  registry.watchWith({ added() {}, removed: (node) => pools.drop(node), disturbed() {} })
  const traffic = createTraffic(onTraffic)
  const context: ExchangeContext = {
    registry,
    balancer,
    admission,
    pools,
    budget: createRetryBudget(),
    metrics: measureRequests({ metrics, depths: () => admission.depths() }),
    attempts: { deadlines, firstByteMs, stallMs },
    traffic,
    tracing,
  }
  return {
    balancer,
    admission,
    traffic,
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
      admission[Symbol.dispose]()
      pools[Symbol.dispose]()
      deadlines[Symbol.dispose]()
    },
  }
}
