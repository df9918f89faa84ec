import { describeDollars } from '../../parts/describe-amount.ts'

/** The estimated cost as the end of a sentence; empty when it is not known. */
export function describeEstimate(dollars: number | null | undefined): string {
  return dollars === null || dollars === undefined
    ? ''
    : `, about ${describeDollars(Math.round(dollars * 1e6))}`
}
