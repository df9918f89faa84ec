import { Button } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useApi } from '../api/api-context.ts'
import { EmptyState } from '../parts/EmptyState.tsx'
import { FailureNotice } from '../parts/FailureNotice.tsx'
import { Page } from '../parts/Page.tsx'
import { Surface } from '../parts/Section.tsx'
import { ChunkFailure } from './loading/load-chunk.ts'
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

/** The error page for a page whose code failed, or cannot be loaded. */
export function CrashedPage({ error }: { error: unknown }) {
  const api = useApi()
  if (error instanceof ChunkFailure) return <UpgradedPage reason={error.reason} />
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

const reasons: Record<ChunkFailure['reason'], { title: string; sentence: string }> = {
  upgraded: {
    title: 'This page needs a newer version of the console',
    sentence: 'Tutti was upgraded while this tab was open. Reload to open the page.',
  },
  blocked: {
    title: 'This page could not be loaded',
    sentence:
      'Tutti responds, but a file of the page could not be loaded. Reload to try again; if that does not help, check browser extensions and proxies.',
  },
}

/** The page whose code belongs to another version than the open tab. */
function UpgradedPage({ reason }: Pick<ChunkFailure, 'reason'>) {
  const { title, sentence } = reasons[reason]
  return (
    <Page title={title}>
      <Surface>
        <EmptyState
          sentence={sentence}
          action={
            <Button size="compact-sm" onClick={() => window.location.reload()}>
              Reload
            </Button>
          }
          link={<Link to="/">Go to the overview</Link>}
        />
      </Surface>
    </Page>
  )
}
