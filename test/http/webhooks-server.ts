import type { Answer, CallOptions } from '../support/calls.ts'
import { type FlowsPlatform, openFlowsPlatform, shareFlowsPlatform } from '../support/flows-platform.ts'

interface WebhookCallOptions extends CallOptions {
  readonly api?: keyof typeof prefixes
}

/** A platform whose webhooks are called through either API. `nora` sends the requests. */
export interface WebhooksServer extends Omit<FlowsPlatform, 'call' | 'post'> {
  call(path: string, options?: WebhookCallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: WebhookCallOptions): Promise<Answer>
}

const prefixes = { workflows: '/ai-workflows/api', orchestra: '/ai-orchestra/api' } as const

/** `nora` and `otto` manage webhooks, `vera` may not. */
const permissionsOf = { nora: ['manage webhooks'], otto: ['manage webhooks'], vera: [] }

const workflowsApi = { prefix: prefixes.workflows, permissionsOf }

/** A platform of its own, which lets an account send this many requests. */
export async function startWebhooksServer(requestsPerHour: number): Promise<WebhooksServer> {
  return serverOf(await openFlowsPlatform({ seed: false, requestsPerHour }, workflowsApi))
}

/** The platform that test files share. */
export async function shareWebhooksServer(): Promise<WebhooksServer> {
  return serverOf(await shareFlowsPlatform(workflowsApi))
}

function serverOf(platform: FlowsPlatform): WebhooksServer {
  const { url } = platform

  async function call(path: string, options: WebhookCallOptions = {}): Promise<Answer> {
    const { api = 'workflows', ...how } = options
    return await platform.call(path.startsWith(url) ? path.slice(url.length) : `${prefixes[api]}${path}`, how)
  }

  return {
    ...platform,
    call,
    post: (path, body, options = {}) => call(path, { ...options, method: 'POST', body }),
  }
}
