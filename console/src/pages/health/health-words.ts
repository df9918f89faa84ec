import type { Tone } from '../../parts/Status.tsx'
import type { Service } from './health-queries.ts'

interface Words {
  readonly tone: Tone
  readonly word: string
}

/** The start of the names of services that are further model providers. */
const providerPrefix = 'provider:'

const serviceWords: Readonly<Record<string, { title: string; about: string }>> = {
  database: { title: 'Database', about: 'Stores all data of the platform.' },
  queue: { title: 'Work queue', about: 'Queued executions and the workers that run them.' },
  disk: { title: 'Disk', about: 'Free disk space.' },
  ollama: { title: 'Cluster', about: 'Nodes that run models.' },
  openai: { title: 'OpenAI', about: 'Cloud models, with an API key.' },
  anthropic: { title: 'Anthropic', about: 'Cloud models, with an API key.' },
  gemini: { title: 'Gemini', about: 'Cloud models, with an API key.' },
  providers: { title: 'Other providers', about: 'Each further model provider.' },
  vector_db: {
    title: 'Vector database',
    about: 'pgvector in the database, or an external Qdrant or Chroma.',
  },
  mcp: { title: 'MCP servers', about: 'Registered MCP tool servers.' },
}

/** The display name of a service. */
export function describeService(name: string): string {
  if (name.startsWith(providerPrefix)) return name.slice(providerPrefix.length)
  return Object.hasOwn(serviceWords, name) ? (serviceWords[name]?.title ?? name) : name
}

export function aboutService(name: string): string | undefined {
  if (name.startsWith(providerPrefix)) return 'A model provider.'
  return Object.hasOwn(serviceWords, name) ? serviceWords[name]?.about : undefined
}

/** The model provider that is the service; undefined for other services and for the cluster. */
export function providerOfService(name: string): string | undefined {
  if (name.startsWith(providerPrefix)) return name.slice(providerPrefix.length)
  return cloudProviders.has(name) ? name : undefined
}

const cloudProviders: ReadonlySet<string> = new Set(['openai', 'anthropic', 'gemini'])

const serviceStates: Readonly<Record<string, Words>> = {
  online: { tone: 'good', word: 'Online' },
  degraded: { tone: 'warn', word: 'Degraded' },
  offline: { tone: 'bad', word: 'Offline' },
  unconfigured: { tone: 'idle', word: 'Not configured' },
}

/** The display name of a service state. */
export function describeServiceState(status: string): Words {
  return serviceStates[status] ?? { tone: 'idle', word: status }
}

const levels: Readonly<Record<string, Words>> = {
  healthy: { tone: 'good', word: 'Healthy' },
  degraded: { tone: 'warn', word: 'Degraded' },
  critical: { tone: 'bad', word: 'Critical' },
}

/** The display name of the overall status. */
export function describeLevel(level: string): Words {
  return levels[level] ?? { tone: 'idle', word: level }
}

interface ServiceState {
  readonly name: string
  readonly status: string
}

/** The impaired services, by their display names. */
export function describeTrouble(services: readonly ServiceState[]): string {
  const named = (wanted: string) =>
    services.filter(({ status }) => status === wanted).map(({ name }) => describeService(name))
  const [offline, degraded] = [named('offline'), named('degraded')]
  const parts = [
    ...(offline.length === 0 ? [] : [`Offline: ${offline.join(', ')}`]),
    ...(degraded.length === 0 ? [] : [`Degraded: ${degraded.join(', ')}`]),
  ]
  return parts.length === 0 ? 'All services online' : parts.join('. ')
}

/** The share of its weight a service adds to the score. */
const shares: Readonly<Record<string, number>> = { online: 1, degraded: 0.5, offline: 0 }

export interface ScorePart {
  readonly name: Service['name']
  readonly status: Service['status']
  readonly weight: number
  /** The share of the weight that counts: 1, 0.5 or 0. */
  readonly share: number
  /** The points the service adds to the score of at most 100. */
  readonly points: number
  /** The points the service would add if it were online. */
  readonly most: number
}

/** The breakdown of the score: all configured services with their points. Weights that are all 0 count as equal. */
export function scoreParts(
  services: ReadonlyArray<Pick<Service, 'name' | 'status' | 'weight'>>,
): readonly ScorePart[] {
  const counted = services.filter(({ status }) => status !== 'unconfigured')
  const total = counted.reduce((sum, { weight }) => sum + weight, 0)
  return counted.map(({ name, status, weight }) => {
    const share = shares[status] ?? 0
    const most = total === 0 ? 100 / counted.length : (100 * weight) / total
    return { name, status, weight, share, points: most * share, most }
  })
}
