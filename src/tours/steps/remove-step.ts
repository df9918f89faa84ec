import { noSuchStep } from '../errors.ts'
import type { TourPatch } from '../store/change-tour.ts'
import { inOrder, type Tour } from '../tour.ts'

/** Takes a step out of a tour. A published tour without a step would be nothing to see, so it becomes a draft. */
export function removeStep(tour: Tour, stepId: string): TourPatch {
  const tips = tour.tips.filter(({ id }) => id !== stepId)
  if (tips.length === tour.tips.length) throw noSuchStep(tour.id, stepId, 'step_id')
  return { tips: inOrder(tips), status: tour.status && tips.length > 0 }
}
