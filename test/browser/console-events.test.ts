import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basicAuth } from '../support/platform.ts'
import { stopChecks } from './administer.ts'
import { type ConsoleUnderTest, openConsole, signIn, waitForPage } from './console-under-test.ts'
import { readClipboard, readScroll, readTop, scrollTo } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
  await stopChecks(tutti.platform)
})
afterAll(() => tutti[Symbol.asyncDispose]())

const rows = (page: Page) => page.getByRole('table', { name: 'Events' }).locator('tbody tr')

/** Triggers one real event. */
async function makeEvent(): Promise<void> {
  await using stranger = await tutti.visit({ path: '/user/login', signedIn: false })
  await signIn(stranger.page, tutti.platform)
  await stranger.page.waitForURL(`${tutti.platform.url}/`)
}

async function eventCount(): Promise<number> {
  const response = await fetch(`${tutti.platform.url}/api/v1/events?limit=1`, {
    headers: basicAuth(tutti.platform),
  })
  return ((await response.json()) as { total: number }).total
}

describe('the events page', () => {
  test('lists the newest events first and adds new ones as they happen', async () => {
    await using visit = await tutti.visit({ path: '/events' })
    const { page } = visit
    await waitForPage(page, 'Events')
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
    const before = await rows(page).count()
    expect(before).toBe(await eventCount())
    await makeEvent()
    await rows(page).nth(before).waitFor()
    expect(await rows(page).first().innerText()).toContain('identity.signed_in')
    const time = rows(page).first().locator('time')
    expect(await time.innerText()).toMatch(/now|ago/)
    expect(await time.getAttribute('title')).toMatch(/\d{4}.*UTC/)
  })

  test('holds new events back while the user reads, and shows them on request', async () => {
    await using visit = await tutti.visit({ path: '/events' })
    const { page } = visit
    await waitForPage(page, 'Events')
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    const before = await rows(page).count()
    await makeEvent()
    const news = page.getByRole('button', { name: '1 new event' })
    await news.waitFor()
    expect(await rows(page).count()).toBe(before)
    await news.click()
    await rows(page).nth(before).waitFor()
    expect(await news.count()).toBe(0)
  })

  test('never moves the scroll position when events arrive', async () => {
    await using visit = await tutti.visit({ path: '/events', viewport: { width: 800, height: 240 } })
    const { page } = visit
    await waitForPage(page, 'Events')
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
    await scrollTo(page, 60)
    const topOfFirst = () => readTop(rows(page).first())
    const before = await topOfFirst()
    await makeEvent()
    await page.getByRole('button', { name: '1 new event' }).waitFor()
    expect(await readScroll(page)).toBe(60)
    expect(await topOfFirst()).toBe(before)
  })

  test('keeps the filter and the open event in the URL', async () => {
    await using visit = await tutti.visit({ path: '/events' })
    const { page } = visit
    await waitForPage(page, 'Events')
    await page.keyboard.press('/')
    await page.keyboard.type('identity.administrator_created')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/events?type=identity.administrator_created')
    await page.getByText('1 event', { exact: true }).waitFor()
    expect(await rows(page).count()).toBe(1)
    await rows(page).first().getByRole('button').press('Enter')
    await page.waitForURL('**/events?type=identity.administrator_created&event=*')
    const drawer = page.getByRole('dialog', { name: 'identity.administrator_created' })
    expect(await drawer.getByRole('region', { name: 'event data' }).innerText()).toContain(
      '"username": "admin"',
    )
    await page.reload()
    await drawer.waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/events?type=identity.administrator_created')
    await page.getByRole('button', { name: 'Show all types' }).click()
    await page.waitForURL('**/events')
  })

  test('opens an event of another type from its URL, or reports that it does not exist', async () => {
    await using visit = await tutti.visit({ path: '/events?type=no.such.type&event=1' })
    const { page } = visit
    await page.getByRole('dialog', { name: 'identity.administrator_created' }).waitFor()
    await page.goto('/events?event=999999')
    await page.getByRole('dialog').getByText('The log has no event with the ID 999999.').waitFor()
  })

  test('copies an event as JSON', async () => {
    await using visit = await tutti.visit({
      path: '/events?event=1',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = visit
    await page.getByRole('button', { name: 'Copy event data' }).click()
    await page.getByRole('button', { name: 'Copied event data' }).waitFor()
    expect(JSON.parse(await readClipboard(page))).toEqual({
      username: 'admin',
    })
  })

  test('reports a lost stream and resumes it without a gap', async () => {
    await using visit = await tutti.visit({ path: '/profile' })
    const { page } = visit
    let refuse = true
    await page.route('**/api/v1/events/stream*', async (route) => {
      if (refuse) await route.abort()
      else await route.continue()
    })
    await page.goto('/events')
    await waitForPage(page, 'Events')
    await page.getByText('Reconnecting').waitFor()
    const before = await rows(page).count()
    await makeEvent()
    refuse = false
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
    await rows(page).nth(before).waitFor()
    await expect.poll(() => rows(page).count()).toBe(await eventCount())
  })
})
