import { Copyable } from '../../parts/Copyable.tsx'
import type { Detail } from '../../parts/DetailList.tsx'
import { describeExactDollars } from '../../parts/describe-amount.ts'
import { Status } from '../../parts/Status.tsx'
import { describeMoment } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { describeProvider } from '../providers/provider-words.ts'
import { AccountName } from './AccountName.tsx'
import { describeOutcome } from './call-words.ts'
import type { Call } from './usage-queries.ts'

/** The outcome of a call, its model and its time. */
export function outcomeDetails(call: Call): Detail[] {
  const { outcome, failure_code, cache_hit, attempts, model, requested_model, provider, started_at } = call
  return [
    { name: 'Outcome', value: <Status {...describeOutcome(outcome)} /> },
    ...(failure_code === null
      ? []
      : [{ name: 'Error', value: <Copyable text={failure_code} what="code" /> }]),
    { name: 'Model', value: <Copyable text={model} what="model" /> },
    ...(requested_model === model
      ? []
      : [{ name: 'Requested model', value: <Copyable text={requested_model} what="requested model" /> }]),
    { name: 'Provider', value: describeProvider(provider) },
    { name: 'Cache', value: cache_hit ? 'Hit' : 'Miss' },
    { name: 'Attempts', value: attempts === 1 ? '1' : `${attempts}, including fallbacks` },
    {
      name: 'Time',
      value: (
        <span>
          {describeMoment(new Date(started_at))} (<RelativeTime at={started_at} />)
        </span>
      ),
    },
  ]
}

/** Tokens, cost and duration of a call. */
export function usageDetails(call: Call): Detail[] {
  const { input_tokens, cached_input_tokens, output_tokens, estimated, first_token_ms, latency_ms } = call
  return [
    { name: 'Tokens in', value: countTokens(input_tokens) },
    { name: 'Cached tokens in', value: countTokens(cached_input_tokens) },
    { name: 'Tokens out', value: countTokens(output_tokens) },
    { name: 'Cost', value: exactCostOf(call) },
    { name: 'Price source', value: priceOf(call) },
    ...(estimated
      ? [{ name: 'Counted', value: 'The provider reported no complete count: this is the maximum.' }]
      : []),
    { name: 'First token', value: describeTime(first_token_ms) },
    { name: 'Duration', value: describeTime(latency_ms) },
  ]
}

/** A number of tokens. */
export function countTokens(tokens: number | null): string {
  return tokens === null ? 'not counted' : tokens.toLocaleString()
}

/** A duration; a dash when it is unknown. */
export function describeTime(ms: number | null): string {
  return ms === null ? '–' : describeMilliseconds(ms)
}

/** Where a call comes from. */
export function originDetails({ account, source, id }: Call): Detail[] {
  return [
    { name: 'Account', value: <AccountName id={account} /> },
    { name: 'Source', value: source === 'gateway' ? 'Gateway' : source },
    { name: 'ID', value: <Copyable text={id} what="call ID" /> },
  ]
}

/** The exact cost of a call. */
export function exactCostOf({ micro_dollars, unpriced }: Call): string {
  if (unpriced) return 'Price unknown'
  return describeExactDollars(micro_dollars)
}

/** The source of the price, with the version of the price table or the time a custom price was set. */
function priceOf({ price_source, price_version }: Call): string {
  if (price_source === 'free') return 'Free'
  if (price_source === 'unpriced') return 'Unknown'
  const source = price_source === 'override' ? 'Custom' : 'Price table'
  return price_version === null ? source : `${source}, ${price_version}`
}
