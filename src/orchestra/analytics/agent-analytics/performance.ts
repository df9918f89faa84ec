import { percentage, rounded, seconds } from '#runs'
import { type AgentRuns, runsOf } from './runs.ts'

/** How each agent does. */
export function describePerformance(agents: readonly AgentRuns[]) {
  return Object.fromEntries(
    agents.map(({ id, sums }) => {
      const runs = runsOf(sums)
      return [
        id,
        {
          avg_time: ratio(sums?.duration_ms, sums?.completed, seconds),
          success_rate: percentage(sums?.completed ?? 0, runs),
          executions_24h: runs,
          error_rate: percentage(sums?.failed ?? 0, runs),
          avg_tokens: ratio(sums === undefined ? 0 : sums.input_tokens + sums.output_tokens, runs, rounded),
          confidence_score: ratio(sums?.confidence_sum, sums?.confidence_count, rounded),
        },
      ]
    }),
  )
}

function ratio(sum = 0, count = 0, tell: (value: number) => number): number | null {
  return count === 0 ? null : tell(sum / count)
}
