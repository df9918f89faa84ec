import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { authorizationsQuery } from '../../api/access-queries.ts'
import { done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { Authorization } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { RowAction } from '../../parts/RowAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { LastUse, RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './Authorizations.module.css'

const about: ReadonlyArray<Column<Authorization>> = [
  { title: 'Application', placeholderWidth: 120, cell: ({ client_name }) => client_name },
  { title: 'Scopes', placeholderWidth: 140, cell: ({ scopes }) => scopes.join(', ') || 'Profile' },
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

/** The applications the user has authorised. */
export function Authorizations() {
  const api = useApi()
  const cache = useQueryClient()
  const { data: authorizations, failure, refetch } = useApiQuery(authorizationsQuery(api))
  const [ending, setEnding] = useState<Authorization>()
  const columns = useMemo(() => [...about, endColumn(setEnding)], [])

  return (
    <Section title="Connected applications" note={authorizations?.length || undefined}>
      {authorizations === undefined && failure !== null ? (
        <FailureNotice
          what="Your connected applications could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : authorizations === undefined || authorizations.length === 0 ? (
        // Most users have none: the space is reserved while loading, so that nothing jumps.
        <div
          className={styles['none'] ?? ''}
          data-kept={authorizations === undefined}
          aria-busy={authorizations === undefined}
        >
          <EmptyState
            sentence="No connected applications. Applications appear here when you authorise them; you can disconnect them at any time."
            action={
              <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
                Check again
              </Button>
            }
            link={<a href={apiReferencePath}>About OAuth clients</a>}
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
            The application loses access immediately: its tokens are rejected. You can authorise it again
            later.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}
