import {
  canonicalModelName,
  type Metered,
  type MeteredRequest,
  type MeterRequest,
  tokensOf,
  type WorkEnd,
} from '#cluster'
import { kernelFailure } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import type { Budget } from '../budgets/budget.ts'
import { type Attempt, createAttempt } from '../gateway/attempt.ts'
import { type Bound, imageTokens, type OutputLimits, priceBound } from '../gateway/bound.ts'
import type { CallAccounting } from '../gateway/call-accounting.ts'
import { unobservedCall } from '../gateway/call-observer.ts'
import type { CatalogueEntry } from '../gateway/catalogue-entry.ts'
import type { Ending } from '../gateway/charge.ts'
import { startCall } from '../gateway/gateway-call.ts'
import type { ModelAdmission } from '../limits/admission.ts'
import { allModels, type ModelLimits } from '../limits/model-limits.ts'
import type { PriceOverride, PriceOverrides } from '../prices/price-overrides.ts'
import type { TokenUsage } from '../providers/provider.ts'
import type { Tokenizer } from '../providers/tokenizer.ts'
import { originOf } from '../routes/requests/gateway-request.ts'
import { freePaths, type MeteredBody, readMeteredBody } from './meter-body.ts'

interface MeterOptions {
  readonly overrides: Pick<PriceOverrides, 'read'>
  readonly modelLimits: Pick<ModelLimits, 'read'>
  readonly admission: Pick<ModelAdmission, 'admit'>
  readonly accountBudgetOf: (principal: Principal) => Budget
  readonly callAccounting: CallAccounting
  readonly tokenizer: Pick<Tokenizer, 'of'>
  readonly limits: OutputLimits
}

/** Tokens that a node adds around each message or part. */
const tokensAroundPart = 16

/**
 * Charges requests that accounts send to the port of the cluster, for models that an operator has priced, and applies the limits of
 * models. Prices, budgets, limits and records are those of the gateway.
 */
export function createRequestMeter({
  overrides,
  modelLimits,
  admission,
  accountBudgetOf,
  callAccounting,
  tokenizer,
  limits,
}: MeterOptions): MeterRequest {
  const findPrice = createFind(() => overrides.read())
  const findLimit = createFind(() => modelLimits.read())

  /** Waits for a slot of the model; undefined when neither the model nor the provider has a limit. */
  async function admit({ model, modelAsGiven, caller, signal }: MeteredRequest) {
    const limit = await findLimit(model)
    if (limit === undefined && (await findLimit(canonicalModelName(allModels))) === undefined)
      return undefined
    return await admission.admit({
      provider: 'ollama',
      model: limit?.model ?? modelAsGiven,
      accountId: caller.id ?? '',
      signal,
      mayWait: true,
    })
  }

  /** Reserves the most that the request can cost. */
  async function reserve(
    { path, modelAsGiven, body, caller, headers, signal }: MeteredRequest,
    override: PriceOverride,
    countTokens: Attempt['countTokens'],
  ): Promise<Metered> {
    const { id: accountId } = caller
    if (accountId === null) {
      throw kernelFailure('authentication_required', {
        message: `the model ${modelAsGiven} has a price, and this port does not know the accounts of its callers: use the gateway of the platform, or set CLUSTER_API_KEY`,
      })
    }
    const metered = readMeteredBody(path, body, limits)
    const entry = entryOf(override)
    const bounds = boundsOf(entry, metered)
    const call = startCall(
      {
        accountId,
        source: 'cluster',
        origin: originOf(caller, headers),
        // The cluster counts the tokens of API keys itself.
        limits: caller.limits && { ...caller.limits, tokensPerMinute: undefined },
        call: { model: modelAsGiven },
      },
      () => unobservedCall,
    )
    const request = { budget: accountBudgetOf(caller), signal }
    const reserved = await callAccounting.reserve(request, call, { entry, number: 1, bounds })
    if ('skipped' in reserved) throw reserved.skipped
    const { bound } = reserved
    const maxTokens = bound?.maxTokens ?? metered.limits[0] ?? 0
    const attempt = createAttempt(call, {
      entry,
      number: 1,
      bound,
      reservation: reserved.reservation,
      countTokens,
      estimateInput: () => tokenizer.of(call.accountId).estimate(metered.text),
    })
    return {
      body: Buffer.from(JSON.stringify(metered.limitTo(maxTokens))),
      settle: (end) => void callAccounting.close(attempt, endingOf(attempt, end)),
    }
  }

  return async (request) => {
    if (freePaths.has(request.path)) return undefined
    const price = await findPrice(request.model)
    const admitted = await admit(request)
    try {
      const reserved = price && (await reserve(request, price, admitted?.countTokens))
      if (admitted === undefined) return reserved
      return {
        body: reserved?.body,
        settle(end) {
          admitted.release()
          if (reserved === undefined) admitted.countTokens?.(tokensOf(end))
          else reserved.settle(end)
        },
      }
    } catch (error) {
      admitted?.release()
      throw error
    }
  }
}

