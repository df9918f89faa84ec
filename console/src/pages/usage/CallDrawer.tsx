import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import type { Detail } from '../../parts/DetailList.tsx'
import { describeExactDollars } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { describeMoment } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { describeProvider } from '../providers/provider-words.ts'
import { AccountName } from './AccountName.tsx'
import { describeOutcome } from './call-words.ts'
import { type Call, callQuery } from './usage-queries.ts'

interface CallDrawerProps {
  readonly id: string
  /** The account filter of the page. */
  readonly account: string | undefined
  readonly onClose: () => void
}

/** All fields of one call. */
export default function CallDrawer({ id, account, onClose }: CallDrawerProps) {
  const { data: call, error, refetch } = useQuery(callQuery(useApi(), id, account))
  return (
    <SideDrawer
      title={call ? `Call of ${call.model}` : 'Call'}
      onClose={onClose}
      returnTo={() => findRow(id)}
    >
      {error === null ? null : (
        <FailureNotice what="The call could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {call === null ? (
        <p>
          No call has the ID <code>{id}</code>. Single calls are deleted after a while.
        </p>
      ) : null}
      {call ? <Details call={call} /> : null}
    </SideDrawer>
  )
}

function Details({ call }: { call: Call }) {
  return (
    <>
      <DetailBox details={[...howItWent(call), ...whatItTook(call), ...whoCalled(call)]} />
      <p>
        <Link to="/playground" search={{ model: call.requested_model }}>
          Open {call.requested_model} in the playground
        </Link>
      </p>
    </>
  )
}

function howItWent(call: Call): Detail[] {
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

function whatItTook(call: Call): Detail[] {
  const { input_tokens, cached_input_tokens, output_tokens, estimated, first_token_ms, latency_ms } = call
  return [
    { name: 'Tokens in', value: count(input_tokens) },
    { name: 'Cached tokens in', value: count(cached_input_tokens) },
    { name: 'Tokens out', value: count(output_tokens) },
    { name: 'Cost', value: costOf(call) },
    { name: 'Price source', value: priceOf(call) },
    ...(estimated
      ? [{ name: 'Counted', value: 'The provider reported no complete count: this is the maximum.' }]
      : []),
    { name: 'First token', value: time(first_token_ms) },
    { name: 'Duration', value: time(latency_ms) },
  ]
}

function count(tokens: number | null): string {
  return tokens === null ? 'not counted' : tokens.toLocaleString()
}

function time(ms: number | null): string {
  return ms === null ? '–' : describeMilliseconds(ms)
}

function whoCalled({ account, source, id }: Call): Detail[] {
  return [
    { name: 'Account', value: <AccountName id={account} /> },
    { name: 'Source', value: source === 'gateway' ? 'Gateway' : source },
    { name: 'ID', value: <Copyable text={id} what="call ID" /> },
  ]
}

function costOf({ micro_dollars, unpriced }: Call): string {
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
