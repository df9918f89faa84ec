import { type FixedServiceName, isFixed, providerOf, type ServiceName } from '../services/service.ts'

interface ServiceNameText {
  /** The public name of the service, which describes its purpose without technology or address. */
  readonly name: string
  readonly are: 'is' | 'are'
}

const names: Readonly<Record<FixedServiceName, ServiceNameText>> = {
  database: { name: 'Database', are: 'is' },
  queue: { name: 'Background work', are: 'is' },
  disk: { name: 'Storage', are: 'is' },
  ollama: { name: 'Own models', are: 'are' },
  openai: { name: 'OpenAI models', are: 'are' },
  anthropic: { name: 'Anthropic models', are: 'are' },
  gemini: { name: 'Gemini models', are: 'are' },
  vector_db: { name: 'Vector search', are: 'is' },
  mcp: { name: 'MCP servers', are: 'are' },
}

function nameOf(service: ServiceName): ServiceNameText {
  return isFixed(service) ? names[service] : { name: `${providerOf(service)} models`, are: 'are' }
}

export function publicNameOf(service: ServiceName): string {
  return nameOf(service).name
}

/** The public texts of an outage. They state the effect and never the findings of a probe. */
export function outageTexts(service: ServiceName) {
  const { name, are } = nameOf(service)
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
