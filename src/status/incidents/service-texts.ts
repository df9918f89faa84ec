import { type ServiceName, serviceNames } from '../services/service.ts'

interface ServiceNameText {
  /** The public name of the service, which describes its purpose without technology or address. */
  readonly name: string
  readonly are: 'is' | 'are'
}

const names: Readonly<Record<ServiceName, ServiceNameText>> = {
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
  return names[service].name
}

/** The public texts of an outage. They state the effect and never the findings of a probe. */
export function outageTexts(service: ServiceName) {
  const { name, are } = names[service]
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

/** An incident of an earlier version may name a service that no longer exists. */
export function isServiceName(name: string): name is ServiceName {
  return (serviceNames as readonly string[]).includes(name)
}
