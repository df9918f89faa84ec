import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basicAuth } from '../support/platform.ts'
import { addRole, stopChecks } from './administer.ts'
import { type ConsoleUnderTest, openConsole, signIn, waitForPage } from './console-under-test.ts'
import { closeByEscape, readClipboard, readScroll, readTop, scrollTo, untilShown } from './in-page.ts'

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
    await expect.poll(async () => (await rows(page).count()) - (await eventCount())).toBe(0)
    const before = await rows(page).count()
    await makeEvent()
    await rows(page).nth(before).waitFor()
    await expect.poll(() => rows(page).first().innerText()).toMatch(/admin signed in from [\d.:a-f]+/)
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
    await page.getByRole('option', { name: 'identity.administrator_created' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/events?type=identity.administrator_created')
    await page.getByText('1 event', { exact: true }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    await rows(page).first().getByRole('button').press('Enter')
    await page.waitForURL('**/events?type=identity.administrator_created&event=*')
    const drawer = page.getByRole('dialog', { name: 'identity.administrator_created' })
    expect(await drawer.getByRole('region', { name: 'event data' }).innerText()).toContain(
      '"username": "admin"',
    )
    await page.reload()
    await closeByEscape(drawer)
    await page.waitForURL('**/events?type=identity.administrator_created')
    await page.getByRole('button', { name: 'Show all types' }).click()
    await page.waitForURL('**/events')
  })

  test('says what happened, with a link to it, and filters by group', async () => {
    const role = { name: 'listener', label: 'Listener', permissions: [] }
    await addRole(tutti.platform, role)
    await using visit = await tutti.visit({ path: '/events' })
    const { page, complaints } = visit
    await waitForPage(page, 'Events')
    const row = rows(page).filter({ hasText: 'created the role listener' })
    await row.getByText('admin', { exact: true }).waitFor()
    const groups = page.getByRole('radiogroup', { name: 'Group' })
    await groups.getByText('Models', { exact: true }).click()
    await page.waitForURL('**/events?group=models')
    await row.waitFor({ state: 'detached' })
    await groups.getByText('Access', { exact: true }).click()
    await page.waitForURL('**/events?group=access')
    await row.waitFor()
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
    const before = await rows(page).count()
    await makeEvent()
    await rows(page).nth(before).waitFor()
    await row.getByRole('link', { name: 'listener' }).click()
    await waitForPage(page, 'Roles')
    await page.getByRole('dialog', { name: 'Listener' }).waitFor()
    expect(complaints).toEqual([])
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
    const copy = page.getByRole('button', { name: 'Copy event data' })
    await untilShown(page, 'Copied event data', () => copy.click())
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