/** Finds the settings of a model of the cluster by its canonical name. */
function createFind<Entry extends { readonly provider: string; readonly model: string }>(
  read: () => Promise<ReadonlyMap<string, Entry>>,
): (model: string) => Promise<Entry | undefined> {
  let indexed: ReadonlyMap<string, Entry> | undefined
  let byModel: ReadonlyMap<string, Entry> = new Map()
  return async (model) => {
    const known = await read()
    if (known !== indexed) {
      const ofCluster = [...known.values()].filter(({ provider }) => provider === 'ollama')
      byModel = new Map(ofCluster.map((entry) => [canonicalModelName(entry.model), entry]))
      indexed = known
    }
    return byModel.get(model)
  }
}

function entryOf({ model, input, cachedInput, output, updatedAt }: PriceOverride): CatalogueEntry {
  return {
    provider: 'ollama',
    model: {
      id: model,
      ownedBy: 'library',
      created: null,
      available: true,
      loaded: false,
      nodes: [],
      size: null,
      capabilities: [],
      contextLength: null,
      maxOutputTokens: null,
    },
    price: {
      source: 'override',
      prices: { input, cachedInput, output },
      version: updatedAt.toISOString(),
    },
  }
}

/** A token is at least one byte, so there are no more input tokens than bytes. */
function boundsOf(
  { price }: CatalogueEntry,
  { text, images, parts, limits, choices }: MeteredBody,
): readonly Bound[] {
  const inputTokens = Buffer.byteLength(text) + parts * tokensAroundPart + images * imageTokens
  return limits.flatMap((maxTokens) => {
    const tokens = { inputTokens: inputTokens * choices, outputTokens: maxTokens * choices }
    const bound = priceBound(price, tokens)
    return bound === undefined ? [] : { ...bound, maxTokens }
  })
}

/** Bytes that stand for one token in the estimate of the output. */
const bytesPerToken = 4

/**
 * | request                                     | ends as                                                        |
 * |---------------------------------------------|----------------------------------------------------------------|
 * | refused by the cluster or a node            | refused: free                                                  |
 * | cancelled before it was sent to a node      | refused: free                                                  |
 * | answered                                    | answered, with the counts of the node                          |
 * | answered without counts                     | answered, estimated: a line of a stream is about one token     |
 * | cut off, cancelled                          | cut off, estimated in the same way                             |
 */
function endingOf(attempt: Attempt, end: WorkEnd): Ending {
  const { outcome, begun, status = 200, counts, lines, bytes } = end
  if (!begun || status >= 400) return { outcome: 'failed', kind: 'refused', code: 'provider_refused' }
  const seen = lines > 1 ? lines * bytesPerToken : bytes
  attempt.onPart({ type: 'raw', bytes: Buffer.alloc(0), outputBytes: seen })
  if (outcome === 'cancelled') return { outcome }
  if (outcome === 'failed') return { outcome, kind: 'unavailable', code: 'answer_broke_off' }
  const usage: TokenUsage = {
    inputTokens: counts === undefined || counts.prompt === 0 ? null : counts.prompt,
    cachedInputTokens: null,
    outputTokens: counts === undefined ? null : counts.completion,
  }
  return { outcome, usage }
}
