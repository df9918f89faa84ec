import type { ModelRoute, RouteDefinition, Strategy } from './route-queries.ts'

/** A target of the form. */
export interface TargetDraft {
  /** Identifies the target while it is moved. */
  readonly id: number
  readonly model: string
  readonly weight: string
}

/** The fields of the form, as text. */
export interface RouteDraft {
  readonly name: string
  readonly description: string
  readonly strategy: Strategy
  readonly targets: readonly TargetDraft[]
  /** Empty for the default of the platform. */
  readonly retries: string
}

export const emptyDraft: RouteDraft = {
  name: '',
  description: '',
  strategy: 'fallback',
  targets: [{ id: 0, model: '', weight: '' }],
  retries: '',
}

export function draftOf({ name, description, strategy, targets, retries }: ModelRoute): RouteDraft {
  return {
    name,
    description: description ?? '',
    strategy,
    targets: targets.map(({ model, weight }, id) => ({ id, model, weight: weight?.toString() ?? '' })),
    retries: retries?.toString() ?? '',
  }
}

/** The definition to save. Only a weighted route has weights. */
export function definitionOf({ description, strategy, targets, retries }: RouteDraft): RouteDefinition {
  return {
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    strategy,
    targets: targets.map(({ model, weight }) => ({
      model: model.trim(),
      ...(strategy === 'weighted' && weight.trim() !== '' ? { weight: Number(weight) } : {}),
    })),
    ...(retries === '' ? {} : { retries: Number(retries) }),
  }
}

export function addTarget(targets: readonly TargetDraft[]): readonly TargetDraft[] {
  const id = Math.max(...targets.map((target) => target.id), -1) + 1
  return [...targets, { id, model: '', weight: '' }]
}

/** The share of the calls that each target gets, in percent; undefined while a weight is no number. */
export function sharesOf(targets: readonly TargetDraft[]): readonly (number | undefined)[] {
  const weights = targets.map(({ weight }) => (weight.trim() === '' ? 1 : Number(weight)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => (total > 0 ? Math.round((100 * weight) / total) : undefined))
}
