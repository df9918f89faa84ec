import { noProblems, throwProblems } from '../content/problems.ts'
import { readTip, type TipInput } from '../content/read-tip.ts'
import { createStepId, newStepId } from '../content/read-tips.ts'
import { noSuchStep, unprocessable } from '../errors.ts'
import { bounds, renumberTips, type Tip, type Tour } from '../tour.ts'

/** A step as the builder sends it: its `title` is the label of the step. */
export interface StepData extends Omit<TipInput, 'label'> {
  readonly title?: string | undefined
  readonly weight?: number | undefined
}

type EditedTour = Pick<Tour, 'id' | 'tips' | 'routes'>

/** Adds a step to a tour, or changes a stored one. Returns its id and all steps. Throws 400, 404 or 422 failures. */
export function saveStep(
  tour: EditedTour,
  stepId: string,
  data: StepData,
): { readonly id: string; readonly tips: Tip[] } {
  const stored = tour.tips.find(({ id }) => id === stepId)
  if (stored === undefined && stepId !== newStepId) throw noSuchStep(tour.id, stepId, 'stepId')
  if (stored === undefined && tour.tips.length >= bounds.steps) {
    throw unprocessable({
      path: 'stepId',
      message: `cannot be added: a tour can have at most ${bounds.steps} steps`,
      code: 'too_many',
    })
  }
  const found = noProblems()
  const id = stored?.id ?? createStepId(data.title ?? '', (name) => tour.tips.some((tip) => tip.id === name))
  const tip = readTip(mergeStep(stored, data), {
    id,
    routes: tour.routes,
    at: (field) => `stepData.${field === 'label' ? 'title' : field}`,
    found,
  })
  throwProblems(found)
  return { id, tips: insertTip(tour.tips, tip, data.weight) }
}

/** Absent fields stay unchanged. A new selector moves a step out of the middle of the page. */
function mergeStep(stored: Tip | undefined, { title, weight: _weight, ...data }: StepData): TipInput {
  if (stored === undefined) return { ...data, label: title ?? '' }
  const { location, selector } = stored
  const keptLocation = location === 'center' && data.selector ? undefined : location
  return {
    label: title ?? stored.label,
    body: data.body ?? stored.body,
    selector: data.selector === undefined ? selector || null : data.selector,
    location: data.location ?? keptLocation,
    route: data.route === undefined ? stored.route : data.route,
    candidates: data.candidates ?? stored.candidates,
    target_text: data.target_text === undefined ? stored.target_text : data.target_text,
  }
}

function insertTip(tips: readonly Tip[], tip: Tip, weight: number | undefined): Tip[] {
  const others = tips.filter(({ id }) => id !== tip.id)
  const current = tips.findIndex(({ id }) => id === tip.id)
  const last = current === -1 ? others.length : current
  const index = weight === undefined ? last : Math.min(Math.max(weight - 1, 0), others.length)
  return renumberTips(others.toSpliced(index, 0, tip))
}
