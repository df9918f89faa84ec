import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { createCheck } from '#kernel/checks'

/** Details that only the description of a single model contains; null when unknown. */
export interface ModelDetails {
  readonly contextLength: number | null
  readonly capabilities: readonly string[] | null
}

interface DescribedModel {
  readonly name: string
  /** Changes when the model is replaced under the same name. */
  readonly version: string
  /** Whether a node can describe the model now. */
  readonly available: boolean
}

export interface ModelDetailsCache {
  /** The known details. Waits for missing ones up to a limit; details that arrive later are part of the next result. */
  of(models: readonly DescribedModel[]): Promise<ReadonlyMap<string, ModelDetails>>
}

interface ModelDetailsOptions {
  /** Fetches the description of a model. Throws when that fails. */
  readonly describe: (name: string) => Promise<unknown>
  readonly maxWaitMs?: number
  /** How long a failure is cached. */
  readonly failedMs?: number
  readonly now?: () => number
}

interface Entry {
  readonly version: string
  readonly details: ModelDetails
  readonly freshUntil: number
}

const noDetails: ModelDetails = { contextLength: null, capabilities: null }
const maxConcurrent = 4

export function createModelDetails(options: ModelDetailsOptions): ModelDetailsCache {
  const { describe, maxWaitMs = 2000, failedMs = 60_000, now = Date.now } = options
  const known = new Map<string, Entry>()
  const pending = new Map<string, Promise<void>>()
  const queues = Array.from({ length: maxConcurrent }, () => Promise.resolve())
  let started = 0

  function isMissing({ name, version, available }: DescribedModel): boolean {
    const entry = known.get(name)
    return available && (entry?.version !== version || now() >= entry.freshUntil)
  }

  /** Concurrent callers share the request for a model. At most `maxConcurrent` requests run at once. */
  function fetchDetails(model: DescribedModel): Promise<void> {
    const { name } = model
    const queue = started++ % queues.length
    const request = pending.get(name) ?? (queues[queue] ?? Promise.resolve()).then(() => fetchNow(model))
    queues[queue] = request
    pending.set(name, request)
    return request
  }

  async function fetchNow({ name, version }: DescribedModel): Promise<void> {
    try {
      const details = readDetails(await describe(name))
      known.set(name, { version, details, freshUntil: Number.POSITIVE_INFINITY })
    } catch {
      known.set(name, { version, details: noDetails, freshUntil: now() + failedMs })
    }
    pending.delete(name)
  }

  return {
    async of(models) {
      const names = new Set(models.map(({ name }) => name))
      for (const name of known.keys()) if (!names.has(name)) known.delete(name)
      const missing = models.filter(isMissing)
      if (missing.length > 0) await atMost(maxWaitMs, Promise.all(missing.map(fetchDetails)))
      return new Map([...known].map(([name, { details }]) => [name, details]))
    },
  }
}

async function atMost(ms: number, event: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([event, sleep(ms, undefined, { signal: over.signal })])
  } finally {
    over.abort()
  }
}

const description = createCheck(
  Type.Object({
    capabilities: Type.Optional(Type.Array(Type.String({ pattern: '^[\\w .+-]{1,64}$' }), { maxItems: 32 })),
    model_info: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
)

function readDetails(response: unknown): ModelDetails {
  if (!description.Check(response)) return noDetails
  const { capabilities = null, model_info: info = {} } = response
  // The key of the context length contains the name of the architecture.
  const length = info[`${String(info['general.architecture'])}.context_length`]
  const isLength = typeof length === 'number' && Number.isSafeInteger(length) && length > 0
  return { capabilities, contextLength: isLength ? length : null }
}
