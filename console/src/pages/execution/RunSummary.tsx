import { describeDollars } from '../../parts/describe-amount.ts'
import { Meter } from '../../parts/Meter.tsx'
import { Status } from '../../parts/Status.tsx'
import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { ExecutionStatus, Trace } from '../executions/execution-queries.ts'
import { describeExecution } from '../executions/execution-words.ts'

interface RunSummaryProps {
  readonly trace: Trace
  readonly status: ExecutionStatus | undefined
  /** Epoch seconds. */
  readonly now: number
}

/** The execution at a glance: how it stands, what it took, and what is left of its budget. */
export function RunSummary({ trace, status, now }: RunSummaryProps) {
  const { steps } = trace
  const told = describeExecution({
    status: trace.status,
    approval: status?.approval ?? null,
    error_message: status?.error?.message ?? null,
  })
  const over = steps.filter(({ state }) => state !== 'waiting' && state !== 'running').length
  const input = steps.reduce((sum, step) => sum + step.input_tokens, 0)
  const output = steps.reduce((sum, step) => sum + step.output_tokens, 0)
  return (
    <SummaryStrip
      isLoading={status === undefined}
      cells={[
        { name: 'State', value: <Status {...told} />, note: `${over} of ${steps.length} steps finished` },
        {
          name: 'Duration',
          value: describeTime(trace, now),
          note: (
            <>
              created <RelativeTime at={new Date(trace.created_at * 1000).toISOString()} />
            </>
          ),
        },
        { name: 'Cost', ...describeCosts(status?.cost_tracking) },
        {
          name: 'Tokens',
          value: (input + output).toLocaleString(),
          note: `${input.toLocaleString()} in, ${output.toLocaleString()} out`,
        },
      ]}
    />
  )
}

/** While it runs, the time since the answer of the server counts too. */
function describeTime({ status, execution_time: time, as_of: asOf }: Trace, now: number): string {
  if (time === null) return 'Not started'
  return describeDuration(status === 'running' ? time + Math.max(0, now - asOf) : time)
}

function describeCosts(costs: ExecutionStatus['cost_tracking'] | undefined) {
  if (costs === undefined) return {}
  const { current_cost: spent, budget_remaining: left, estimated_total_cost: expected } = costs
  const value = inDollars(spent)
  if (left === null) {
    return {
      value,
      note: expected === null ? 'no budget' : `about ${inDollars(expected)} expected`,
    }
  }
  const words = `${inDollars(left)} of the budget left`
  return {
    value,
    note: (
      <>
        {words}
        <Meter label="Execution budget" words={words} most={spent + left} spent={spent} />
      </>
    ),
  }
}

function inDollars(dollars: number): string {
  return describeDollars(Math.round(dollars * 1e6))
}
