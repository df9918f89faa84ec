import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import type { paths } from '../../../api/schema.generated.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Section } from '../../../parts/Section.tsx'
import { ValueView } from '../../../parts/ValueView.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { ApprovalForm } from '../../executions/ApprovalForm.tsx'
import { inputQuery } from '../../executions/execution-queries.ts'
import { AccountName } from '../../usage/AccountName.tsx'
import styles from './today.module.css'
import { approvalsQuery } from './today-queries.ts'
import { Unfolded } from './Unfolded.tsx'

type Waiting =
  paths['/ai-workflows/api/approvals']['get']['responses'][200]['content']['application/json']['approvals'][number]

/** Up to this many approvals show their input at once. */
const maxOpen = 2

/** Executions that wait for approval, approved or rejected in place; nothing when there is none. */
export function Approvals({ account }: { account: string }) {
  const { data, failure, refetch } = useApiQuery(approvalsQuery(useApi()))
  const list = useRef<HTMLDivElement>(null)
  // A decided approval disappears together with the focus; the list then stays, and receives the focus.
  const [hasDecided, setDecided] = useState(false)
  const waiting = data?.approvals ?? []
  if (waiting.length === 0 && failure === null && !hasDecided) return null
  return (
    <Section
      title="Approvals"
      note={data === undefined || data.total === 0 ? undefined : `${data.total.toLocaleString()} pending`}
    >
      <div ref={list} tabIndex={-1}>
        {data === undefined && failure !== null ? (
          <FailureNotice
            what="The pending approvals could not be loaded."
            error={failure}
            onRetry={() => void refetch()}
          />
        ) : waiting.length === 0 ? (
          <p className={styles['none']}>No pending approvals.</p>
        ) : (
          <ul className={styles['waiting']} aria-label="Pending approvals">
            {waiting.map((approval) => (
              <Approval
                key={approval.execution_id}
                approval={approval}
                account={account}
                isOpen={waiting.length <= maxOpen}
                onDecided={() => {
                  setDecided(true)
                  list.current?.focus()
                }}
              />
            ))}
          </ul>
        )}
      </div>
    </Section>
  )
}

interface ApprovalProps {
  readonly approval: Waiting
  /** The account that decides. */
  readonly account: string
  /** Whether the input is shown at once. */
  readonly isOpen: boolean
  readonly onDecided: () => void
}

/** A pending approval: requester, input, and Approve or Reject with a note for the requester. */
function Approval({ approval, account, isOpen, onDecided }: ApprovalProps) {
  const { execution_id, flow_label: label, requested_at: at, requested_by: who } = approval
  return (
    <li>
      <span className={styles['what']}>
        <Link to="/executions/$execution" params={{ execution: execution_id }}>
          {label}
        </Link>
        <span className={styles['about']}>
          {approval.schedule_id === null ? 'Requested by ' : 'Started by a schedule of '}
          {who === account ? 'you' : <AccountName id={who} />},{' '}
          <RelativeTime at={new Date(at * 1000).toISOString()} />
        </span>
      </span>
      <ApprovalForm execution={execution_id} label={label} onDecided={onDecided} />
      <Unfolded label="Input" about={label} isOpen={isOpen}>
        <Input execution={execution_id} flow={approval.flow_id} />
      </Unfolded>
    </li>
  )
}

function Input({ execution, flow }: { execution: string; flow: string }) {
  const { data, error, refetch } = useQuery(inputQuery(useApi(), execution))
  if (error !== null)
    return (
      <FailureNotice what="The input could not be loaded." error={error} onRetry={() => void refetch()} />
    )
  if (data === undefined) return null
  return <ValueView value={data.context} what="input to approve" fileName={`${flow}-input`} />
}
