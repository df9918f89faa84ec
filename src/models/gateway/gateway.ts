import { Failure } from '#kernel/errors'
import type { Logger, Metrics } from '#kernel/telemetry'
import type { ModelProvider, ProviderName } from '../providers/provider.ts'
import type { UsageRecorder } from '../usage/usage-recorder.ts'
import type { AnswerCache } from './answer-cache.ts'
import { askChat } from './ask-chat.ts'
import { askEmbed } from './ask-embed.ts'
import { askInTurn } from './ask-in-turn.ts'
import { beginCall } from './asked-call.ts'
import { createBooks } from './books.ts'
import { type CallsUnderWay, createCallsUnderWay } from './calls-under-way.ts'
import { findCandidates, type Wish } from './candidates.ts'
import type { CatalogueEntry, CatalogueSource } from './catalogue-entry.ts'
import type { Gateway } from './contract.ts'
import type { DefaultModels } from './default-chain.ts'
import { runtimeFieldsOf } from './eligible.ts'
import { createGatewayMetrics } from './gateway-metrics.ts'
import { requireShallow } from './nesting.ts'

export interface GatewayOptions {
  readonly providers: readonly ModelProvider[]
  readonly catalogue: CatalogueSource
  readonly cache: AnswerCache
  readonly usage: UsageRecorder
  readonly log: Logger
  readonly metrics: Metrics
  readonly settings: DefaultModels
  /** Counts the calls that providers are working on. */
  readonly calls?: CallsUnderWay
}

/** Puts the way to a model together: candidates, money, asking, memory, records. */
export function createGateway(options: GatewayOptions): Gateway {
  const { providers, catalogue, cache, usage, log, settings, calls = createCallsUnderWay() } = options
  const metrics = createGatewayMetrics(options.metrics, cache)
  const books = createBooks({ usage, metrics, log })
  const byName = new Map<ProviderName, ModelProvider>(providers.map((provider) => [provider.name, provider]))

  async function candidatesFor(wish: Wish): Promise<readonly CatalogueEntry[]> {
    const entries = await catalogue.find()
    try {
      return findCandidates(
        wish,
        entries.filter(({ provider }) => byName.has(provider)),
        settings,
      )
    } catch (error) {
      if (error instanceof Failure) metrics.refused(error.code)
      throw error
    }
  }

  function providerOf({ provider }: CatalogueEntry): ModelProvider {
    const found = byName.get(provider)
    if (found === undefined) throw new TypeError(`nobody is ${provider}`)
    return found
  }

  return {
    async chat(request) {
      requireShallow({ format: request.call.format, runtime: request.call.runtime })
      const call = beginCall(request)
      const candidates = await candidatesFor({
        model: request.call.model,
        fallback: request.fallback,
        preferred: request.preferred,
        avoided: request.avoided,
        need: { capability: 'completion', runtimeFields: runtimeFieldsOf(request.call.runtime) },
      })
      return askInTurn({
        candidates,
        books,
        metrics,
        ask: (entry, number) =>
          askChat({
            request,
            call,
            entry,
            number,
            provider: providerOf(entry),
            books,
            cache,
            calls,
            metrics,
            log,
          }),
      })
    },

    async embed(request) {
      const call = beginCall(request)
      const candidates = await candidatesFor({
        model: request.call.model,
        fallback: request.fallback,
        need: { capability: 'embedding', runtimeFields: [] },
      })
      return askInTurn({
        candidates,
        books,
        metrics,
        ask: (entry, number) =>
          askEmbed({ request, call, entry, number, provider: providerOf(entry), books, calls, log }),
      })
    },
  }
}
