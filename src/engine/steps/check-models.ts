import type { Problem } from '#kernel/errors'
import { type CatalogueEntry, findEntriesByName } from '#models'
import { callsModels, type Step } from '../definition/step-types.ts'

/** Warns about the models that steps name. Warnings do not prevent saving a flow: the available models change. */
export function findModelWarnings(steps: readonly Step[], models: readonly CatalogueEntry[]): Problem[] {
  return steps.flatMap((step, index) => {
    const name = callsModels(step) ? step.ai_options?.model : undefined
    if (name === undefined || name === 'auto') return []
    const warning = warningAbout(name, findEntriesByName(name, models)[0])
    return warning === undefined ? [] : [{ path: `steps[${index}].ai_options.model`, ...warning }]
  })
}

function warningAbout(name: string, entry: CatalogueEntry | undefined): Omit<Problem, 'path'> | undefined {
  if (entry === undefined) {
    return {
      message: `no provider offers the model "${name}": the step fails until one does`,
      code: 'unknown_model',
    }
  }
  const { model, price, provider } = entry
  if (model.capabilities.length > 0 && !model.capabilities.includes('completion'))
    return {
      message: `the model "${name}" cannot generate text: the step fails`,
      code: 'unsuitable_model',
    }
  if (price.source !== 'unpriced') return undefined
  return {
    message: `the model "${name}" of ${provider} has no price: budgets do not limit it until a price is set`,
    code: 'unpriced_model',
  }
}
