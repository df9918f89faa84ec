import { randomUUID } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Engine } from '#engine'
import type { Database } from '#kernel/database'
import type { WorkerDirectory } from '#kernel/work'
import type { Models, ProbedProvider } from '#models'
import type { StatusConfig } from '../config/config.ts'
import type { Probe, ProbeResult, ServiceName } from '../services/service.ts'
import type { StatusOptions } from '../status-options.ts'
import { createOllamaProbe } from './ollama.ts'
import { createVectorProbe } from './vector-db.ts'

interface ProbesOptions
  extends Pick<
    StatusOptions,
    'database' | 'engine' | 'workers' | 'models' | 'settings' | 'dataDir' | 'cluster'
  > {
  /** Looks at the servers of the Model Context Protocol. */
  readonly mcp: Probe
}

/** The probes of one round: what is looked at together is looked at once. */
export function createProbesFor(options: ProbesOptions) {
  const { database, engine, workers, models, settings, dataDir, cluster, mcp } = options
  return (config: StatusConfig): Readonly<Record<ServiceName, Probe>> => {
    const lookAt = lookAtProviders({
      providers: models.providers,
      timeoutMs: config.timeout_seconds * 1000,
      slowMs: config.slow_ms,
    })
    return {
      database: createDatabaseProbe(database),
      queue: createQueueProbe({ engine, workers, maxWaitMs: config.slow_ms.queue }),
      disk: createDiskProbe({ dataDir, limits: config.disk }),
      ollama: createOllamaProbe({ lookAt, catalogue: models.catalogue, cluster }),
      openai: createCloudProbe(lookAt, 'openai'),
      anthropic: createCloudProbe(lookAt, 'anthropic'),
      vector_db: createVectorProbe({ database, settings }),
      mcp,
    }
  }
}

/** Asks the database for something that stands in a table. */
function createDatabaseProbe(database: Pick<Database, 'query' | 'version'>): Probe {
  return async () => {
    await database.query('select at from status_rounds')
    return { state: 'online', problem: null, metadata: { version: database.version } }
  }
}

interface QueueProbeOptions {
  readonly engine: Pick<Engine, 'activity' | 'history'>
  readonly workers: WorkerDirectory
  /** How long work may be expected to wait. */
  readonly maxWaitMs: number
}

const executionQueue = 'executions'

/** Looks whether somebody works, and how long new work would wait. */
function createQueueProbe({ engine, workers, maxWaitMs }: QueueProbeOptions): Probe {
  return async () => {
    const [known, open] = await Promise.all([workers.list(), engine.activity.open()])
    const serving = known.filter(({ alive, queues }) => alive && queues.includes(executionQueue))
    if (serving.length === 0) return { state: 'offline', problem: 'No worker runs: nothing is worked on.' }
    const due = open.queued - open.parked
    if (due > 0 && open.running === 0) {
      return { state: 'degraded', problem: `${due} executions wait, and none runs.` }
    }
    const { waitMs } = await engine.history.waitAt(due + 1)
    if (due > 0 && waitMs !== null && waitMs > maxWaitMs) {
      const problem = `${due} executions wait, and a new one would for about ${Math.round(waitMs / 1000)} s.`
      return { state: 'degraded', problem }
    }
    return { state: 'online', problem: null }
  }
}

type ProvidedService = Extract<ServiceName, 'ollama' | 'openai' | 'anthropic'>

interface ProviderLookOptions {
  readonly providers: Pick<Models['providers'], 'probe'>
  readonly timeoutMs: number
  readonly slowMs: Readonly<Record<ServiceName, number>>
}

/** Looks at all providers of models at once, when the first of them is wanted. */
function lookAtProviders({ providers, timeoutMs, slowMs }: ProviderLookOptions) {
  let looking: Promise<readonly ProbedProvider[]> | undefined
  return async (service: ProvidedService): Promise<ProbedProvider> => {
    looking ??= providers.probe({
      timeoutMs,
      slowMs: (provider) => (provider === 'builtin' ? undefined : slowMs[provider]),
    })
    const found = (await looking).find(({ name }) => name === service)
    if (found === undefined) throw new Error(`there is no provider ${service}`)
    return found
  }
}

/** A cloud has every model it lists at hand, so all of them count as loaded. */
function createCloudProbe(
  lookAt: (service: ProvidedService) => Promise<ProbedProvider>,
  service: ProvidedService,
): Probe {
  return async () => {
    const { state, problem, responseMs, models } = await lookAt(service)
    const isThere = state === 'online' || state === 'degraded'
    return { state, problem, responseMs, metadata: { models_loaded: isThere ? models.length : null } }
  }
}

interface DiskProbeOptions {
  readonly dataDir: string
  /** How full it may be, in percent. */
  readonly limits: { readonly degraded_percent: number; readonly offline_percent: number }
}

/** Looks how full the disk of the data folder is, and writes a few bytes to it. */
function createDiskProbe({ dataDir, limits }: DiskProbeOptions): Probe {
  return async () => {
    const folder = await nearestFolder(dataDir)
    const { blocks, bfree, bavail } = await statfs(folder)
    const usable = blocks - bfree + bavail
    const percent = usable === 0 ? 0 : ((blocks - bfree) / usable) * 100
    // Only where files of ours belong: with a database elsewhere there may be no such folder.
    const trouble = folder === dataDir ? await writeTo(folder) : undefined
    if (trouble !== undefined) return { state: 'offline', problem: trouble }
    return judgeFill(percent, limits)
  }
}

function judgeFill(percent: number, limits: DiskProbeOptions['limits']): ProbeResult {
  const problem = `The disk of the data folder is ${percent.toFixed(1)} % full.`
  if (percent >= limits.offline_percent) return { state: 'offline', problem }
  if (percent >= limits.degraded_percent) return { state: 'degraded', problem }
  return { state: 'online', problem: null }
}

async function writeTo(folder: string): Promise<string | undefined> {
  const file = join(folder, `.probe-${randomUUID()}`)
  try {
    await using written = await open(file, 'wx')
    await written.writeFile('tutti')
    await written.sync()
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return `Nothing can be written to the data folder (${code}).`
  } finally {
    await rm(file, { force: true })
  }
}

/** The folder, or the nearest above it that is there. */
async function nearestFolder(folder: string): Promise<string> {
  try {
    if ((await stat(folder)).isDirectory()) return folder
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  const above = dirname(folder)
  return above === folder ? folder : await nearestFolder(above)
}
