import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'

interface EditorGateProps {
  readonly title: string
  /** Renders the editor for accounts that may create flows, given the account ID. */
  readonly children: (account: string) => ReactNode
}

/** The editor or, for accounts that may not save flows, the permission they need. */
export function EditorGate({ title, children }: EditorGateProps) {
  const { data: profile, failure, refetch } = useApiQuery(profileQuery(useApi()))
  if (profile?.permissions.includes('manage workflows') === true) return children(profile.id)
  if (profile === undefined) {
    return (
      <Waiting
        title={title}
        what="Your account could not be loaded."
        failure={failure}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <Page title={title}>
      <Surface>
        <EmptyState
          sentence="Editing workflows requires the permission “manage workflows”. Ask an administrator for it."
          action={
            <Button
              size="compact-sm"
              variant="default"
              renderRoot={(props) => <Link to="/workflows" {...props} />}
            >
              See all workflows
            </Button>
          }
          link={<Link to="/profile">View your permissions</Link>}
        />
      </Surface>
    </Page>
  )
}

interface WaitingProps {
  readonly title: string
  /** The failed action, as a sentence. */
  readonly what: string
  readonly failure: Error | null
  readonly onRetry: () => void
}

/** A page whose content is loading or failed to load. */
export function Waiting({ title, what, failure, onRetry }: WaitingProps) {
  return (
    <Page title={title}>
      {failure === null ? (
        <Surface>
          <div aria-busy>
            <Skeleton width={320} />
          </div>
        </Surface>
      ) : (
        <FailureNotice what={what} error={failure} onRetry={onRetry} />
      )}
    </Page>
  )
}
