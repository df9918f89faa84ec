import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { Page } from '../../../parts/Page.tsx'
import { Section } from '../../../parts/Section.tsx'
import { StepTable } from './StepTable.tsx'
import { TourActions } from './TourActions.tsx'
import { TourFacts } from './TourFacts.tsx'
import { TourTrouble } from './TourTrouble.tsx'
import { tourQuery } from './tour-calls.ts'
import { countOf } from './tour-words.ts'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour')

/** One tour: what it is, its steps, and the ways to all that is done with it. */
export function TourPage() {
  const { tour: id } = route.useParams()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data: tour, failure, refetch } = useAnswer(tourQuery(useApi(), id))
  if (tour === undefined) {
    return (
      <Page title="Tour">
        <TourTrouble id={id} failure={failure} needs="edit recipe tours" onRetry={() => void refetch()} />
      </Page>
    )
  }
  return (
    <Page
      title={tour.label}
      aside={
        <TourActions
          tour={tour}
          onChanged={() => cache.invalidateQueries({ queryKey: ['tours'] })}
          onDeleted={async () => {
            await navigate({ to: '/admin/structure/recipe-onboarding/tours' })
            cache.removeQueries({ queryKey: ['tours', 'one', id] })
            await cache.invalidateQueries({ queryKey: ['tours', 'list'] })
          }}
        />
      }
    >
      <Section title="About">
        <TourFacts tour={tour} />
      </Section>
      <Section title="Steps" note={countOf(tour.tips.length, 'step')}>
        <StepTable tour={tour} />
      </Section>
    </Page>
  )
}
