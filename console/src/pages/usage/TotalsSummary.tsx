import { describeExactDollars } from '../../parts/describe-amount.ts'
import { Status } from '../../parts/Status.tsx'
import { type SummaryCell, SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { describeTotalCost, describeUnpriced, meanOf } from './call-words.ts'
import type { UsageTotals } from './usage-queries.ts'

/** The totals of the whole range. */
export function TotalsSummary({ totals }: { totals: UsageTotals | undefined }) {
  return <SummaryStrip cells={cellsOf(totals)} isLoading={totals === undefined} />
}

function cellsOf(totals: UsageTotals | undefined): readonly SummaryCell[] {
  if (totals === undefined) {
    return ['Calls', 'Cost', 'Tokens in', 'Tokens out', 'Cache hits', 'First token'].map((name) => ({
      name,
    }))
  }
  const { calls, failures, cancelled, cache_hits: hits, micro_dollars } = totals
  const answered = calls - failures - cancelled - hits
  const firstMs = meanOf(totals.first_token_ms_sum, totals.first_token_count)
  const wholeMs = meanOf(totals.latency_ms_sum, answered)
  const unpriced = describeUnpriced(totals)
  return [
    {
      name: 'Calls',
      value: calls.toLocaleString(),
      note: <Endings failures={failures} cancelled={cancelled} />,
    },
    {
      name: 'Cost',
      value: describeTotalCost(totals),
      title: describeExactDollars(micro_dollars),
      note: unpriced === undefined ? 'all calls priced' : <Status tone="warn" word={unpriced} />,
    },
    {
      name: 'Tokens in',
      value: totals.input_tokens.toLocaleString(),
      note: `${totals.cached_input_tokens.toLocaleString()} cached`,
    },
    { name: 'Tokens out', value: totals.output_tokens.toLocaleString(), note: perCall(totals) },
    {
      name: 'Cache hits',
      value: hits.toLocaleString(),
      note: calls === 0 ? 'no calls' : `${Math.round((hits / calls) * 100)} % of calls, free`,
    },
    {
      name: 'First token',
      value: firstMs === undefined ? '–' : describeMilliseconds(firstMs),
      note: wholeMs === undefined ? 'average' : `average; ${describeMilliseconds(wholeMs)} total`,
    },
  ]
}

function perCall({ output_tokens, calls, failures }: UsageTotals): string {
  const mean = meanOf(output_tokens, calls - failures)
  return mean === undefined ? 'no calls' : `${mean.toLocaleString()} per call on average`
}

function Endings({ failures, cancelled }: { failures: number; cancelled: number }) {
  const stopped = cancelled === 0 ? '' : `, ${cancelled.toLocaleString()} stopped`
  if (failures === 0) return `0 failed${stopped}`
  return <Status tone="warn" word={`${failures.toLocaleString()} failed${stopped}`} />
}
