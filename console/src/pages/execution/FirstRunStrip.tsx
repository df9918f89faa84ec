import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Api, bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import { useMay } from '../../api/use-may.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { describeDuration } from '../../time/describe-time.ts'
import { executionStatusQuery, type Trace } from '../executions/execution-queries.ts'
import boxStyles from './Box.module.css'
import styles from './FirstRunStrip.module.css'
import { useFlowOfRun } from './flow-of-run.ts'

/** An account with this many executions needs no next steps. */
const beginnerRuns = 3

/** How many executions the account has. */
function ownRunsQuery(api: Api, account: string) {
  return queryOptions({
    queryKey: ['executions', 'list', 'own', account],
    queryFn: async ({ signal }) => {
      const query = { account, limit: 1, page: 1 }
      return (await bodyOf(api.client.GET('/ai-workflows/api/executions', { signal, params: { query } })))
        .total
    },
  })
}

interface FirstRunStripProps {
  readonly trace: Trace
  readonly onRunAgain: () => void
}

/** The next steps after one of the first completed runs of the account; nothing for other accounts and later runs. */
export function FirstRunStrip({ trace, onRunAgain }: FirstRunStripProps) {
  const api = useApi()
  const mayRun = useMay('run workflows')
  const mayManage = useMay('manage workflows')
  const { data: profile } = useQuery(profileQuery(api))
  const isOwn = mayRun && profile?.id === trace.account_id
  const { data: runs } = useQuery({ ...ownRunsQuery(api, trace.account_id), enabled: isOwn })
  const { data: status } = useQuery(executionStatusQuery(api, trace.execution_id))
  const flow = useFlowOfRun(trace)
  if (!isOwn || runs === undefined || runs >= beginnerRuns || flow === undefined) return null
  const name = runs === 1 ? 'Your first run' : 'This run'
  return (
    <section className={boxStyles['box']} aria-label="Next steps">
      <h2>
        {name} took {describeDuration(trace.execution_time ?? 0)}
        {describeCost(status?.cost_tracking.current_cost)}.
      </h2>
      <p>What to do next:</p>
      <div className={styles['ways']}>
        {mayManage ? (
          <Button
            size="compact-sm"
            variant="default"
            data-tour="edit-copy"
            data-tutti-tour-advance
            renderRoot={(props) =>
              flow.built_in ? (
                <Link to="/workflows/new" search={{ from: flow.id }} {...props} />
              ) : (
                <Link to="/workflows/$flow/edit" params={{ flow: flow.id }} {...props} />
              )
            }
          >
            {flow.built_in ? 'Edit a copy' : 'Edit the workflow'}
          </Button>
        ) : null}
        <Button size="compact-sm" variant="default" onClick={onRunAgain}>
          Run again with your own text
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => <Link to="/schedules" search={{ create: true, flow: flow.id }} {...props} />}
        >
          Create a schedule
        </Button>
      </div>
    </section>
  )
}

function describeCost(dollars: number | undefined): string {
  if (dollars === undefined) return ''
  return dollars === 0 ? ' and cost nothing' : ` and cost ${describeDollars(Math.round(dollars * 1e6))}`
}
