import type { CallFeature } from '../providers/content.ts'
import type { NativeField } from '../providers/provider.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'

/** The requirements of a call for its model. */
export interface CallRequirements {
  readonly capability: 'completion' | 'embedding'
  /** Fields that only nodes of the cluster support. */
  readonly runtimeFields: readonly string[]
  /** Abilities besides the capability, such as tools. */
  readonly features?: ReadonlySet<CallFeature> | undefined
  /** Fields that only providers with the protocol of the request get. */
  readonly native?: NativeRequirement | undefined
}

interface NativeRequirement {
  readonly fields: readonly NativeField[]
  /** Whether a provider has the protocol of the request. */
  readonly isSpokenBy: (provider: string) => boolean
}

const actions = { completion: 'generate text', embedding: 'create embeddings' } as const

/** Why a model cannot handle the call; undefined when it can. A model with unknown capabilities is tried. */
export function findIneligibility(
  { provider, model }: CatalogueEntry,
  requirements: CallRequirements,
): string | undefined {
  const { capability, runtimeFields, features = noFeatures } = requirements
  if (model.capabilities.length > 0 && !model.capabilities.includes(capability)) {
    return `The model "${model.id}" cannot ${actions[capability]}`
  }
  const missing = [...features].find((feature) => !hasFeature(model.capabilities, feature))
  if (missing !== undefined) {
    return `The model "${model.id}" does not support ${featureNames[missing]} (capability "${missing}")`
  }
  if (provider !== 'ollama' && runtimeFields.length > 0) {
    return `Only nodes of the cluster support ${runtimeFields.join(', ')}, and "${model.id}" is a model of ${provider}`
  }
  const [field] = findRefusedFields(provider, requirements)
  if (field !== undefined)
    return `The model "${model.id}" of ${provider} does not support ${nameField(field)}`
  return undefined
}

/** The fields of the request that the provider does not get, because it has another protocol. */
export function findRefusedFields(provider: string, { native }: CallRequirements): readonly NativeField[] {
  return native === undefined || native.isSpokenBy(provider) ? [] : native.fields.slice(0, maxFields)
}

/** Names a field in a message, such as `tools[2].type "web_search"`. */
function nameField(field: NativeField): string {
  return typeof field === 'string' ? field : `${field.path} ${JSON.stringify(field.value)}`
}

const noFeatures: ReadonlySet<CallFeature> = new Set()

const featureNames: Readonly<Record<CallFeature, string>> = {
  tools: 'tool calls',
  vision: 'images',
  audio: 'audio input',
  files: 'files',
}

/** Catalogues name tools and vision. Audio and files are left to the provider, which refuses them if it must. */
function hasFeature(capabilities: readonly string[], feature: CallFeature): boolean {
  if (capabilities.length === 0 || feature === 'audio' || feature === 'files') return true
  return capabilities.includes(feature)
}

const maxFields = 5
