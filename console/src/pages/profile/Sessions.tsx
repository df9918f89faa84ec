import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { sessionsQuery } from '../../api/access-queries.ts'
import { done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { Session } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { describeUserAgent } from '../../parts/describe-user-agent.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { RowAction } from '../../parts/RowAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'

const about: ReadonlyArray<Column<Session>> = [
  {
    title: 'Device',
    placeholderWidth: 120,
    cell: ({ user_agent }) => <span title={user_agent ?? ''}>{describeUserAgent(user_agent)}</span>,
  },
  {
    title: 'Type',
    minor: true,
    minWidth: 72,
    placeholderWidth: 64,
    cell: ({ kind }) => (kind === 'browser' ? 'Browser' : 'Program (token)'),
  },
  { title: 'IP address', minWidth: 80, placeholderWidth: 72, cell: ({ ip }) => ip },
  {
    title: 'Signed in',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  {
    title: 'Last seen',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} />,
  },
  {
    title: 'Expires',
    numeric: true,
    minor: true,
    placeholderWidth: 48,
    cell: ({ expires_at }) => <RelativeTime at={expires_at} />,
  },
]

function endColumn(onEnd: (session: Session) => void): Column<Session> {
  return {
    title: 'Sign out',
    numeric: true,
    quiet: true,
    placeholderWidth: 64,
    cell: (session) =>
      session.current ? (
        <Status tone="good" word="This session" />
      ) : (
        <RowAction
          label="Sign out"
          name={describeUserAgent(session.user_agent)}
          onClick={() => onEnd(session)}
        />
      ),
  }
}

/** Where the account is signed in, and signing out there. */
export function Sessions() {
  const api = useApi()
  const cache = useQueryClient()
  const { data: sessions, failure, refetch } = useApiQuery(sessionsQuery(api))
  const [ending, setEnding] = useState<Session | 'others'>()
  const others = sessions?.filter(({ current }) => !current).length ?? 0
  const refresh = () => cache.invalidateQueries({ queryKey: ['sessions'] })
  const columns = useMemo(() => [...about, endColumn(setEnding)], [])

  return (
    <Section
      title="Sessions"
      note={sessions?.length}
      aside={
        others === 0 ? undefined : (
          <Button size="compact-sm" variant="default" onClick={() => setEnding('others')}>
            Sign out all other sessions
          </Button>
        )
      }
    >
      {sessions === undefined && failure !== null ? (
        <FailureNotice
          what="Your sessions could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <Table
          label="Sessions"
          columns={columns}
          rows={sessions}
          rowKey={({ id }) => id}
          placeholderRows={1}
        />
      )}
      {ending === 'others' ? (
        <ConfirmDialog
          title="Sign out all other sessions?"
          confirmLabel="Sign out all other sessions"
          failureSentence="The other sessions were not signed out."
          send={({ client }) => done(client.DELETE('/api/v1/sessions'))}
          onDone={refresh}
          onClose={() => setEnding(undefined)}
        >
          <p>
            {others === 1 ? 'One other session has' : `${others} other sessions have`} to sign in again. This
            session stays signed in, and API keys keep working.
          </p>
        </ConfirmDialog>
      ) : null}
      {ending === undefined || ending === 'others' ? null : (
        <ConfirmDialog
          title={`Sign out ${describeUserAgent(ending.user_agent)}?`}
          confirmLabel="Sign out"
          failureSentence="The session was not signed out."
          send={({ client }) =>
            done(client.DELETE('/api/v1/sessions/{id}', { params: { path: { id: ending.id } } }))
          }
          onDone={refresh}
          onClose={() => setEnding(undefined)}
        >
          <p>
            The session signed in from {ending.ip} <RelativeTime at={ending.created_at} />
            and has to sign in again.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}
