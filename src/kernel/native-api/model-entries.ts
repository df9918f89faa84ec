import { createHash } from 'node:crypto'

/** The version of the native API that is translated. Clients compare it before they use a feature. */
export const nativeApiVersion = '0.13.5'

interface ListedModel {
  /** Distinguishes the model from all others of the list. */
  readonly id: string
  readonly name: string
  /** What serves the model, in place of the family of its architecture. */
  readonly family: string
  /** Unix time in seconds; null when unknown. */
  readonly created: number | null
  /** Bytes; null when unknown. */
  readonly size: number | null
  readonly parameterSize?: string | null
  readonly quantization?: string | null
}

/** The entry in `/api/tags` of a model that another server lists. */
export function listModel({ id, name, created, size, ...about }: ListedModel) {
  return {
    name,
    model: name,
    modified_at: timeOf(created),
    size: size ?? 0,
    // Clients show the start of the digest, so every model has one.
    digest: createHash('sha256').update(id).digest('hex'),
    details: detailsOf(about),
  }
}

interface DescribedModel {
  readonly id: string
  readonly family: string
  readonly created: number | null
  /** Empty when unknown. */
  readonly capabilities: readonly string[]
  readonly contextLength: number | null
  readonly parameterSize?: string | null
  readonly quantization?: string | null
}

/** The response of `/api/show` for a model that another server has; unknown fields are empty. */
export function describeUnknownModel(model: DescribedModel) {
  const { id, family, capabilities, contextLength, created } = model
  return {
    license: '',
    modelfile: '',
    parameters: '',
    template: '',
    system: '',
    details: detailsOf(model),
    model_info: {
      'general.architecture': family,
      'general.basename': id,
      ...(contextLength !== null && { [`${family}.context_length`]: contextLength }),
    },
    // A model with unknown capabilities can be called with everything; its server refuses what it lacks.
    capabilities: capabilities.length > 0 ? capabilities : ['completion', 'tools', 'vision'],
    modified_at: timeOf(created),
  }
}

function detailsOf({
  family,
  parameterSize,
  quantization,
}: Pick<DescribedModel, 'family' | 'parameterSize' | 'quantization'>) {
  return {
    parent_model: '',
    format: '',
    family,
    families: [family],
    parameter_size: parameterSize ?? '',
    quantization_level: quantization ?? '',
  }
}

function timeOf(created: number | null): string {
  return new Date((created ?? 0) * 1000).toISOString()
}
