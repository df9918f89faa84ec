import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** What a list of models does not say, and the description of a single one does; null where that is silent too. */
export interface ModelDetails {
  readonly contextLength: number | null
  readonly capabilities: readonly string[] | null
}

interface DescribedModel {
  readonly name: string
  /** Changes when the model behind the name does. */
  readonly version: string
  /** Whether somebody can be asked about it now. */
  readonly available: boolean
}

export interface ModelDetailsBook {
  /** What is known of these. Waits a moment for those nobody has asked about yet; what comes later is there next time. */
  of(models: readonly DescribedModel[]): Promise<ReadonlyMap<string, ModelDetails>>
}

interface ModelDetailsOptions {
  /** Asks for the description of a model; throws when there is none. */
  readonly describe: (name: string) => Promise<unknown>
  readonly mostWaitMs?: number
  /** How long a description that could not be had is not asked for again. */
  readonly failedMs?: number
  readonly now?: () => number
}

interface Entry {
  readonly version: string
  readonly details: ModelDetails
  readonly holdsUntil: number
}

const nothing: ModelDetails = { contextLength: null, capabilities: null }
const mostAtOnce = 4

export function createModelDetails(options: ModelDetailsOptions): ModelDetailsBook {
  const { describe, mostWaitMs = 2000, failedMs = 60_000, now = Date.now } = options
  const known = new Map<string, Entry>()
  const open = new Map<string, Promise<void>>()
  const lanes = Array.from({ length: mostAtOnce }, () => Promise.resolve())
  let asked = 0

  function isMissing({ name, version, available }: DescribedModel): boolean {
    const entry = known.get(name)
    return available && (entry?.version !== version || now() >= entry.holdsUntil)
  }

  /** Those who want to know the same share one question, and only as many as there are lanes are asked at once. */
  function ask(model: DescribedModel): Promise<void> {
    const { name } = model
    const lane = asked++ % lanes.length
    const question = open.get(name) ?? (lanes[lane] ?? Promise.resolve()).then(() => askNow(model))
    lanes[lane] = question
    open.set(name, question)
    return question
  }

  async function askNow({ name, version }: DescribedModel): Promise<void> {
    try {
      const details = readDetails(await describe(name))
      known.set(name, { version, details, holdsUntil: Number.POSITIVE_INFINITY })
    } catch {
      known.set(name, { version, details: nothing, holdsUntil: now() + failedMs })
    }
    open.delete(name)
  }

  return {
    async of(models) {
      const names = new Set(models.map(({ name }) => name))
      for (const name of known.keys()) if (!names.has(name)) known.delete(name)
      const missing = models.filter(isMissing)
      if (missing.length > 0) await atMost(mostWaitMs, Promise.all(missing.map(ask)))
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

const description = Compile(
  Type.Object({
    capabilities: Type.Optional(Type.Array(Type.String({ pattern: '^[\\w .+-]{1,64}$' }), { maxItems: 32 })),
    model_info: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
)

function readDetails(answer: unknown): ModelDetails {
  if (!description.Check(answer)) return nothing
  const { capabilities = null, model_info: facts = {} } = answer
  // Each architecture has a length of its own name; a model has the one of its architecture.
  const length = facts[`${String(facts['general.architecture'])}.context_length`]
  const isLength = typeof length === 'number' && Number.isSafeInteger(length) && length > 0
  return { capabilities, contextLength: isLength ? length : null }
}
