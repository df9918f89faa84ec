import type { CatalogueEntry } from '../gateway/catalogue-entry.ts'

/**
 * What is measured: the time to the first token of a response that is streamed to the caller, or the time to a response that the
 * caller gets as a whole. They are kept apart, since a provider that gets the request unchanged streams only on request.
 */
export type MeasuredTime = 'first_token' | 'response'

/** The response times of models in this process, by which the strategy `fastest` chooses. */
export interface ResponseTimes {
  /** Milliseconds, smoothed; infinite while the model is failing, undefined without measurements. */
  of(model: MeasuredModel, what: MeasuredTime): number | undefined
  answered(model: MeasuredModel, what: MeasuredTime, ms: number): void
  failed(model: MeasuredModel): void
}

type MeasuredModel = Pick<CatalogueEntry, 'provider'> & { readonly model: { readonly id: string } }

interface Measured {
  readonly ms: Map<MeasuredTime, number>
  /** Until this time the model is failing. */
  failingUntil: number
}

/** The weight of a new measurement: the last ten make up 97 % of the mean. */
const newWeight = 0.3
/** A model whose last attempt failed comes last for this time, then it is tried as before. */
const failingMs = 30_000
const defaultMaxModels = 2000

export function createResponseTimes({
  maxModels = defaultMaxModels,
  now = () => performance.now(),
}: {
  readonly maxModels?: number
  readonly now?: () => number
} = {}): ResponseTimes {
  /** The least recently measured model is first. */
  const models = new Map<string, Measured>()

  function update(model: MeasuredModel): Measured {
    const key = keyOf(model)
    const measured = models.get(key) ?? { ms: new Map(), failingUntil: 0 }
    models.delete(key)
    models.set(key, measured)
    if (models.size > maxModels) models.delete(models.keys().next().value ?? '')
    return measured
  }

  return {
    of(model, what) {
      const measured = models.get(keyOf(model))
      if (measured === undefined) return undefined
      return measured.failingUntil > now() ? Number.POSITIVE_INFINITY : measured.ms.get(what)
    },
    answered(model, what, ms) {
      const measured = update(model)
      const before = measured.ms.get(what)
      measured.ms.set(what, before === undefined ? ms : before + newWeight * (ms - before))
      measured.failingUntil = 0
    },
    failed(model) {
      update(model).failingUntil = now() + failingMs
    },
  }
}

/** Names of providers contain no slash. */
function keyOf({ provider, model }: MeasuredModel): string {
  return `${provider}/${model.id}`
}
