import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UserError } from '#kernel/errors'

/** A platform that `tutti login` signed in to. */
export interface Profile {
  /** Without a trailing slash. */
  readonly url: string
  readonly key: string
  readonly username: string
}

/** The content of the credentials file. */
export interface Credentials {
  /** The profile that commands use by default; undefined when none is chosen. */
  readonly current: string | undefined
  readonly profiles: Readonly<Record<string, Profile>>
}

const maxFileBytes = 1024 * 1024
const profileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** `$XDG_CONFIG_HOME/tutti/credentials.json`, by default in `~/.config`. */
export function credentialsFile(): string {
  const folder = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  return join(folder, 'tutti', 'credentials.json')
}

/** Reads the credentials file; empty when there is none. Throws a UserError when it is damaged. */
export async function readCredentials(): Promise<Credentials> {
  const file = credentialsFile()
  let content: string
  try {
    const { size, mode } = await stat(file)
    if (size > maxFileBytes) throw new UserError(`${file} is larger than 1 MB: it is not a credentials file.`)
    if ((mode & 0o077) !== 0) {
      console.error(`tutti: other users of this machine can read ${file}. Run chmod 600 on it.`)
    }
    content = await readFile(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return { current: undefined, profiles: {} }
    if (error instanceof UserError) throw error
    throw new UserError(`${file} cannot be read (${codeOf(error)}).`, { cause: error })
  }
  return parseCredentials(content, file)
}

/** Writes the credentials file, readable for its owner alone. A reader sees the old or the new content, never a part. */
export async function writeCredentials({ current, profiles }: Credentials): Promise<void> {
  const file = credentialsFile()
  const temporary = `${file}.${randomUUID()}`
  const content = { version: 1, ...(current !== undefined && { current }), profiles }
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    // The umask may have removed bits, never added any; a strange one must not lock the owner out.
    await chmod(temporary, 0o600)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new UserError(`${file} cannot be written (${codeOf(error)}).`, { cause: error })
  }
}

/** Throws a UserError for a name that cannot be one of a profile. */
export function checkProfileName(name: string): string {
  if (profileName.test(name)) return name
  throw new UserError(
    `"${name}" cannot name a profile: use up to 64 letters, digits, dots, underscores and hyphens.`,
  )
}

/** The profile with this name. Throws a UserError that lists the others. */
export function requireProfile({ profiles }: Credentials, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(profiles)
  throw new UserError(
    names.length === 0
      ? `There is no profile "${name}". Make it: npx tutti login --profile ${name} --url https://…`
      : `There is no profile "${name}". Those of this machine: ${names.join(', ')}.`,
  )
}

function parseCredentials(content: string, file: string): Credentials {
  const damaged = new UserError(`${file} is damaged. Delete it, and sign in again with npx tutti login.`)
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch {
    // The message of the parser quotes the content, which has keys.
    throw damaged
  }
  const { current, profiles } = (parsed ?? {}) as { current?: unknown; profiles?: unknown }
  if (typeof profiles !== 'object' || profiles === null) throw damaged
  const entries = Object.entries(profiles as Record<string, unknown>)
  if (!entries.every((entry): entry is [string, Profile] => isProfile(entry[1]))) throw damaged
  const names = new Set(entries.map(([name]) => name))
  return {
    current: typeof current === 'string' && names.has(current) ? current : undefined,
    profiles: Object.fromEntries(entries),
  }
}

function isProfile(value: unknown): value is Profile {
  const { url, key, username } = (value ?? {}) as Record<string, unknown>
  return typeof url === 'string' && typeof key === 'string' && typeof username === 'string'
}

function isCode(error: unknown, code: string): boolean {
  return codeOf(error) === code
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
