import type { Page } from 'playwright-core'
import { basicAuth, type TestPlatform } from '../support/platform.ts'
import { type ConsoleUnderTest, signIn } from './console-under-test.ts'

/** Asks the platform for something as its administrator; what it answers, or an error when it refuses. */
export async function administer<Answer>(
  platform: TestPlatform,
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
  platform: TestPlatform,
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
  const visit = await tutti.visit({
    path: `/user/login?destination=${encodeURIComponent(path)}`,
    signedIn: false,
  })
  await signInAs(visit.page, tutti.platform, person)
  await visit.page.waitForURL(tutti.platform.url + path)
  return visit
}

/** Fills in the sign-in form that is open. */
export async function signInAs(
  page: Page,
  platform: TestPlatform,
  { username, password }: Pick<Person, 'username' | 'password'>,
): Promise<void> {
  await signIn(page, { ...platform, admin: { username, password } })
}
