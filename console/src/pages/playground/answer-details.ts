import type { ApiFailure } from '../../api/api-failure.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { describeProvider } from '../providers/provider-words.ts'
import type { Call } from '../usage/usage-queries.ts'
import type { Answer } from './answer.ts'
import type { Turn } from './conversation.ts'

export interface AnswerDetail {
  readonly name: string
  /** Undefined while loading. */
  readonly value: string | undefined
  readonly title?: string
}

/** The minimum time to compute a speed: in a shorter time the text arrived in one piece. */
const leastMs = 20

/** Tokens per second after the first token. */
export function describeSpeed(answer: Answer, outputTokens: number | null | undefined): string {
  const { firstMs, totalMs } = answer
  const flowMs = firstMs === undefined || totalMs === undefined ? 0 : totalMs - firstMs
  if (!outputTokens || outputTokens < 2 || flowMs < leastMs) return '–'
  // The first token starts the measured time, so it is not counted.
  const perSecond = ((outputTokens - 1) * 1000) / flowMs
  return `${perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1)} tokens/s`
}

/** Describes the cost of an answer. An unknown cost is never shown as free. */
export function describeCost({
  micro_dollars,
  unpriced,
  cache_hit,
  price_source,
  estimated,
}: Pick<Call, 'micro_dollars' | 'unpriced' | 'cache_hit' | 'price_source' | 'estimated'>): string {
  if (cache_hit) return 'free'
  if (unpriced) return 'price unknown'
  if (price_source === 'free') return 'free'
  return estimated ? `${describeDollars(micro_dollars)} at most` : describeDollars(micro_dollars)
}

/** The stats of a finished answer. `call` is its record: null when there is none. */
export function listDetails({ model, answer }: Turn, call: Call | null | undefined): readonly AnswerDetail[] {
  const { by, firstMs, totalMs } = answer
  if (by === undefined) return []
  const tokens = tokensOf(answer, call)
  const waits = call === undefined ? undefined : 'not recorded'
  return [
    { name: 'Provider', value: describeProvider(by.provider) },
    ...(by.model === model ? [] : [{ name: 'Requested model', value: model }]),
    ...(by.attempts > 1
      ? [{ name: 'Attempts', value: String(by.attempts), title: 'Number of models tried' }]
      : []),
    ...(by.cache === 'hit' ? [{ name: 'Cache', value: 'hit', title: 'Answered from the cache' }] : []),
    { name: 'Tokens', value: tokens === undefined ? waits : describeTokens(tokens) },
    { name: 'First token', value: firstMs === undefined ? '–' : describeTime(firstMs) },
    { name: 'Total', value: totalMs === undefined ? '–' : describeTime(totalMs) },
    { name: 'Speed', value: describeSpeed(answer, tokens?.output) },
    { name: 'Cost', value: call ? describeCost(call) : waits },
  ]
}

function describeTime(ms: number): string {
  return describeMilliseconds(Math.round(ms))
}

interface Counted {
  readonly input: number | null
  readonly cached: number | null
  readonly output: number | null
  readonly estimated: boolean
}

/** The token counts of the provider; of an interrupted answer, those of the call record. */
function tokensOf({ tokens }: Answer, call: Call | null | undefined): Counted | undefined {
  if (tokens !== undefined) return { ...tokens, estimated: false }
  if (!call) return undefined
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output, estimated } = call
  return { input, cached, output, estimated }
}

function describeTokens({ input, cached, output, estimated }: Counted): string {
  if (input === null && output === null) return 'not counted'
  const remembered = cached === null || cached === 0 ? '' : ` (${count(cached)} cached)`
  return `${count(input)} in${remembered}, ${count(output)} out${estimated ? ' at most' : ''}`
}

function count(amount: number | null): string {
  return amount === null ? '?' : amount.toLocaleString()
}

const letOthers = 'or set a fallback'

/** The advice for each error code. */
const ways: Readonly<Record<string, string>> = {
  model_not_found: 'Choose another model.',
  unsupported: 'Choose another model, or remove the options this one does not support.',
  provider_refused: 'Fix the named field and retry.',
  insufficient_quota:
    'The budget resets at midnight UTC. Until then request fewer tokens or choose a cheaper model.',
  rate_limit_exceeded: 'The hourly request limit of your tier is reached. Retry later.',
  model_limit_reached: `Retry in a moment, ${letOthers}.`,
  provider_rate_limited: `Retry in a moment, ${letOthers}.`,
  provider_unavailable: `Retry in a moment, choose another model, ${letOthers}.`,
  provider_timeout: `Retry, choose another model, ${letOthers}.`,
  answer_broke_off: 'Retry. The partial answer is kept until then.',
  insufficient_scope: 'Ask an administrator for the required permission.',
  unreachable: 'Check that the server is running and reachable, then retry.',
}

/** The advice for a failed answer. */
export function explainFailure({ code, status, problems }: ApiFailure): string {
  const known = Object.hasOwn(ways, code) ? ways[code] : undefined
  if (known !== undefined) return known
  if (problems.length > 0) return 'Fix the named setting and retry.'
  return status >= 500
    ? 'Retry. If it keeps failing, search the server log for the request ID.'
    : 'Fix the named field and retry.'
}
