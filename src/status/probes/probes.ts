import type { StatusConfig } from '../config/config.ts'
import type { StatusOptions } from '../route-options.ts'
import type { Probe, ServiceName } from '../services/service.ts'
import { createDatabaseProbe } from './database.ts'
import { createDiskProbe } from './disk.ts'
import { createOllamaProbe } from './ollama.ts'
import { createCloudProbe, lookAtProviders } from './providers.ts'
import { createQueueProbe } from './queue.ts'
import { createVectorProbe } from './vector-db/vector-db.ts'

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
