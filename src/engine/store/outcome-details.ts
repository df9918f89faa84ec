import type { OutcomeDetails } from '../execution/facts.ts'
import { noUsage } from '../steps/step-run.ts'
import type { StepOutcome } from './commit.ts'

type Details = StepOutcome['details']

/** What most steps say, and what is therefore not stored. */
const usual: Readonly<Record<string, unknown>> = {
  confidence: null,
  quality: null,
  decision: null,
  cpu_ms: 0,
} satisfies Omit<OutcomeDetails, 'usage' | 'aborted'>

/** Details as they are stored: without what is as usual. */
export function packDetails(details: Details): Details {
  const { usage, ...rest } = details
  const packed = without(rest, usual)
  return usage === undefined || usage === noUsage
    ? packed
    : { ...packed, usage: without(usage as Details, noUsage as unknown as Details) }
}

/** Details as they were before they were stored. Steps that did not run have none of the usual ones. */
export function unpackDetails(state: StepOutcome['state'], details: Details): Details {
  if (state === 'skipped') return details
  return { ...usual, ...details, usage: { ...noUsage, ...(details['usage'] as object | undefined) } }
}

function without(values: Details, defaults: Details): Details {
  const kept: Record<string, unknown> = {}
  for (const name in values) if (defaults[name] !== values[name]) kept[name] = values[name]
  return kept
}
