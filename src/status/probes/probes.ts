import { randomUUID } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Engine } from '#engine'
import type { Database } from '#kernel/database'
import type { WorkerDirectory } from '#kernel/work'
import type { Models, ProbedProvider } from '#models'
import type { StatusConfig } from '../config/config.ts'
import {
  type FixedServiceName,
  inDisplayOrder,
  type PerService,
  type Probe,
  type ProbeResult,
  type Probes,
  type ServiceName,
  serviceNames,
  serviceOfProvider,
  valueFor,
} from '../services/service.ts'
import type { StatusOptions } from '../status-options.ts'
import { createOllamaProbe } from './ollama.ts'
import { createVectorProbe } from './vector-db.ts'

interface ProbesOptions
  extends Pick<
    StatusOptions,
    'database' | 'engine' | 'workers' | 'models' | 'settings' | 'dataDir' | 'cluster'
  > {
  /** The probe of the MCP servers. */
  readonly mcp: Probe
}

/** The model providers that are services of every installation. */
const usualProviders = ['ollama', 'openai', 'anthropic', 'gemini'] as const satisfies readonly ServiceName[]
/** It is part of every process, so it needs no probe. */
const builtinProvider = 'builtin'

/** The service of a model provider. */
function serviceOf(provider: string): ServiceName {
  return usualProviders.find((usual) => usual === provider) ?? serviceOfProvider(provider)
}

/** The probes of one round; the providers of models are probed once for all of them. */
export function createProbesFor(options: ProbesOptions) {
  const { database, engine, workers, models, settings, dataDir, cluster, mcp } = options
  return async (config: StatusConfig): Promise<Probes> => {
    const probeProvider = createProviderProbe({
      providers: models.providers,
      timeoutMs: config.timeout_seconds * 1000,
      slowMs: config.slow_ms,
    })
    const fixed: Readonly<Record<FixedServiceName, Probe>> = {
      database: createDatabaseProbe(database),
      queue: createQueueProbe({ engine, workers, maxWaitMs: config.slow_ms.queue }),
      disk: createDiskProbe({ dataDir, limits: config.disk }),
      ollama: createOllamaProbe({ probeProvider, catalogue: models.catalogue, cluster }),
      openai: createCloudProbe(probeProvider, 'openai'),
      anthropic: createCloudProbe(probeProvider, 'anthropic'),
      gemini: createCloudProbe(probeProvider, 'gemini'),
      vector_db: createVectorProbe({ database, settings }),
      mcp,
    }
    const probes = new Map<ServiceName, Probe>()
    for (const name of serviceNames) probes.set(name, fixed[name])
    for (const provider of await models.providers.names()) {
      const service = serviceOf(provider)
      if (provider === builtinProvider || probes.has(service)) continue
      probes.set(service, createCloudProbe(probeProvider, provider))
    }
    return new Map(
      inDisplayOrder(probes.keys()).flatMap((name) => {
        const probe = probes.get(name)
        return probe === undefined ? [] : [[name, probe] as const]
      }),
    )
  }
}

/** Reads a table row. */
function createDatabaseProbe(database: Pick<Database, 'query' | 'version'>): Probe {
  return async () => {
    await database.query('select at from status_rounds')
    return { state: 'online', problem: null, metadata: { version: database.version } }
  }
}

interface QueueProbeOptions {
  readonly engine: Pick<Engine, 'activity' | 'history'>
  readonly workers: WorkerDirectory
  /** The longest expected wait of new work. */
  readonly maxWaitMs: number
}

const executionQueue = 'executions'

/** Checks that a worker runs and how long new work would wait. */
function createQueueProbe({ engine, workers, maxWaitMs }: QueueProbeOptions): Probe {
  return async () => {
    const [known, executions] = await Promise.all([workers.list(), engine.activity.open()])
    const serving = known.filter(({ alive, queues }) => alive && queues.includes(executionQueue))
    if (serving.length === 0)
      return { state: 'offline', problem: 'No worker is running: executions are not processed.' }
    const due = executions.queued - executions.parked
    if (due > 0 && executions.running === 0) {
      return { state: 'degraded', problem: `${due} executions are queued and none is running.` }
    }
    const { waitMs } = await engine.history.waitAt(due + 1)
    if (due > 0 && waitMs !== null && waitMs > maxWaitMs) {
      const problem = `${due} executions are queued; the expected wait is about ${Math.round(waitMs / 1000)} s.`
      return { state: 'degraded', problem }
    }
    return { state: 'online', problem: null }
  }
}

interface ProviderProbeOptions {
  readonly providers: Pick<Models['providers'], 'probe'>
  readonly timeoutMs: number
  readonly slowMs: PerService<number>
}

/** Probes all model providers at once, on the first call. */
function createProviderProbe({ providers, timeoutMs, slowMs }: ProviderProbeOptions) {
  let probing: Promise<readonly ProbedProvider[]> | undefined
  return async (provider: string): Promise<ProbedProvider> => {
    probing ??= providers.probe({
      timeoutMs,
      slowMs: (probed) => valueFor(slowMs, serviceOf(probed)),
    })
    const found = (await probing).find(({ name }) => name === provider)
    if (found === undefined) throw new Error(`unknown provider ${provider}`)
    return found
  }
}

/** All models that a cloud provider lists count as loaded. */
function createCloudProbe(
  probeProvider: (provider: string) => Promise<ProbedProvider>,
  provider: string,
): Probe {
  return async () => {
    const { state, problem, responseMs, models } = await probeProvider(provider)
    const isReachable = state === 'online' || state === 'degraded'
    return { state, problem, responseMs, metadata: { models_loaded: isReachable ? models.length : null } }
  }
}

interface DiskProbeOptions {
  readonly dataDir: string
  /** Limits of disk usage in percent. */
  readonly limits: { readonly degraded_percent: number; readonly offline_percent: number }
}

/** Checks the disk usage of the data folder and that it is writable. */
function createDiskProbe({ dataDir, limits }: DiskProbeOptions): Probe {
  return async () => {
    const folder = await nearestFolder(dataDir)
    const { blocks, bfree, bavail } = await statfs(folder)
    const usable = blocks - bfree + bavail
    const percent = usable === 0 ? 0 : ((blocks - bfree) / usable) * 100
    // With an external database the data folder may not exist, and the probe must not write elsewhere.
    const problem = folder === dataDir ? await checkWritable(folder) : undefined
    if (problem !== undefined) return { state: 'offline', problem }
    return classifyDiskUsage(percent, limits)
  }
}

function classifyDiskUsage(percent: number, limits: DiskProbeOptions['limits']): ProbeResult {
  const problem = `The disk of the data folder is ${percent.toFixed(1)} % full.`
  if (percent >= limits.offline_percent) return { state: 'offline', problem }
  if (percent >= limits.degraded_percent) return { state: 'degraded', problem }
  return { state: 'online', problem: null }
}

async function checkWritable(folder: string): Promise<string | undefined> {
  const file = join(folder, `.probe-${randomUUID()}`)
  try {
    await using written = await open(file, 'wx')
    await written.writeFile('tutti')
    await written.sync()
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return `The data folder is not writable (${code}).`
  } finally {
    await rm(file, { force: true })
  }
}

/** The folder, or its nearest existing parent. */
async function nearestFolder(folder: string): Promise<string> {
  try {
    if ((await stat(folder)).isDirectory()) return folder
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  const parent = dirname(folder)
  return parent === folder ? folder : await nearestFolder(parent)
}
