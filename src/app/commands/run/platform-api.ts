import { UserError } from '#kernel/errors'
import { askPlatform, findPlatform, type PlatformOptions } from '../find-platform.ts'

/** A client of the Workflows API of a platform. */
export interface PlatformApi {
  /** The URL of the platform and its console, without a trailing slash. */
  readonly url: string
  /** Throws a UserMistake with the message of the platform when it rejects the request. */
  call<Body>(path: string, request?: { readonly method?: string; readonly body?: unknown }): Promise<Body>
  /** The response with any status. */
  open(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>
}

interface ErrorBody {
  readonly error?: {
    readonly message?: string
    readonly details?: {
      readonly problems?: readonly { readonly path: string; readonly message: string }[]
      readonly suggestions?: readonly string[]
    }
  }
}

export async function connect(options: PlatformOptions): Promise<PlatformApi> {
  const { url, authorization } = await findPlatform(options)
  const ask = (path: string, init: RequestInit) => askPlatform(`${url}/ai-workflows/api${path}`, init)

  return {
    url,
    async call<Body>(path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) {
      const answer = await ask(path, {
        method,
        headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const received = (await answer.json().catch(() => ({}))) as Body & ErrorBody
      if (!answer.ok) throw new UserError(describeError(answer.status, received))
      return received
    },
    open: (path, headers, signal) => ask(path, { headers: { authorization, ...headers }, signal }),
  }
}

function describeError(status: number, { error }: ErrorBody): string {
  const { problems = [], suggestions = [] } = error?.details ?? {}
  return [
    error?.message ?? `The platform answered with status ${status}.`,
    ...(problems.length > 1 ? problems.map(({ path, message }) => `  ${path} ${message}`) : []),
    ...(suggestions.length > 0 ? [`Did you mean ${suggestions.join(' or ')}?`] : []),
  ].join('\n')
}
