import { UserMistake } from '#kernel/errors'

export interface PlatformOptions {
  readonly key?: string
  readonly url?: string
}

/** The Workflows API of a platform, as a client of it. */
export interface PlatformApi {
  /** Throws a UserMistake with what the platform says when it refuses. */
  call<Body>(path: string, request?: { readonly method?: string; readonly body?: unknown }): Promise<Body>
  /** The answer as it comes, whatever its status. */
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

export async function connect({
  key = process.env['TUTTI_API_KEY'],
  url,
}: PlatformOptions): Promise<PlatformApi> {
  if (key === undefined || key === '') {
    throw new UserMistake('An API key is needed: set TUTTI_API_KEY, or make one with tutti key create.')
  }
  const base = `${url === undefined ? await ownAddress() : checkAddress(url)}/ai-workflows/api`
  const authorization = `Bearer ${key}`

  async function ask(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${base}${path}`, init)
    } catch (error) {
      if (init.signal?.aborted === true) throw error
      throw new UserMistake(
        `There is no answer at ${base}. Is the platform running? Say where it is with --url.`,
        {
          cause: error,
        },
      )
    }
  }

  return {
    async call<Body>(path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) {
      const answer = await ask(path, {
        method,
        headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const told = (await answer.json().catch(() => ({}))) as Body & ErrorBody
      if (!answer.ok) throw new UserMistake(describeRefusal(answer.status, told))
      return told
    },
    open: (path, headers, signal) => ask(path, { headers: { authorization, ...headers }, signal }),
  }
}

/** Where a platform with our settings is. Loaded only now: they belong to every part of it, and that takes a second. */
async function ownAddress(): Promise<string> {
  const [{ readPlatformSettings }, { addressOf }] = await Promise.all([
    import('../../settings.ts'),
    import('../../places.ts'),
  ])
  const { platform, identity } = readPlatformSettings(process.env)
  return (identity.publicUrl ?? addressOf(platform.host, platform.port)).replace(/\/$/, '')
}

function checkAddress(url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url.replace(/\/+$/, '')
  throw new UserMistake(`--url must be an address such as http://localhost:3000; this is ${url}`)
}

function describeRefusal(status: number, { error }: ErrorBody): string {
  const { problems = [], suggestions = [] } = error?.details ?? {}
  return [
    error?.message ?? `The platform answered with status ${status}.`,
    ...(problems.length > 1 ? problems.map(({ path, message }) => `  ${path} ${message}`) : []),
    ...(suggestions.length > 0 ? [`Did you mean ${suggestions.join(' or ')}?`] : []),
  ].join('\n')
}
