import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { sessionsQuery } from '../../api/access-queries.ts'
import { done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { Session } from '../../api/bodies.ts'
import { useAnswer } from '../../api/use-answer.ts'
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
    title: 'Where',
    placeholderWidth: 120,
    cell: ({ user_agent }) => <span title={user_agent ?? ''}>{describeUserAgent(user_agent)}</span>,
  },
  {
    title: 'Kind',
    minor: true,
    room: 72,
    placeholderWidth: 64,
    cell: ({ kind }) => (kind === 'browser' ? 'Browser' : 'Program with tokens'),
  },
  { title: 'Address', room: 80, placeholderWidth: 72, cell: ({ ip }) => ip },
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
    title: 'Ends',
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
        <Status tone="good" word="This one" />
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
  const { data: sessions, failure, refetch } = useAnswer(sessionsQuery(api))
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
            Sign out everywhere else
          </Button>
        )
      }
    >
      {sessions === undefined && failure !== null ? (
        <FailureNotice
          what="Your sessions could not be read."
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
          title="Sign out everywhere else?"
          confirmLabel="Sign out everywhere else"
          failureSentence="You are still signed in elsewhere."
          send={({ client }) => done(client.DELETE('/api/v1/sessions'))}
          onDone={refresh}
          onClose={() => setEnding(undefined)}
        >
          <p>
            {others === 1 ? 'One other browser or program has' : `${others} other browsers and programs have`}{' '}
            to sign in again. This browser stays signed in, and API keys go on working.
          </p>
        </ConfirmDialog>
      ) : null}
      {ending === undefined || ending === 'others' ? null : (
        <ConfirmDialog
          title={`Sign out ${describeUserAgent(ending.user_agent)}?`}
          confirmLabel="Sign out"
          failureSentence="It is still signed in."
          send={({ client }) =>
            done(client.DELETE('/api/v1/sessions/{id}', { params: { path: { id: ending.id } } }))
          }
          onDone={refresh}
          onClose={() => setEnding(undefined)}
        >
          <p>
            It signed in from {ending.ip} <RelativeTime at={ending.created_at} />, and has to sign in again to
            go on.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}
