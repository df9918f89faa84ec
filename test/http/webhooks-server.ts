import { setTimeout } from 'node:timers/promises'
import type { Answer, CallOptions } from '../support/calls.ts'
import { type FlowsPlatform, openFlowsPlatform } from '../support/flows-platform.ts'

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

export async function startWebhooksServer({ requestsPerHour = 10_000 } = {}): Promise<WebhooksServer> {
  const platform = await openFlowsPlatform(
    { seed: false, requestsPerHour },
    { prefix: prefixes.workflows, permissionsOf },
  )
  const { url } = platform

  /** Reads are limited to ten in a second, which these tests are not about: they wait for the next second. */
  async function call(path: string, options: WebhookCallOptions = {}): Promise<Answer> {
    const { api = 'workflows', ...how } = options
    const answer = await platform.call(
      path.startsWith(url) ? path.slice(url.length) : `${prefixes[api]}${path}`,
      how,
    )
    if (answer.status !== 429 || answer.headers.get('x-ratelimit-limit') !== '10') return answer
    await setTimeout(Number(answer.headers.get('retry-after')) * 1000)
    return await call(path, options)
  }

  return {
    ...platform,
    call,
    post: (path, body, options = {}) => call(path, { ...options, method: 'POST', body }),
  }
}
