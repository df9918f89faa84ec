import { childrenOf, type Step } from './step-types.ts'

/** A step with its place in the definition, such as `steps[3].steps[0]`. */
export interface PlacedStep {
  readonly step: Step
  readonly path: string
}

/** All steps of a flow with those inside containers, each container before its steps. Never throws for a valid flow. */
export function placedSteps(steps: readonly Step[], list = 'steps'): PlacedStep[] {
  return steps.flatMap((step, index) => {
    const path = `${list}[${index}]`
    return [{ step, path }, ...placedSteps(childrenOf(step), `${path}.steps`)]
  })
}

/** All steps of a flow with those inside containers. Never throws for a valid flow. */
export function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...allSteps(childrenOf(step))])
}

/** The steps with each one replaced, also inside containers; a container is replaced after its steps. */
export function mapSteps(steps: readonly Step[], replace: (step: Step) => Step): Step[] {
  return steps.map((step) => {
    const children = childrenOf(step)
    if (children.length === 0) return replace(step)
    return replace({ ...step, steps: mapSteps(children, replace) } as Step)
  })
}

/**
 * The step at a step path; undefined when there is none. The numbers of scopes are not checked. `stepsInside` returns the steps of a
 * container with this path.
 */
export function stepAtPath(
  steps: readonly Step[],
  path: string,
  stepsInside: (container: Step, path: string) => readonly Step[],
  around = '',
): Step | undefined {
  const [id, index, ...rest] = path.split('/')
  const step = steps.find((one) => one.id === id)
  if (step === undefined || index === undefined) return step
  if (!/^\d+$/.test(index) || rest.length === 0) return undefined
  const inside = stepsInside(step, `${around}${id}`)
  return stepAtPath(inside, rest.join('/'), stepsInside, `${around}${id}/${index}/`)
}

/** The id of the step at a step path: `translate_all/7/translate` is `translate`. */
export function idOfPath(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The scope of a step path: `translate_all/7/` of `translate_all/7/translate`; empty for a step of the flow itself. */
export function scopeOfPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** A step path without the numbers of scopes, under which statistics sum up: `translate_all/translate`. */
export function patternOfPath(path: string): string {
  return path.includes('/') ? path.replaceAll(/\/\d+(?=\/)/g, '') : path
}

/** `translate_all` of `translate_all/7/`. */
export function containerOfScope(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2))
}

/** 7 of `translate_all/7/`. */
export function indexOfScope(path: string): number {
  return Number(path.slice(path.lastIndexOf('/', path.length - 2) + 1, -1))
}

/** Whether the engine has added the step to a scope. Ids of written steps have no `$`. */
export function isGenerated(id: string): boolean {
  return id.startsWith('$')
}

/** What a container stores of itself besides its outcome: the evaluated list, and the end of each scope. */
export const openRow = '$open'
export const endRow = '$end'

/** Whether an outcome is not of a step, but of a container or one of its scopes. */
export function isContainerRow(path: string): boolean {
  const id = idOfPath(path)
  return id === openRow || id === endRow
}
