import type { TriedStep } from '../try/try-run.ts'

/** More does not fit into one line of a step. */
const mostSeen = 80

type Told = Pick<TriedStep, 'state' | 'output' | 'error' | 'skippedBecause'>

/** What a try of a step came to, in one line: what it made, why it failed, or why it did not run. */
export function describeTried({ state, output, error, skippedBecause }: Told): string {
  if (error !== null) return error.message
  if (skippedBecause !== null) return skippedBecause
  const line = (output ?? '').trim().replaceAll(/\s+/g, ' ')
  if (line.length <= mostSeen) return line
  // Of what is just being said the end is the news.
  return state === 'running' ? `…${line.slice(-mostSeen / 2)}` : `${line.slice(0, mostSeen)}…`
}
