import { noSuchStep } from '../errors.ts'
import type { TourPatch } from '../store/change-tour.ts'
import { renumberTips, type Tour } from '../tour.ts'

/** Removes a step from a tour. A published tour that loses its last step becomes a draft. */
export function removeStep(tour: Tour, stepId: string): TourPatch {
  const tips = tour.tips.filter(({ id }) => id !== stepId)
  if (tips.length === tour.tips.length) throw noSuchStep(tour.id, stepId, 'step_id')
  return { tips: renumberTips(tips), status: tour.status && tips.length > 0 }
}
