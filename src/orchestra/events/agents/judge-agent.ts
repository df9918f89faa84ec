import { percentage, seconds } from '#runs'

/** What an agent did in some time. */
export interface AgentRuns {
  readonly completed: number
  readonly failed: number
  /** Of the completed ones together. */
  readonly duration_ms: number
}

/** Fewer runs than these show no habit, and no change of one. */
const fewest = { before: 20, lately: 5 }
/** So many of a hundred runs fewer succeed, or so much longer they take, before it is told. */
const tolerated = { lostPercent: 20, slower: 1.5 }

/** What is clearly worse lately than an agent's own record before; empty when nothing is. */
export function judgeAgent(lately: AgentRuns, before: AgentRuns) {
  if (runsOf(lately) < fewest.lately || runsOf(before) < fewest.before) return []
  return [judgeSuccess(lately, before), judgeDuration(lately, before)].filter((it) => it !== undefined)
}

/** What happened before the last hour, when only the whole and the hour are known. */
export function runsBefore(whole: AgentRuns, lately: AgentRuns): AgentRuns {
  return {
    completed: Math.max(0, whole.completed - lately.completed),
    failed: Math.max(0, whole.failed - lately.failed),
    duration_ms: Math.max(0, whole.duration_ms - lately.duration_ms),
  }
}

export function successRateOf(runs: AgentRuns): number | null {
  return percentage(runs.completed, runsOf(runs))
}

export function averageMsOf({ completed, duration_ms: ms }: AgentRuns): number | null {
  return completed === 0 ? null : ms / completed
}

export function runsOf({ completed, failed }: AgentRuns): number {
  return completed + failed
}

function judgeSuccess(lately: AgentRuns, before: AgentRuns) {
  const [rate, usual] = [successRateOf(lately), successRateOf(before)]
  if (rate === null || usual === null || rate >= usual - tolerated.lostPercent) return undefined
  return {
    metric: 'success_rate' as const,
    current_value: rate,
    baseline: usual,
    threshold: usual - tolerated.lostPercent,
  }
}

function judgeDuration(lately: AgentRuns, before: AgentRuns) {
  const [ms, usual] = [averageMsOf(lately), averageMsOf(before)]
  if (ms === null || usual === null || usual <= 0 || ms <= usual * tolerated.slower) return undefined
  return {
    metric: 'duration' as const,
    current_value: seconds(ms),
    baseline: seconds(usual),
    threshold: seconds(usual * tolerated.slower),
  }
}
