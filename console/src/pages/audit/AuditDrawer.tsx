import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { auditEntryQuery } from '../../api/audit-query.ts'
import type { AuditEntry } from '../../api/responses.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { describeUserAgent } from '../../parts/describe-user-agent.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { describeMoment } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeType } from './audit-types.ts'

interface AuditDrawerProps {
  readonly id: number
  /** The list the drawer was opened from. */
  readonly entries: readonly AuditEntry[]
  readonly onClose: () => void
}

/** All fields of one audit entry. */
export default function AuditDrawer({ id, entries, onClose }: AuditDrawerProps) {
  const listed = entries.find((it) => it.id === id)
  const {
    data: found,
    error,
    refetch,
  } = useQuery({ ...auditEntryQuery(useApi(), id), enabled: listed === undefined })
  const entry = listed ?? found
  return (
    <SideDrawer
      title={entry ? describeType(entry.type).title : `Entry ${id}`}
      onClose={onClose}
      returnTo={() => findRow(id)}
    >
      {error === null ? null : (
        <FailureNotice what="The entry could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {entry === null ? <p>The audit log has no entry with the ID {id}.</p> : null}
      {entry ? <Details entry={entry} /> : null}
    </SideDrawer>
  )
}

function Details({ entry }: { entry: AuditEntry }) {
  const { id, type, account, username, by, by_username, subject, ip, user_agent, data, created_at } = entry
  return (
    <>
      <DetailBox
        details={[
          {
            name: 'Time',
            value: (
              <span>
                {describeMoment(new Date(created_at))} (<RelativeTime at={created_at} />)
              </span>
            ),
          },
          { name: 'Type', value: <Copyable text={type} what="type" /> },
          { name: 'Account', value: <Account id={account} name={username} /> },
          { name: 'Actor', value: <Account id={by} name={by_username} /> },
          { name: 'Subject', value: subject === null ? '–' : <Copyable text={subject} what="subject" /> },
          { name: 'IP address', value: ip === null ? '–' : <Copyable text={ip} what="address" /> },
          {
            name: 'Client',
            value:
              user_agent === null ? '–' : <span title={user_agent}>{describeUserAgent(user_agent)}</span>,
          },
          { name: 'ID', value: <Copyable text={String(id)} what="entry ID" /> },
        ]}
      />
      <JsonView value={data} what="entry data" />
    </>
  )
}

/** An account by its name, linked to its entries in the log. */
function Account({ id, name }: { id: string | null; name: string | null }) {
  if (id === null) return '–'
  return (
    <Link to="/audit" search={{ account: id }} title={id}>
      {name ?? 'deleted account'}
    </Link>
  )
}
