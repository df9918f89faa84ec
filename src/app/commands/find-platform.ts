import { UserMistake } from '#kernel/errors'

export interface PlatformOptions {
  readonly key?: string
  readonly url?: string
}

/** Where a platform is, and what to send so that it knows who asks. */
export interface FoundPlatform {
  /** Without a slash at its end. */
  readonly url: string
  readonly authorization: string
}

/** A platform as somebody at a terminal names it, or the one that runs with the settings of this machine. */
export async function findPlatform({
  key = process.env['TUTTI_API_KEY'],
  url,
}: PlatformOptions): Promise<FoundPlatform> {
  if (key === undefined || key === '') {
    throw new UserMistake('An API key is needed: set TUTTI_API_KEY, or make one with npx tutti key create.')
  }
  return {
    url: url === undefined ? await ownAddress() : checkAddress(url),
    authorization: `Bearer ${key}`,
  }
}

/** Asks it; that nobody answers is told in a sentence. */
export async function askPlatform(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new UserMistake(
      `There is no answer at ${new URL(address).origin}. Is the platform running? Say where it is with --url.`,
      { cause: error },
    )
  }
}

/** Where the platform of our data folder runs, else where one with our settings would. Loaded only now: they belong to every part of it, and that takes a second. */
async function ownAddress(): Promise<string> {
  const [{ readPlatformSettings }, { addressOf }, { besideRunning }] = await Promise.all([
    import('../settings.ts'),
    import('../places.ts'),
    import('../running-platform.ts'),
  ])
  const { platform, identity } = readPlatformSettings(besideRunning(process.env).environment)
  return (identity.publicUrl ?? addressOf(platform.host, platform.port)).replace(/\/$/, '')
}

function checkAddress(url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url.replace(/\/+$/, '')
  throw new UserMistake(`--url must be an address such as http://localhost:3000; this is ${url}`)
}
