import type { CatalogueEntry } from './catalogue-entry.ts'

/** The requirements of a call for its model. */
export interface CallRequirements {
  readonly capability: 'completion' | 'embedding'
  /** Fields that only nodes of the cluster support. */
  readonly runtimeFields: readonly string[]
}

const actions = { completion: 'generate text', embedding: 'create embeddings' } as const

/** Why a model cannot handle the call; undefined when it can. A model with unknown capabilities is tried. */
export function findIneligibility(
  { provider, model }: CatalogueEntry,
  requirements: CallRequirements,
): string | undefined {
  const { capability, runtimeFields } = requirements
  if (model.capabilities.length > 0 && !model.capabilities.includes(capability)) {
    return `The model "${model.id}" cannot ${actions[capability]}`
  }
  if (provider !== 'ollama' && runtimeFields.length > 0) {
    return `Only nodes of the cluster support ${runtimeFields.join(', ')}, and "${model.id}" is a model of ${provider}`
  }
  return undefined
}

const maxFields = 5
const maxFieldLength = 64

/** The names of the fields that only nodes support, as the caller wrote them; options are named one by one. */
export function runtimeFieldsOf(runtime: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const names = Object.entries(runtime).flatMap(([name, value]) =>
    name === 'options' && typeof value === 'object' && value !== null
      ? Object.keys(value).map((option) => `options.${option}`)
      : [name],
  )
  return names.slice(0, maxFields).map((name) => name.slice(0, maxFieldLength))
}
