import type { Page } from 'playwright-core'
import { basicAuth, type OpenPlatform } from '../support/platform.ts'
import { type ConsoleUnderTest, signIn, signInByRequest } from './console-under-test.ts'

/** Asks the platform for something as its administrator; what it answers, or an error when it refuses. */
export async function administer<Answer>(
  platform: OpenPlatform,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(platform.url + path, {
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

/** Somebody with an account of their own. */
export async function addPerson(
  platform: OpenPlatform,
  username: string,
  roles: readonly string[] = [],
): Promise<Person> {
  const password = `the song of ${username}`
  const { id } = await administer<{ id: string }>(platform, 'POST', '/api/v1/users', {
    username,
    password,
    roles,
  })
  return { id, username, password }
}

/** Opens a browser in which this person has signed in, at a page of the console. */
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
