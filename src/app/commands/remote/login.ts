import { text } from 'node:stream/consumers'
import { UserError } from '#kernel/errors'
import { findAddress, found } from '../find-platform.ts'
import { openHiddenPrompt } from '../hidden-prompt.ts'
import { writeTable } from '../text.ts'
import {
  type Credentials,
  checkProfileName,
  credentialsFile,
  readCredentials,
  requireProfile,
  writeCredentials,
} from './credentials.ts'
import { notPlatform, send } from './platform-api.ts'
import { exitCodes, printJson } from './remote-command.ts'

export interface LoginOptions {
  readonly url?: string
  readonly key?: string
  readonly profile: string
  readonly json?: true
}

interface Account {
  readonly username: string
  readonly permissions: readonly string[]
}

/** `tutti login`: checks the key at the platform, and stores both. */
export async function login({ url: given, key: givenKey, profile: name, json }: LoginOptions) {
  checkProfileName(name)
  const credentials = await readCredentials()
  const before = Object.hasOwn(credentials.profiles, name) ? credentials.profiles[name] : undefined
  const url = await findAddress(given, before?.url)
  if (json !== true) console.error(`Signing in to ${url}`)
  const key = givenKey ?? (await readKey(url))
  const platform = found({ url, key, keySource: givenKey === undefined ? 'your input' : '--key', flags: '' })
  const { username, permissions } = await send<Partial<Account>>(platform, '/api/v1/user/profile', {})
  if (username === undefined || permissions === undefined) throw new UserError(notPlatform(url, 200))
  await writeCredentials({
    current: name,
    profiles: { ...credentials.profiles, [name]: { url, key, username } },
  })
  if (json === true) printJson({ profile: name, url, username, permissions })
  else {
    console.log(`Signed in as ${username}. The profile "${name}" is the default now.`)
    console.log(`The key is kept in ${credentialsFile()}.`)
  }
  if (!permissions.includes('run workflows') && !permissions.includes('manage workflows')) {
    console.error(
      `tutti: warning: ${username} may neither run nor manage flows; an administrator can give it a role.`,
    )
  }
  warnAboutEnvironment()
  return exitCodes.done
}

/** Variables of the environment go before profiles, which surprises after a sign-in. */
function warnAboutEnvironment(): void {
  const names = ['TUTTI_PROFILE', 'TUTTI_URL', 'TUTTI_API_KEY'].filter((name) => process.env[name])
  if (names.length === 0) return
  const verb = names.length === 1 ? 'is' : 'are'
  console.error(
    `tutti: warning: ${names.join(' and ')} ${verb} set and used before this profile. Unset, or use --profile.`,
  )
}

async function readKey(url: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) {
    const key = (await text(stdin)).trim()
    if (key !== '') return key
    throw new UserError(
      'No API key came on standard input. Pipe one in, or run this in a terminal to be asked.',
    )
  }
  console.error(`Make an API key at ${url}/api-keys, or on the platform's machine with npx tutti key create.`)
  using prompt = openHiddenPrompt({ input: stdin, output: stderr })
  const key = (await prompt.ask('API key: ')).trim()
  if (key === '') throw new UserError('No API key was given. Nothing was changed.')
  return key
}

export interface LogoutOptions {
  readonly profile?: string
  readonly all?: true
  readonly json?: true
}

/** `tutti logout`: removes one profile or all. */
export async function logout(options: LogoutOptions) {
  const credentials = await readCredentials()
  const forgotten = profilesToForget(credentials, options)
  const profiles = Object.fromEntries(
    Object.entries(credentials.profiles).filter(([name]) => !forgotten.includes(name)),
  )
  const current =
    credentials.current !== undefined && forgotten.includes(credentials.current)
      ? undefined
      : credentials.current
  await writeCredentials({ current, profiles })
  if (options.json === true) {
    printJson({ forgotten, current: current ?? null })
    return exitCodes.done
  }
  for (const name of forgotten) {
    const { url } = requireProfile(credentials, name)
    console.log(`Forgot the profile "${name}". Its key still works; delete it at ${url}/api-keys`)
  }
  const [other] = Object.keys(profiles)
  if (current === undefined && other !== undefined) {
    console.log(`No profile is the default now. Choose one: npx tutti profiles use ${other}`)
  }
  return exitCodes.done
}

function profilesToForget(credentials: Credentials, { profile, all }: LogoutOptions): readonly string[] {
  const names = Object.keys(credentials.profiles)
  if (all === true && profile !== undefined) throw new UserError('Give --profile or --all, not both.')
  if (names.length === 0) throw new UserError('You are not signed in to any platform.')
  if (all === true) return names
  const name = profile ?? credentials.current
  if (name === undefined) {
    throw new UserError(`No profile is the default. Name one with --profile: ${names.join(', ')}.`)
  }
  requireProfile(credentials, name)
  return [name]
}

/** `tutti profiles list` */
export async function listProfiles({ json }: { readonly json?: true }) {
  const { current, profiles } = await readCredentials()
  const listed = Object.entries(profiles).map(([name, { url, username }]) => ({
    name,
    url,
    username,
    current: name === current,
  }))
  if (json === true) printJson(listed)
  else if (listed.length === 0)
    console.error('You are not signed in to any platform. Sign in: npx tutti login')
  else {
    const rows = listed.map((it) => [it.current ? '*' : '', it.name, it.username, it.url])
    console.log(writeTable(['', 'NAME', 'ACCOUNT', 'URL'], rows))
  }
  return exitCodes.done
}

/** `tutti profiles use` */
export async function chooseProfile(name: string) {
  const credentials = await readCredentials()
  const { url, username } = requireProfile(credentials, name)
  await writeCredentials({ ...credentials, current: name })
  console.log(`Commands use ${url} as ${username} now.`)
  return exitCodes.done
}
