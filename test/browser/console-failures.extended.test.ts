import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { readClipboard, untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

const failure = {
  status: 500,
  headers: { 'x-request-id': 'req-4711' },
  json: { error: { code: 'internal', message: 'Something went wrong on our side.' } },
}

async function failSystem(page: Page): Promise<void> {
  await page.route('**/api/v1/system', (route) => route.fulfill(failure))
}

describe('a console whose platform fails', () => {
  test('shows what failed, why, the next action, and the request id to quote', async () => {
    await using visit = await tutti.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = visit
    await failSystem(page)
    await page.goto('/?tab=system')
    const notice = page.getByRole('alert')
    await notice.waitFor()
    const text = await notice.innerText()
    expect(text).toContain('The state of the platform could not be loaded.')
    expect(text).toContain('Something went wrong on our side.')
    expect(text).toContain('Retry')
    expect(text).toContain('req-4711')
    const copy = notice.getByRole('button', { name: 'Copy request ID' })
    await untilShown(page, 'Copied request ID', () => copy.click())
    expect(await readClipboard(page)).toBe('req-4711')
    // The page also refreshes by itself: until the click it gets no response, and the notice stays.
    const clicked = Promise.withResolvers<void>()
    await page.route('**/api/v1/system', async (route) => {
      await clicked.promise
      await route.continue()
    })
    await notice.getByRole('button', { name: 'Retry' }).click()
    clicked.resolve()
    await page.getByText('Ready', { exact: true }).waitFor()
  })

  test('keeps the last values on the page when a refresh fails, and says so', async () => {
    await using visit = await tutti.visit({ path: '/?tab=system' })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await failSystem(page)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('Not responding').waitFor()
    expect(await page.locator('main dl').innerText()).toMatch(/Status\s+Ready/)
  })

  test('distinguishes a platform that does not respond from one that responds with an error', async () => {
    await using visit = await tutti.visit()
    const { page } = visit
    await page.route('**/api/v1/user/profile', (route) => route.abort('connectionrefused'))
    await page.goto('/profile')
    const text = await page.getByRole('alert').innerText()
    expect(text).toContain('The server did not respond.')
    expect(text).toContain('Check that the server is running')
  })

  test('retries by itself while it has nothing to show, and shows the failure until a response arrives', async () => {
    await using visit = await tutti.visit()
    const { page } = visit
    const notice = page.getByRole('alert')
    const asksAgain = Promise.withResolvers<Route>()
    let hasFailed = false
    await page.route('**/api/v1/user/profile', async (route) => {
      if (hasFailed) asksAgain.resolve(route)
      else await route.abort('connectionrefused')
    })
    await page.goto('/profile')
    await notice.waitFor()
    hasFailed = true
    const attempt = await asksAgain.promise
    expect(await notice.isVisible()).toBe(true)
    await attempt.continue()
    await notice.waitFor({ state: 'detached' })
    expect(await page.locator('main dl').innerText()).toMatch(/Username\s+admin/)
  })

  test('tells a user without the permission which role to ask for', async () => {
    await using visit = await tutti.visit()
    const { page } = visit
    const json = { error: { code: 'permission_denied', message: 'You may not do this.' } }
    await page.route('**/api/v1/events?*', (route) => route.fulfill({ ...failure, status: 403, json }))
    await page.goto('/events')
    expect(await page.getByRole('alert').innerText()).toContain('Ask an administrator')
  })

  test('survives a response its code cannot render, with the rest of the console still there', async () => {
    await using visit = await tutti.visit()
    const { page } = visit
    await page.route('**/api/v1/system', (route) =>
      route.fulfill({ headers: { 'x-request-id': 'req-4712' }, json: { status: 'ready' } }),
    )
    await page.goto('/?tab=system')
    await waitForPage(page, 'This page stopped working')
    expect(await page.getByRole('alert').innerText()).toMatch(/Last request\s+[\w-]{8,}/)
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await waitForPage(page, 'Usage')
  })
})
