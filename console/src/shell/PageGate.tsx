import { Button } from '@mantine/core'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Page } from '../parts/Page.tsx'
import { Surface } from '../parts/Section.tsx'
import { type PageEntry, pages } from './pages.ts'
import { useMayOpen } from './use-may-open.ts'

/** The page of the address, unless the account is known not to reach it: then what it would take. */
export function PageGate() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const mayOpen = useMayOpen()
  const page = pages.find((it) => it.path === path)
  if (page === undefined || mayOpen(page) !== false) return <Outlet />
  return <ClosedPage key={path} page={page} />
}

const quote = (permission: string | null) => `“${permission}”`

function ClosedPage({ page: { title, permission } }: { page: PageEntry }) {
  return (
    <Page title={title}>
      <Surface>
        <EmptyState
          sentence={`Your account may not open this page: it needs the permission ${[permission].flat().map(quote).join(' or ')}. An administrator can give it to you.`}
          action={
            <Button
              size="compact-sm"
              variant="default"
              renderRoot={(props) => <Link to="/profile" {...props} />}
            >
              See what you may do
            </Button>
          }
          link={<Link to="/api-keys">Go to your API keys</Link>}
        />
      </Surface>
    </Page>
  )
}
