import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson, administer, removeAll, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { closeByEscape, readFocusedText, untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())
beforeEach(() => removeAll(tutti.platform, '/api/v1/oauth-clients', 'data', 'client_id'))

const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'OAuth clients' }).getByRole('row').filter({ hasText: name })
const told = (page: Page, what: string) => page.locator(`[data-secret="${what}"]`).innerText()

interface Credentials {
  readonly id: string
  readonly secret: string
}

/** The response of the token endpoint to these client credentials. */
async function askForToken({ id, secret }: Credentials): Promise<number> {
  const response = await fetch(`${tutti.platform.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'models.read' }),
  })
  await response.body?.cancel()
  return response.status
}

async function registerService(page: Page, name: string): Promise<Credentials> {
  await page.goto('/oauth-clients?create=true')
  const form = page.getByRole('dialog', { name: 'Register OAuth client' })
  await form.getByLabel('Name').fill(name)
  await form.getByRole('radio', { name: 'Service' }).check()
  await form.getByRole('checkbox', { name: 'models.read' }).check()
  await form.getByRole('button', { name: 'Register' }).click()
  const credentials = { id: await told(page, 'Client ID'), secret: await told(page, 'Client secret') }
  await page.getByRole('button', { name: 'I have saved the secret' }).click()
  await row(page, name).waitFor()
  return credentials
}

describe('the OAuth clients page', () => {
  test('explains OAuth clients to a user without any, and registers one that works', async () => {
    const person = await addPerson(tutti.platform, 'clara')
    await using visit = await visitAs(tutti, person, '/oauth-clients')
    const { page } = visit
    await waitForPage(page, 'OAuth clients')
    await page.getByText('You have no OAuth clients yet.').waitFor()
    const credentials = await registerService(page, 'Metronome')
    expect(await row(page, 'Metronome').innerText()).toMatch(/Service[\s\S]*models\.read/)
    expect(await askForToken(credentials)).toBe(200)
    expect(await page.locator('body').innerText()).not.toContain(credentials.secret)
  })

  test('registers a public application without a secret', async () => {
    await using visit = await tutti.visit({ path: '/oauth-clients?create=true' })
    const { page } = visit
    const form = page.getByRole('dialog', { name: 'Register OAuth client' })
    await form.getByLabel('Name').fill('Pocket scores')
    await form.getByRole('radio', { name: 'Browser, desktop or mobile application' }).check()
    await form.getByLabel('Redirect URIs').fill('com.example.scores:/signed-in')
    await form.getByRole('checkbox', { name: 'models.read' }).check()
    await form.getByRole('button', { name: 'Register' }).click()
    await page.getByText('A public client has no secret.').waitFor()
    expect(await page.locator('[data-secret]').count()).toBe(1)
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await row(page, 'Pocket scores').innerText()).toContain('Public application')
  })

  test('names the invalid line of the redirect URIs, and the missing fields', async () => {
    await using visit = await tutti.visit({ path: '/oauth-clients?create=true' })
    const { page } = visit
    const form = page.getByRole('dialog', { name: 'Register OAuth client' })
    await form.getByRole('button', { name: 'Register' }).click()
    await expect.poll(() => form.getByText('Must not be empty.').count()).toBe(2)
    await form.getByLabel('Name').fill('Scores')
    await form.getByRole('checkbox', { name: 'models.read' }).check()
    await form.getByLabel('Redirect URIs').fill('https://a.example/back\n\nhttp://b.example/back')
    await form.getByRole('button', { name: 'Register' }).click()
    await form.getByText(/^Line 2 must use https/).waitFor()
    expect(await form.getByRole('alert').count()).toBe(0)
  })

  test('replaces a secret: the old one is refused, the new one is shown once and works', async () => {
    await using visit = await tutti.visit()
    const { page } = visit
    const before = await registerService(page, 'Tuner')
    await row(page, 'Tuner').getByRole('button').click()
    const drawer = page.getByRole('dialog', { name: 'Tuner', exact: true })
    await drawer.getByRole('button', { name: 'Replace secret…' }).click()
    const question = page.getByRole('dialog', { name: 'Replace the secret of “Tuner”?' })
    await closeByEscape(question)
    expect(await drawer.isVisible()).toBe(true)
    await drawer.getByRole('button', { name: 'Replace secret…' }).click()
    await page.getByRole('button', { name: 'Replace secret', exact: true }).click()
    const secret = await told(page, 'Client secret')
    expect(await askForToken(before)).toBe(401)
    expect(await askForToken({ id: before.id, secret })).toBe(200)
  })

  test('changes a client in its drawer, which its URL opens', async () => {
    const { client_id: id } = await administer<{ client_id: string }>(
      tutti.platform,
      'POST',
      '/api/v1/oauth-clients',
      { name: 'Library', redirect_uris: ['https://library.example/back'], scopes: ['models.read'] },
    )
    await using visit = await tutti.visit({ path: `/oauth-clients?client=${id}` })
    const { page } = visit
    const drawer = page.getByRole('dialog', { name: 'Library' })
    await drawer.getByLabel('Name').fill('Score library')
    await drawer.getByLabel('Redirect URIs').fill('https://scores.example/back')
    await drawer.getByRole('checkbox', { name: 'models.generate' }).check()
    const save = drawer.getByRole('button', { name: 'Save' })
    await untilShown(page, '“Score library” is saved', () => save.click())
    expect(await administer(tutti.platform, 'GET', `/api/v1/oauth-clients/${id}`)).toMatchObject({
      name: 'Score library',
      redirect_uris: ['https://scores.example/back'],
      scopes: ['models.read', 'models.generate'],
    })
    await page.keyboard.press('Escape')
    await page.waitForURL('**/oauth-clients')
    expect(await row(page, 'Score library').innerText()).toContain('models.generate')
    await page.goto('/oauth-clients?client=unknown')
    await page.getByText('No client of yours has this ID.').waitFor()
  })

  test('deletes a client after a confirmation that names it, and its credentials are refused', async () => {
    await using visit = await tutti.visit()
    const { page } = visit
    const credentials = await registerService(page, 'Old service')
    await row(page, 'Old service').getByRole('button').press('Enter')
    await page.getByRole('button', { name: 'Delete…' }).click()
    const question = page.getByRole('dialog', { name: 'Delete “Old service”?' })
    await question.getByRole('button', { name: 'Delete client' }).click()
    await row(page, 'Old service').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(await askForToken(credentials)).toBe(401)
    await expect.poll(() => readFocusedText(page)).toBe('OAuth clients')
  })
})
