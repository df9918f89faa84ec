import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, administer, type Person, signInAs, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

const sessionRows = (page: Page) => page.getByRole('table', { name: 'Sessions' }).locator('tbody tr')

/** The response of the platform to a token request with a password. */
async function signInForTokens({ username, password }: Pick<Person, 'username' | 'password'>) {
  return await fetch(`${tutti.platform.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'metronome/1.2' },
    body: JSON.stringify({ username, password }),
  })
}

/** A client application on another origin. */
async function startApplication(): Promise<{ readonly callback: string } & AsyncDisposable> {
  const server = createServer((_request, response) => void response.end('back'))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    callback: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

describe('the profile page', () => {
  test('shows the account', async () => {
    await using visit = await tutti.visit({ path: '/profile' })
    const { page } = visit
    await waitForPage(page, 'Profile')
    const facts = await page.locator('main dl').innerText()
    expect(facts).toMatch(/Username\s+admin/)
    expect(facts).toMatch(/Roles\s+administrator/)
    expect(await page.getByRole('region', { name: 'Permissions' }).innerText()).toContain('administer llm')
  })

  test('changes the display name of an account, and the header shows it', async () => {
    const person = await addPerson(tutti.platform, 'clara')
    await using visit = await visitAs(tutti, person, '/profile')
    const { page } = visit
    await waitForPage(page, 'Profile')
    await page.getByRole('button', { name: 'Edit profile' }).click()
    const form = page.getByRole('dialog', { name: 'Edit profile' })
    await form.getByLabel('Display name').fill('Clara Schumann')
    await form.getByLabel('Email').fill('not an address')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Must be an email address.').waitFor()
    await form.getByLabel('Email').fill('clara@schumann.example')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('main dl').innerText()).toMatch(/Email\s+clara@schumann\.example/)
    await page.getByRole('button', { name: 'Account: Clara Schumann' }).waitFor()
  })

  test('signs out one other browser or program, each labelled', async () => {
    const person = await addPerson(tutti.platform, 'robert')
    const { token } = (await (await signInForTokens(person)).json()) as { token: string }
    await using visit = await visitAs(tutti, person, '/profile')
    const { page } = visit
    await waitForPage(page, 'Profile')
    expect(await sessionRows(page).first().innerText()).toMatch(/Chrome on \w+[\s\S]*This session/)
    expect(await sessionRows(page).nth(1).innerText()).toMatch(/metronome 1\.2[\s\S]*Program/)
    await page.getByRole('button', { name: 'Sign out metronome 1.2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
    await sessionRows(page).nth(1).waitFor({ state: 'detached' })
    const response = await fetch(`${tutti.platform.url}/api/v1/user/profile`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(401)
  })

  test('signs out all other sessions: the other browser has to sign in, this one stays', async () => {
    const person = await addPerson(tutti.platform, 'johannes')
    await using other = await visitAs(tutti, person, '/api-keys')
    await waitForPage(other.page, 'API keys')
    await using visit = await visitAs(tutti, person, '/profile')
    const { page } = visit
    await waitForPage(page, 'Profile')
    expect(await sessionRows(page).count()).toBe(2)
    await page.getByRole('button', { name: 'Sign out all other sessions' }).click()
    const question = page.getByRole('dialog', { name: 'Sign out all other sessions?' })
    expect(await question.innerText()).toContain('One other session')
    await question.getByRole('button', { name: 'Sign out all other sessions' }).click()
    await question.waitFor({ state: 'detached' })
    await expect.poll(() => sessionRows(page).count()).toBe(1)
    await other.page.reload()
    await other.page.waitForURL('**/user/login?destination=%2Fapi-keys')
    await page.reload()
    await waitForPage(page, 'Profile')
  })

  test('changes the password with the current one, and ends every other session', async () => {
    const person = await addPerson(tutti.platform, 'fanny')
    await using other = await visitAs(tutti, person, '/api-keys')
    await waitForPage(other.page, 'API keys')
    await using visit = await visitAs(tutti, person, '/profile')
    const { page } = visit
    await waitForPage(page, 'Profile')
    await page.getByRole('button', { name: 'Change password' }).click()
    const form = page.getByRole('dialog', { name: 'Change password' })
    const fill = async (current: string, wanted: string, again = wanted) => {
      await form.getByLabel('Current password', { exact: true }).fill(current)
      await form.getByLabel('New password', { exact: true }).fill(wanted)
      await form.getByLabel('Repeat new password', { exact: true }).fill(again)
      await form.getByRole('button', { name: 'Change password' }).click()
    }
    await fill(person.password, 'a new cadenza', 'a new cadence')
    await form.getByText('Does not match the new password.').waitFor()
    await fill('not my password', 'a new cadenza')
    await form.getByText('Is not your password.').waitFor()
    await untilShown(page, 'Your password is changed', () => fill(person.password, 'a new cadenza'))
    expect((await signInForTokens(person)).status).toBe(401)
    expect((await signInForTokens({ ...person, password: 'a new cadenza' })).status).toBe(200)
    await other.page.reload()
    await other.page.waitForURL('**/user/login?destination=%2Fapi-keys')
    await signInAs(other.page, tutti.platform, { ...person, password: 'a new cadenza' })
    await other.page.waitForURL('**/api-keys')
    await page.reload()
    await waitForPage(page, 'Profile')
  })

  test('disconnects an application, which has to request consent again', async () => {
    await using application = await startApplication()
    const { client_id: clientId } = await administer<{ client_id: string }>(
      tutti.platform,
      'POST',
      '/api/v1/oauth-clients',
      { name: 'Score library', redirect_uris: [application.callback], scopes: ['models.read'], public: true },
    )
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: application.callback,
      scope: 'models.read',
      state: 's',
      code_challenge: createHash('sha256').update(randomBytes(32).toString('hex')).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const authorize = `/oauth/authorize?${query.toString()}`
    const person = await addPerson(tutti.platform, 'joseph')
    await using visit = await visitAs(tutti, person, '/profile')
    const { page } = visit
    await page.getByText('No connected applications.').waitFor()
    await page.goto(authorize)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${application.callback}?*`)
    await page.goto('/profile')
    await waitForPage(page, 'Profile')
    const table = page.getByRole('table', { name: 'Connected applications' })
    expect(await table.innerText()).toMatch(/Score library[\s\S]*models\.read/)
    await page.getByRole('button', { name: 'Disconnect Score library' }).click()
    await page.getByRole('dialog', { name: 'Disconnect Score library?' }).waitFor()
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await page.getByText('No connected applications.').waitFor()
    await page.goto(authorize)
    await page.getByRole('button', { name: 'Allow' }).waitFor()
  })

  test('shows a partial failure beside the loaded parts, and retries', async () => {
    await using visit = await tutti.visit()
    const { page } = visit
    const answer = { status: 500, json: { error: { code: 'internal_error', message: 'It broke.' } } }
    await page.route('**/api/v1/sessions?*', (route) => route.fulfill(answer))
    await page.goto('/profile')
    const sessions = page.getByRole('region', { name: 'Sessions' })
    const notice = sessions.getByRole('alert')
    expect(await notice.innerText()).toContain('Your sessions could not be loaded.')
    expect(await page.locator('main dl').innerText()).toMatch(/Username\s+admin/)
    await page.unroute('**/api/v1/sessions?*')
    await notice.getByRole('button', { name: 'Retry' }).click()
    await sessionRows(page).first().waitFor()
  })
})
