import { Button } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useApi } from '../api/api-context.ts'
import { EmptyState } from '../parts/EmptyState.tsx'
import { FailureNotice } from '../parts/FailureNotice.tsx'
import { Page } from '../parts/Page.tsx'
import { Surface } from '../parts/Section.tsx'
import { apiReferencePath } from './pages.ts'

/** The page for an unknown address. */
export function NotFoundPage() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <Page title="Page not found">
      <Surface>
        <EmptyState
          sentence={`The console has no page at ${path}.`}
          action={
            <Button size="compact-sm" variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
              Go to the overview
            </Button>
          }
          link={<a href={apiReferencePath}>Looking for an API route?</a>}
        />
      </Surface>
    </Page>
  )
}

/** The error page for a page whose code failed. */
export function CrashedPage({ error }: { error: unknown }) {
  const api = useApi()
  return (
    <Page title="This page stopped working">
      <FailureNotice
        what="The console has an internal error."
        error={error}
        retryLabel="Reload"
        onRetry={() => window.location.reload()}
        lastRequestId={api.lastRequestId()}
      />
    </Page>
  )
}
