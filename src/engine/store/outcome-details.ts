import type { OutcomeDetails } from '../execution/stats.ts'
import { noUsage } from '../steps/step-run.ts'
import type { StepOutcome } from './commit.ts'

type Details = StepOutcome['details']
type Values = Readonly<Record<string, unknown>>

/** Defaults that are not stored, because most steps have them. */
const defaultDetails: Readonly<Record<string, unknown>> = {
  confidence: null,
  quality: null,
  decision: null,
  cpu_ms: 0,
} satisfies Omit<OutcomeDetails, 'usage' | 'aborted'>

/** Details without their defaults, as they are stored. */
export function packDetails(details: Details): Values {
  const { usage, ...rest } = details
  const packed = without(rest, defaultDetails)
  return usage === undefined || usage === noUsage
    ? packed
    : { ...packed, usage: without(usage as unknown as Values, noUsage as unknown as Values) }
}

/** Stored details with their defaults. The details of skipped steps have no defaults. */
export function unpackDetails(state: StepOutcome['state'], details: Details): Details {
  if (state === 'skipped') return details
  return { ...defaultDetails, ...details, usage: { ...noUsage, ...(details['usage'] as object | undefined) } }
}

function without(values: Values, defaults: Values): Values {
  const kept: Record<string, unknown> = {}
  for (const name in values) if (defaults[name] !== values[name]) kept[name] = values[name]
  return kept
}
