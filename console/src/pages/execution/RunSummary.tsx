import { describeDollars } from '../../parts/describe-amount.ts'
import { Meter } from '../../parts/Meter.tsx'
import { Status } from '../../parts/Status.tsx'
import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { ExecutionStatus, Trace } from '../executions/execution-queries.ts'
import { listedStateOf, listedStateWords } from '../executions/execution-words.ts'
import { AccountName } from '../usage/AccountName.tsx'

interface RunSummaryProps {
  readonly trace: Trace
  readonly status: ExecutionStatus | undefined
  /** Epoch seconds. */
  readonly now: number
}

/** The summary of an execution: state, duration, cost with budget, and tokens. */
export function RunSummary({ trace, status, now }: RunSummaryProps) {
  const { steps } = trace
  const isSuspended = status !== undefined && status.suspended !== null
  const listed = status === undefined ? trace.status : listedStateOf({ ...status, status: trace.status })
  const told = listedStateWords[listed]
  const title = status?.error?.message ?? told.title
  const input = steps.reduce((sum, step) => sum + step.input_tokens, 0)
  const output = steps.reduce((sum, step) => sum + step.output_tokens, 0)
  return (
    <SummaryStrip
      isLoading={status === undefined}
      cells={[
        {
          name: 'State',
          value: <Status {...told} title={title} />,
          note: describeSteps(steps),
        },
        {
          name: 'Duration',
          value: describeTime(trace, isSuspended ? trace.as_of : now),
          note: describeIdle(trace) ?? (
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
        {
          name: 'Started by',
          value: <AccountName id={trace.account_id} />,
          note: triggerWords[trace.trigger],
        },
      ]}
    />
  )
}

const endStates: ReadonlySet<string> = new Set(['completed', 'failed', 'skipped'])

/** How many steps are finished, and how many of them did not complete. */
function describeSteps(steps: Trace['steps']): string {
  const over = steps.filter(({ state }) => endStates.has(state)).length
  const others = (['failed', 'skipped'] as const).flatMap((wanted) => {
    const count = steps.filter(({ state }) => state === wanted).length
    return count === 0 ? [] : [`${count} ${wanted}`]
  })
  return [`${over} of ${steps.length} steps finished`, ...others].join(', ')
}

const triggerWords: Readonly<Record<Trace['trigger'], string>> = {
  request: 'on request',
  schedule: 'by a schedule',
  trigger: 'by a trigger',
  rerun: 'run again',
  fork: 'forked',
}

/** The time in which no worker ran the execution, which its duration does not contain. */
function describeIdle({ idle }: Trace): string | undefined {
  const seconds = idle.reduce((sum, { from, to }) => sum + to - from, 0)
  return seconds < 1 ? undefined : `and ${describeDuration(seconds)} idle`
}

/** The duration of an execution; for a running one, the time since the server's response is added. */
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
