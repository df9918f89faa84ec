import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { profileQuery } from '../../../api/queries.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { Builder } from './Builder.tsx'
import { keptTour, tourQuery } from './document/tour-calls.ts'
import { TourGate } from './TourGate.tsx'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour/builder')
const mayEdit = ['edit recipe tours', 'administer recipe tours']

/** The visual builder of one tour. */
export function BuilderPage() {
  const { tour: id } = route.useParams()
  const api = useApi()
  const answer = useApiQuery(tourQuery(api, id))
  const permissions = useQuery(profileQuery(api)).data?.permissions
  const isClosed = permissions !== undefined && !mayEdit.some((it) => permissions.includes(it))
  return (
    <TourGate
      doing="Builder"
      id={id}
      answer={answer}
      closed={isClosed ? 'Editing this tour requires the permission “edit recipe tours”.' : undefined}
    >
      {(tour) => <Builder key={tour.id} id={tour.id} tour={keptTour(tour)} />}
    </TourGate>
  )
}
