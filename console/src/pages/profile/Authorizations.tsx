import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { authorizationsQuery } from '../../api/access-queries.ts'
import { done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { Authorization } from '../../api/bodies.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { LastUse } from '../../parts/LastUse.tsx'
import { RowAction } from '../../parts/RowAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './Authorizations.module.css'

const about: ReadonlyArray<Column<Authorization>> = [
  { title: 'Application', placeholderWidth: 120, cell: ({ client_name }) => client_name },
  { title: 'May do', placeholderWidth: 140, cell: ({ scopes }) => scopes.join(', ') || 'Know who you are' },
  {
    title: 'Connected',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  {
    title: 'Last used',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_used_at }) => <LastUse at={last_used_at} />,
  },
]

function endColumn(onEnd: (authorization: Authorization) => void): Column<Authorization> {
  return {
    title: 'Disconnect',
    numeric: true,
    quiet: true,
    placeholderWidth: 72,
    cell: (authorization) => (
      <RowAction label="Disconnect" name={authorization.client_name} onClick={() => onEnd(authorization)} />
    ),
  }
}

/** The applications that somebody let act for them. */
export function Authorizations() {
  const api = useApi()
  const cache = useQueryClient()
  const { data: authorizations, failure, refetch } = useAnswer(authorizationsQuery(api))
  const [ending, setEnding] = useState<Authorization>()
  const columns = useMemo(() => [...about, endColumn(setEnding)], [])

  return (
    <Section title="Connected applications" note={authorizations?.length || undefined}>
      {authorizations === undefined && failure !== null ? (
        <FailureNotice
          what="Your connected applications could not be read."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : authorizations === undefined || authorizations.length === 0 ? (
        // Most people have none: while nobody knows, its place is kept, so that nothing jumps.
        <div
          className={styles['none'] ?? ''}
          data-kept={authorizations === undefined}
          aria-busy={authorizations === undefined}
        >
          <EmptyState
            sentence="No application acts for you. One appears here when you let it in, and you can disconnect it at any time."
            action={
              <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
                Look again
              </Button>
            }
            link={<a href={apiReferencePath}>How applications connect</a>}
          />
        </div>
      ) : (
        <Table
          label="Connected applications"
          columns={columns}
          rows={authorizations}
          rowKey={({ id }) => id}
        />
      )}
      {ending === undefined ? null : (
        <ConfirmDialog
          title={`Disconnect ${ending.client_name}?`}
          confirmLabel="Disconnect"
          failureSentence="The application is still connected."
          send={({ client }) =>
            done(client.DELETE('/api/v1/authorizations/{id}', { params: { path: { id: ending.id } } }))
          }
          onDone={async () => {
            await cache.invalidateQueries({ queryKey: ['authorizations'] })
          }}
          onClose={() => setEnding(undefined)}
        >
          <p>
            It can no longer act for you: its tokens are refused at once. It has to ask you again to be let
            back in.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}
