import { UserError } from '#kernel/errors'
import { type Credentials, readCredentials, requireProfile } from './remote/credentials.ts'

export interface PlatformOptions {
  readonly key?: string
  readonly url?: string
  readonly profile?: string
}

/** The URL of a platform, and the Authorization header for it. */
export interface FoundPlatform {
  /** Without a trailing slash. */
  readonly url: string
  readonly authorization: string
  /** Where the key comes from, for the message when the platform refuses it. */
  readonly keySource: string
  /** The options that lead another command to the same platform, such as ` --profile staging`; empty without options. */
  readonly flags: string
}

/**
 * Finds the platform and the key. Address and key belong together: the key of a profile is sent to the address of that profile
 * alone, and `TUTTI_API_KEY` never to the address of a profile. The first line that applies counts:
 *
 * | given                         | address          | key                                                        |
 * |-------------------------------|------------------|------------------------------------------------------------|
 * | `--url`                       | this one         | `--key`, `TUTTI_API_KEY`, else a profile with this address |
 * | `--profile`, `TUTTI_PROFILE`  | that of profile  | `--key`, else that of the profile                          |
 * | `TUTTI_URL`                   | this one         | `--key`, `TUTTI_API_KEY`, else a profile with this address |
 * | `TUTTI_API_KEY`               | this machine     | `--key`, else this one                                     |
 * | signed in with `tutti login`  | that of profile  | `--key`, else that of the profile                          |
 * | `--key`                       | this machine     | this one                                                   |
 *
 * Throws a UserError when there is no key, or when the address is none.
 */
export async function findPlatform(options: PlatformOptions): Promise<FoundPlatform> {
  const { key, url, profile = fromEnvironment('TUTTI_PROFILE') } = options
  if (url !== undefined && options.profile !== undefined) {
    throw new UserError('Give --url or --profile, not both: a profile has its own address.')
  }
  if (url !== undefined) return await atAddress(checkUrl(url, '--url'), key, ` --url ${url}`)
  if (profile !== undefined) return atProfile(await readCredentials(), profile, options)
  const known = fromEnvironment('TUTTI_URL')
  if (known !== undefined) return await atAddress(checkUrl(known, 'TUTTI_URL'), key, '')
  const credentials = await readCredentials()
  const ownKey = fromEnvironment('TUTTI_API_KEY')
  if (ownKey === undefined && credentials.current !== undefined) {
    return atProfile(credentials, credentials.current, options)
  }
  const used = key ?? ownKey
  if (used === undefined) throw new UserError(noKey)
  const isAside = key === undefined && credentials.current !== undefined
  const source = isAside
    ? `TUTTI_API_KEY, which goes before the profile "${credentials.current}": unset it, or use --profile`
    : sourceOf(key)
  return found({ url: await ownUrl(), key: used, keySource: source, flags: '' })
}

/** Sends a request. A platform that does not respond is a UserError. */
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

/** Whether a platform was named by an option, by the environment or by `tutti login`: only then a command leaves this machine. */
export async function isPlatformNamed({ url, profile }: PlatformOptions): Promise<boolean> {
  if (url !== undefined || profile !== undefined) return true
  if (fromEnvironment('TUTTI_PROFILE') !== undefined || fromEnvironment('TUTTI_URL') !== undefined)
    return true
  return fromEnvironment('TUTTI_API_KEY') === undefined && (await readCredentials()).current !== undefined
}

/** The address for `tutti login`. Throws a UserError for one that is none. */
export async function findAddress(given: string | undefined, known: string | undefined): Promise<string> {
  if (given !== undefined) return checkUrl(given, '--url')
  const named = fromEnvironment('TUTTI_URL')
  if (named !== undefined) return checkUrl(named, 'TUTTI_URL')
  return known ?? (await ownUrl())
}

/** The platform at an address with a key. Throws a UserError for a key that no header can carry, without quoting it. */
export function found({
  url,
  key,
  keySource,
  flags,
}: Omit<FoundPlatform, 'authorization'> & { readonly key: string }): FoundPlatform {
  if (!/^[\x21-\x7e]{1,512}$/.test(key)) {
    throw new UserError(
      `The API key from ${keySource} has a space, a line break or another character that no key has.`,
    )
  }
  return { url, authorization: `Bearer ${key}`, keySource, flags }
}

const noKey =
  'An API key is needed. Sign in: npx tutti login --url https://…\n' +
  'Or set TUTTI_URL and TUTTI_API_KEY. On the machine of the platform, npx tutti key create makes a key.'

async function atAddress(url: string, key: string | undefined, flags: string): Promise<FoundPlatform> {
  const used = key ?? fromEnvironment('TUTTI_API_KEY')
  if (used !== undefined) return found({ url, key: used, keySource: sourceOf(key), flags })
  const { profiles } = await readCredentials()
  const same = Object.entries(profiles).find(([, profile]) => profile.url === url)
  if (same === undefined) {
    throw new UserError(
      `An API key is needed for ${url}: sign in with npx tutti login --url ${url}, or set TUTTI_API_KEY.`,
    )
  }
  const [name, profile] = same
  return found({ url, key: profile.key, keySource: `the profile "${name}"`, flags })
}

function atProfile(credentials: Credentials, name: string, { key, profile }: PlatformOptions): FoundPlatform {
  const { url, key: ownKey } = requireProfile(credentials, name)
  const keySource = key === undefined ? `the profile "${name}"` : '--key'
  warnAboutPlainHttp(url)
  return found({
    url,
    key: key ?? ownKey,
    keySource,
    flags: profile === undefined ? '' : ` --profile ${profile}`,
  })
}

function sourceOf(key: string | undefined): string {
  return key === undefined ? 'TUTTI_API_KEY' : '--key'
}

/** An empty variable counts as not set. */
function fromEnvironment(name: string): string | undefined {
  return process.env[name] || undefined
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

function checkUrl(given: string, name: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UserError(`${name} must be an address such as http://localhost:3000; this is ${given}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new UserError(`${name} must not have a name and password in it. The key goes into TUTTI_API_KEY.`)
  }
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  warnAboutPlainHttp(address)
  return address
}

/** A key over plain http can be read on the way, except on this machine. */
function warnAboutPlainHttp(address: string): void {
  const { protocol, hostname } = new URL(address)
  const isLoopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'http:' || isLoopback) return
  console.error(
    `tutti: warning: ${address} is not encrypted, so others on the network can read the API key. Use https.`,
  )
}
