import { noFindings, refuseFindings } from '../content/findings.ts'
import { type GivenTip, readTip } from '../content/read-tip.ts'
import { mintStepId, newStepId } from '../content/read-tips.ts'
import { noSuchStep, wrongHere } from '../errors.ts'
import { bounds, inOrder, type Tip, type Tour } from '../tour.ts'

/** A step as the builder sends it: what is called `title` there is the step's label. */
export interface StepData extends Omit<GivenTip, 'label'> {
  readonly title?: string | undefined
  readonly weight?: number | undefined
}

type Edited = Pick<Tour, 'id' | 'tips' | 'routes'>

/** Adds a step to a tour, or changes one that is there. Answers its id and all steps as they are then. */
export function saveStep(
  tour: Edited,
  stepId: string,
  data: StepData,
): { readonly id: string; readonly tips: Tip[] } {
  const stored = tour.tips.find(({ id }) => id === stepId)
  if (stored === undefined && stepId !== newStepId) throw noSuchStep(tour.id, stepId, 'stepId')
  if (stored === undefined && tour.tips.length >= bounds.steps) {
    throw wrongHere({
      path: 'stepId',
      message: `cannot be added: a tour has at most ${bounds.steps} steps`,
      code: 'too_many',
    })
  }
  const found = noFindings()
  const id = stored?.id ?? mintStepId(data.title ?? '', (name) => tour.tips.some((tip) => tip.id === name))
  const tip = readTip(mergeStep(stored, data), {
    id,
    routes: tour.routes,
    at: (field) => `stepData.${field === 'label' ? 'title' : field}`,
    found,
  })
  refuseFindings(found)
  return { id, tips: place(tour.tips, tip, data.weight) }
}

/** What is left out stays. Whoever points a step at an element takes it out of the middle of the page. */
function mergeStep(stored: Tip | undefined, { title, weight: _placed, ...data }: StepData): GivenTip {
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

function place(tips: readonly Tip[], tip: Tip, weight: number | undefined): Tip[] {
  const others = tips.filter(({ id }) => id !== tip.id)
  const current = tips.findIndex(({ id }) => id === tip.id)
  const last = current === -1 ? others.length : current
  const index = weight === undefined ? last : Math.min(Math.max(weight - 1, 0), others.length)
  return inOrder(others.toSpliced(index, 0, tip))
}
