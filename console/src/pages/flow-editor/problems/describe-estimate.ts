import { describeDollars } from '../../../parts/describe-amount.ts'
import { describeDuration } from '../../../time/describe-time.ts'
import type { FlowEstimate } from './validation.ts'

type From = FlowEstimate['from']['cost']

/** Cost and duration of one execution: `about $0.0021 · 4 s`. */
export function describeEstimate({ cost, seconds }: Pick<FlowEstimate, 'cost' | 'seconds'>): string {
  const dollars = cost === null ? 'cost unknown' : describeDollars(Math.round(cost * 1e6))
  const time = seconds === null ? 'time unknown' : describeDuration(seconds)
  if (cost === null && seconds === null) return 'cost and time unknown'
  return cost === null ? `${dollars} · about ${time}` : `about ${dollars} · ${time}`
}

/** The sources of the estimate, in a sentence. */
export function describeSources({ cost, seconds, from }: FlowEstimate): string {
  const costFrom = cost === null ? 'unknown' : describeSource(from.cost)
  const timeFrom = seconds === null ? 'unknown' : describeSource(from.duration)
  return costFrom === timeFrom
    ? `Cost and time of one execution: ${costFrom}.`
    : `Cost of one execution: ${costFrom}. Time: ${timeFrom}.`
}

function describeSource({ source, sample }: From): string {
  switch (source) {
    case 'flow_history':
      return `from ${countOf(sample, 'execution')} of this workflow`
    case 'step_type_history':
      return `from ${countOf(sample, 'step')} of the same types`
    case 'catalogue':
      return 'from the prices of its models'
    case 'metadata':
      return 'set by the author'
    default:
      return 'unknown'
  }
}

function countOf(count: number, what: string): string {
  return `${count.toLocaleString()} ${what}${count === 1 ? '' : 's'}`
}
