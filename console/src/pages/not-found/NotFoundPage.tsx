import { Button } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { apiReferencePath } from '../../shell/pages.ts'

/** An address without a page. */
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
