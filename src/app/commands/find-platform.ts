import { UserError } from '#kernel/errors'

export interface PlatformOptions {
  readonly key?: string
  readonly url?: string
}

/** The URL of a platform, and the Authorization header for it. */
export interface FoundPlatform {
  /** Without a trailing slash. */
  readonly url: string
  readonly authorization: string
}

/** Finds the platform at --url, else the platform that runs with the settings of this machine. */
export async function findPlatform({
  key = process.env['TUTTI_API_KEY'],
  url,
}: PlatformOptions): Promise<FoundPlatform> {
  if (key === undefined || key === '') {
    throw new UserError('An API key is needed: set TUTTI_API_KEY, or make one with npx tutti key create.')
  }
  return {
    url: url === undefined ? await ownUrl() : checkUrl(url),
    authorization: `Bearer ${key}`,
  }
}

/** Sends a request. A platform that does not respond is a UserMistake. */
export async function askPlatform(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new UserError(
      `There is no answer at ${new URL(address).origin}. Is the platform running? Say where it is with --url.`,
      { cause: error },
    )
  }
}

/**
 * The URL of the platform that runs on this data folder, else of a platform with these settings. The settings are loaded only
 * here, because loading takes a second.
 */
async function ownUrl(): Promise<string> {
  const [{ readPlatformSettings }, { urlOf }, { besideRunning }] = await Promise.all([
    import('../settings.ts'),
    import('../listen.ts'),
    import('../running-platform.ts'),
  ])
  const { platform, identity } = readPlatformSettings(besideRunning(process.env).environment)
  return (identity.publicUrl ?? urlOf(platform.host, platform.port)).replace(/\/$/, '')
}

function checkUrl(url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url.replace(/\/+$/, '')
  throw new UserError(`--url must be an address such as http://localhost:3000; this is ${url}`)
}
