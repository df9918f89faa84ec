import { useApi } from '../api/api-context.ts'
import { FailureNotice } from '../parts/FailureNotice.tsx'
import { Page } from '../parts/Page.tsx'

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
