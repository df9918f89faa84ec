import type { TriedStep } from '../try/try-run.ts'

/** Longer text does not fit into one line of a step. */
const maxSeen = 80

type Told = Pick<TriedStep, 'state' | 'output' | 'error' | 'skippedBecause'>

/** The test result of a step in one line: its output, its error, or why it was skipped. */
export function describeTried({ state, output, error, skippedBecause }: Told): string {
  if (error !== null) return error.message
  if (skippedBecause !== null) return skippedBecause
  const line = (output ?? '').trim().replaceAll(/\s+/g, ' ')
  if (line.length <= maxSeen) return line
  // The newest text of a stream is at its end.
  return state === 'running' ? `…${line.slice(-maxSeen / 2)}` : `${line.slice(0, maxSeen)}…`
}
