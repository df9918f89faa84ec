import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { tourQuery } from '../builder/document/tour-calls.ts'
import { TourGate } from '../builder/TourGate.tsx'
import { Preview } from './Preview.tsx'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour/preview')

/** A tour as visitors will see it, draft or not. */
export function PreviewPage() {
  const { tour: id } = route.useParams()
  const answer = useAnswer(tourQuery(useApi(), id))
  return (
    <TourGate doing="Preview" id={id} answer={answer}>
      {(tour) => <Preview key={tour.id} tour={tour} />}
    </TourGate>
  )
}
