import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ApiFailure } from '../../../api/api-failure.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Surface } from '../../../parts/Section.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'

interface TourTroubleProps {
  readonly id: string
  /** Null while the tour is loading. */
  readonly failure: Error | null
  /** The permission that is required. */
  readonly needs: string
  readonly onRetry: () => void
}

/** Why no tour is shown: it is loading, it does not exist, the account may not see it, or loading failed. */
export function TourTrouble({ id, failure, needs, onRetry }: TourTroubleProps) {
  if (failure === null) {
    return (
      <div aria-busy>
        <Skeleton width={320} />
      </div>
    )
  }
  const status = failure instanceof ApiFailure ? failure.status : 0
  if (status !== 404 && status !== 403) {
    return <FailureNotice what="The tour could not be loaded." error={failure} onRetry={onRetry} />
  }
  return (
    <Surface>
      <EmptyState
        sentence={
          status === 404
            ? `There is no tour “${id}”. It may have been deleted.`
            : `This requires the permission “${needs}”. Ask an administrator for it.`
        }
        action={
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to="/admin/structure/recipe-onboarding/tours" {...props} />}
          >
            View all tours
          </Button>
        }
        link={<Link to="/profile">View your permissions</Link>}
      />
    </Surface>
  )
}
