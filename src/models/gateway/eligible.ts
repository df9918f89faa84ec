import type { CatalogueEntry } from './catalogue-entry.ts'

/** What a call asks of a model. */
export interface Need {
  readonly capability: 'completion' | 'embedding'
  /** Fields that only nodes of the cluster understand. */
  readonly runtimeFields: readonly string[]
}

const deed = { completion: 'write text', embedding: 'make embeddings' } as const

/** Why a model cannot be asked for this; undefined when it can. A model that says nothing about itself is tried. */
export function whyNot({ provider, model }: CatalogueEntry, need: Need): string | undefined {
  const { capability, runtimeFields } = need
  if (model.capabilities.length > 0 && !model.capabilities.includes(capability)) {
    return `The model "${model.id}" cannot ${deed[capability]}`
  }
  if (provider !== 'ollama' && runtimeFields.length > 0) {
    return `Only nodes of the cluster understand ${runtimeFields.join(', ')}, and "${model.id}" is a model of ${provider}`
  }
  return undefined
}

const mostNamed = 5
const longestNamed = 64

/** The fields of a call that only nodes understand, as the caller wrote them: of options each by itself. */
export function runtimeFieldsOf(runtime: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const names = Object.entries(runtime).flatMap(([name, value]) =>
    name === 'options' && typeof value === 'object' && value !== null
      ? Object.keys(value).map((option) => `options.${option}`)
      : [name],
  )
  return names.slice(0, mostNamed).map((name) => name.slice(0, longestNamed))
}
