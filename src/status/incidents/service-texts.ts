import { type ServiceName, serviceNames } from '../services/service.ts'

interface Words {
  /** What everybody calls the service: says what it does, and nothing of how or where. */
  readonly name: string
  readonly are: 'is' | 'are'
}

const wordsOf: Readonly<Record<ServiceName, Words>> = {
  database: { name: 'Database', are: 'is' },
  queue: { name: 'Background work', are: 'is' },
  disk: { name: 'Storage', are: 'is' },
  ollama: { name: 'Own models', are: 'are' },
  openai: { name: 'OpenAI models', are: 'are' },
  anthropic: { name: 'Anthropic models', are: 'are' },
  vector_db: { name: 'Vector search', are: 'is' },
  mcp: { name: 'MCP servers', are: 'are' },
}

export function publicNameOf(service: ServiceName): string {
  return wordsOf[service].name
}

/** What the prober says of an outage. Everybody may read it, so it says what is felt and not what was found. */
export function outageWords(service: ServiceName) {
  const { name, are } = wordsOf[service]
  return {
    title: { offline: `${name} ${are} not available`, degraded: `${name} ${are} impaired` },
    found: {
      offline: `${name} ${are} not available. An automatic check found this.`,
      degraded: `${name} ${are} slow, or available only in part. An automatic check found this.`,
    },
    changed: {
      offline: `${name} ${are} no longer available.`,
      degraded: `${name} ${are} available again, but slow or only in part.`,
    },
    well: `${name} ${are} available again.`,
    unwatched: `${name} ${are} no longer in use here.`,
  }
}

/** An incident of an earlier version may name a service that is no longer watched. */
export function isServiceName(name: string): name is ServiceName {
  return (serviceNames as readonly string[]).includes(name)
}
