import { isObject, type Json, type JsonObject } from '../document/json.ts'
import type { FlowProblem } from '../problems/problem.ts'
import { canShow } from './schema/can-show.ts'
import { isWithin, pathText } from './schema/path-text.ts'
import type { Field, Shape } from './schema/shape.ts'

export interface PlacedProblems {
  /** The problems by the path of their field. */
  readonly byField: ReadonlyMap<string, readonly FlowProblem[]>
  /** The problems that no field can show. */
  readonly others: readonly FlowProblem[]
}

/** Assigns each problem to its innermost field. */
export function placeProblems(
  problems: readonly FlowProblem[],
  fields: readonly Field[],
  value: JsonObject,
): PlacedProblems {
  if (problems.length === 0) return { byField: new Map(), others: [] }
  const paths = fields.flatMap((field) => pathsOf(field.shape, [field.name], value[field.name]))
  const byField = new Map<string, FlowProblem[]>()
  const others: FlowProblem[] = []
  for (const problem of problems) {
    const place = paths
      .filter((path) => isWithin(problem.path, path))
      .reduce<string | undefined>(
        (best, path) => (path.length > (best?.length ?? -1) ? path : best),
        undefined,
      )
    if (place === undefined) others.push(problem)
    else byField.set(place, [...(byField.get(place) ?? []), problem])
  }
  return { byField, others }
}

/** The paths of all fields that a form shows for a value. */
function pathsOf(
  shape: Shape,
  path: readonly (string | number)[],
  value: Json | undefined,
): readonly string[] {
  const own = pathText(path)
  if (!canShow(shape, value)) return [own]
  const group = shape.kind === 'group or text' ? shape.group : shape
  if (group.kind === 'group' && typeof value !== 'string') {
    const inner = isObject(value) ? value : {}
    return [own, ...group.fields.flatMap(({ name, shape: it }) => pathsOf(it, [...path, name], inner[name]))]
  }
  if (shape.kind === 'record' && isObject(value)) {
    return [
      own,
      ...Object.entries(value).flatMap(([name, entry]) => pathsOf(shape.entry, [...path, name], entry)),
    ]
  }
  if (shape.kind === 'list' && shape.entry.kind === 'group' && Array.isArray(value)) {
    const entries = value as readonly Json[]
    return [own, ...entries.flatMap((entry, index) => pathsOf(shape.entry, [...path, index], entry))]
  }
  return [own]
}
