import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { basicAuth, type OpenPlatform } from '../support/platform.ts'
import { type ConsoleUnderTest, signIn, signInByRequest } from './console-under-test.ts'

/** Sends a request as the administrator and returns the response; throws on an error status. */
export async function administer<Answer>(
  platform: OpenPlatform,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetchWithinRate(platform.url + path, {
    method,
    headers: {
      ...basicAuth(platform),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}

export interface Person {
  readonly id: string
  readonly username: string
  readonly password: string
}

/** Creates a user for one test; a retried test gets a new one. */
export async function addPerson(
  platform: OpenPlatform,
  username: string,
  roles: readonly string[] = [],
): Promise<Person> {
  const password = `the song of ${username}`
  const add = () =>
    administer<{ id: string }>(platform, 'POST', '/api/v1/users', { username, password, roles })
  const { id } = await add().catch(async (refused: unknown) => {
    if (!(await removePerson(platform, username))) throw refused
    return await add()
  })
  return { id, username, password }
}

/** Returns whether the user existed. */
export async function removePerson(platform: OpenPlatform, username: string): Promise<boolean> {
  const { data } = await administer<{ data: readonly Omit<Person, 'password'>[] }>(
    platform,
    'GET',
    `/api/v1/users?search=${username}`,
  )
  const found = data.find((person) => person.username === username)
  if (found !== undefined) await administer(platform, 'DELETE', `/api/v1/users/${found.id}`)
  return found !== undefined
}

interface Role {
  readonly name: string
  readonly label: string
  readonly permissions: readonly string[]
}

/** A new role without users. */
export async function addRole(platform: OpenPlatform, role: Role): Promise<void> {
  await removeRole(platform, role.name)
  await administer(platform, 'POST', '/api/v1/roles', role)
}

export async function removeRole(platform: OpenPlatform, name: string): Promise<void> {
  const { data } = await administer<{ data: readonly Role[] }>(platform, 'GET', '/api/v1/roles')
  if (data.some((role) => role.name === name)) await administer(platform, 'DELETE', `/api/v1/roles/${name}`)
}

/**
 * Deletes everything a list returns, for tests that start empty, also when they are retried. `names` are the
 * fields of the path of each.
 */
export async function removeAll(
  platform: OpenPlatform,
  path: string,
  list: string,
  ...names: readonly string[]
): Promise<void> {
  const answer = await administer<Record<string, readonly Record<string, string>[]>>(platform, 'GET', path)
  for (const one of answer[list] ?? []) {
    const address = names.map((name) => encodeURIComponent(one[name] ?? '')).join('/')
    await administer(platform, 'DELETE', `${path}/${address}`)
  }
}

/** From now on no probe changes the state of a service, which would be an event. */
export async function stopChecks(platform: OpenPlatform): Promise<void> {
  await administer(platform, 'PUT', '/admin/llm/config', { interval_seconds: 600 })
}

/** Waits until the calls of all accounts are recorded: no response of a model waits for its record. */
export async function untilCallsRecorded(platform: OpenPlatform, count: number): Promise<void> {
  const path = '/api/v1/usage/calls?account=all&limit=1'
  const isRecorded = async () => (await administer<{ total: number }>(platform, 'GET', path)).total === count
  await eventually(isRecorded, 100)
}

/** Opens a page of the console in a browser where this user has signed in. */
export async function visitAs(
  tutti: ConsoleUnderTest,
  person: Pick<Person, 'username' | 'password'>,
  path: string,
) {
  const visit = await tutti.visit({ signedIn: false })
  await signInByRequest(visit.context, person)
  await visit.page.goto(path)
  return visit
}

/** Fills in the sign-in form that is open. */
export async function signInAs(
  page: Page,
  platform: OpenPlatform,
  { username, password }: Pick<Person, 'username' | 'password'>,
): Promise<void> {
  await signIn(page, { ...platform, admin: { username, password } })
}
