import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { useMay } from '../../api/use-may.ts'
import { ValueView } from '../../parts/ValueView.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { ApprovalForm } from '../executions/ApprovalForm.tsx'
import { executionStatusQuery, inputQuery, type Trace } from '../executions/execution-queries.ts'
import { AccountName } from '../usage/AccountName.tsx'
import styles from './Box.module.css'
import { describeEstimate } from './describe-estimate.ts'

/** What is to be approved: requester, estimated cost and input, with Approve and Reject. */
export function ApprovalBox({ trace }: { trace: Trace }) {
  const api = useApi()
  const mayDecide = useMay('manage workflows')
  const { data: input } = useQuery(inputQuery(api, trace.execution_id))
  const { data: status } = useQuery(executionStatusQuery(api, trace.execution_id))
  return (
    <section className={styles['box']} aria-label="Approval">
      <h2>This run needs approval</h2>
      <p>
        Requested by <AccountName id={trace.account_id} />{' '}
        <RelativeTime at={new Date(trace.created_at * 1000).toISOString()} />, version {trace.flow_version}
        {describeEstimate(status?.cost_tracking.estimated_total_cost)}.
      </p>
      {input === undefined ? null : (
        <ValueView
          title={<h3>Input</h3>}
          value={input.context}
          what="input to approve"
          fileName={`${trace.flow_id}-input`}
        />
      )}
      {mayDecide ? (
        <ApprovalForm execution={trace.execution_id} label={trace.flow_label} onDecided={ignore} />
      ) : (
        <p>Accounts with the permission “manage workflows” can approve it.</p>
      )}
    </section>
  )
}

function ignore(): void {
  // The page reads the execution again after the decision.
}
