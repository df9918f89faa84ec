import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { Surface } from '../../../parts/Section.tsx'

const toursPath = '/admin/structure/recipe-onboarding/tours'

/** Nobody saw the tour: because it is a draft, or because nobody came. */
export function UnseenTour({ id, isPublished }: { id: string; isPublished: boolean | undefined }) {
  return (
    <Surface>
      <EmptyState
        sentence={
          isPublished === false
            ? 'The tour is a draft: visitors see it once it is published.'
            : 'Nobody has seen this tour in these days.'
        }
        action={
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => (
              <Link to="/admin/structure/recipe-onboarding/tours/$tour" params={{ tour: id }} {...props} />
            )}
          >
            Open the tour
          </Button>
        }
        link={<a href={`${toursPath}/${id}/preview`}>See it as visitors would</a>}
      />
    </Surface>
  )
}

/** The numbers are not for this account, or the tour is gone. */
export function ClosedAnalytics({ id, isMissing }: { id: string; isMissing: boolean }) {
  return (
    <Surface>
      <EmptyState
        sentence={
          isMissing
            ? `There is no tour “${id}”. Somebody may have deleted it.`
            : 'Your account may not see these numbers: it needs the permission “view recipe tour analytics”. An administrator can give it to you.'
        }
        action={
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to={toursPath} {...props} />}
          >
            See all tours
          </Button>
        }
        link={<Link to="/profile">See what you may do</Link>}
      />
    </Surface>
  )
}
