import type { Problem } from '#kernel/errors'
import { type CatalogueEntry, entriesNamed } from '#models'
import { asksModels, type Step } from '../definition/step-types.ts'

/** What is to be known about the models that steps name, before it costs somebody something. No reason to refuse a flow: models come and go. */
export function findModelWarnings(steps: readonly Step[], models: readonly CatalogueEntry[]): Problem[] {
  return steps.flatMap((step, index) => {
    const name = asksModels(step) ? step.ai_options?.model : undefined
    if (name === undefined || name === 'auto') return []
    const warning = warningAbout(name, entriesNamed(name, models)[0])
    return warning === undefined ? [] : [{ path: `steps[${index}].ai_options.model`, ...warning }]
  })
}

function warningAbout(name: string, entry: CatalogueEntry | undefined): Omit<Problem, 'path'> | undefined {
  if (entry === undefined) {
    return {
      message: `nobody here has the model "${name}": as long as that is so, the step fails`,
      code: 'unknown_model',
    }
  }
  const { model, price, provider } = entry
  if (model.capabilities.length > 0 && !model.capabilities.includes('completion'))
    return { message: `the model "${name}" cannot write text: the step fails`, code: 'unsuitable_model' }
  if (price.source !== 'unpriced') return undefined
  return {
    message: `nobody knows what the model "${name}" of ${provider} costs: no budget holds it back until a price is set`,
    code: 'unpriced_model',
  }
}
