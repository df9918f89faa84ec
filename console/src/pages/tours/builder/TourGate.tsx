import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Surface } from '../../../parts/Section.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import type { LoadedTour } from './document/tour-calls.ts'

interface TourGateProps {
  readonly doing: string
  readonly id: string
  readonly answer: {
    readonly data: LoadedTour | undefined
    readonly failure: Error | null
    readonly refetch: () => Promise<unknown>
  }
  /** Why the account may not use this page, as a sentence. */
  readonly closed?: string | undefined
  readonly children: (tour: LoadedTour) => ReactNode
}

/** Renders its children with the loaded tour; until then, or when loading fails, it shows the state of the request. */
export function TourGate({ doing, id, answer: { data, failure, refetch }, closed, children }: TourGateProps) {
  if (data !== undefined && closed === undefined) return children(data)
  return (
    <Page title={data?.label ?? doing}>
      {closed !== undefined || isMissing(failure) ? (
        <Surface>
          <EmptyState
            sentence={closed ?? `There is no tour “${id}”. It may have been deleted.`}
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
      ) : failure === null ? (
        <div aria-busy>
          <Skeleton width={320} />
        </div>
      ) : (
        <FailureNotice what="The tour could not be loaded." error={failure} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

function isMissing(failure: Error | null): boolean {
  return failure instanceof ApiFailure && failure.status === 404
}
