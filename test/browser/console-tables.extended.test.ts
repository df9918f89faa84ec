import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureConsoleBuilt } from '../../scripts/build-console.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { addRole, administer } from './administer.ts'
import { type ConsoleUnderTest, openConsoleOf, waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { closeByEscape, readSidewaysScroll, switchColours } from './in-page.ts'

let tutti: ConsoleUnderTest & { readonly platform: PlatformInProcess }
beforeAll(async () => {
  await ensureConsoleBuilt({ log: () => undefined })
  tutti = await openConsoleOf(await openPlatform({}))
  const { platform } = tutti
  for (const team of [1, 2, 3, 4])
    await addRole(platform, { name: `team_${team}`, label: `Team ${team}`, permissions: ['run workflows'] })
  // More than one page, without the cost of so many passwords.
  await platform.database.query(`
    insert into identity_users (username, username_key, display_name, last_login_at)
    select name, name, name, now() - place * interval '1 hour'
    from (select place, 'person' || lpad(place::text, 2, '0') as name from generate_series(1, 60) as place) as people
  `)
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

const namesIn = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).locator('tbody tr td:first-child').allInnerTexts()
const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })

describe('the table of a whole list', () => {
  test('is filtered from the keyboard, and keeps filter and order in the address while a row is open', async () => {
    await using visit = await tutti.visit({ path: '/roles' })
    const { page, complaints } = visit
    await waitForPage(page, 'Roles')
    const all = (await namesIn(page, 'Roles')).length
    expect(all).toBeGreaterThan(8)
    await page.keyboard.press('/')
    // A pause after a space, as people type.
    await page.keyboard.type('workflows ')
    await page.waitForURL('**/roles?filter=workflows')
    await page.getByRole('status').getByText(` of ${all}`).waitFor()
    await page.keyboard.type('team')
    await page.waitForURL('**/roles?filter=workflows+team')
    await page.getByRole('status').getByText(`4 of ${all}`).waitFor()

    // The address orders the rows, so each press needs the order of the one before it.
    for (const order of ['ascending', 'descending']) {
      await header(page, 'Role').getByRole('button').press('Enter')
      await expect.poll(() => header(page, 'Role').getAttribute('aria-sort')).toBe(order)
    }
    await page.waitForURL('**sort=-role**')
    const falling = [/^Team 4/, /^Team 3/, /^Team 2/, /^Team 1/].map((name) => expect.stringMatching(name))
    expect(await namesIn(page, 'Roles')).toEqual(falling)

    await page.getByRole('button', { name: 'Team 3' }).press('Enter')
    await page.getByRole('dialog', { name: 'Team 3' }).waitFor()
    expect(page.url()).toContain('role=team_3')
    expect(await namesIn(page, 'Roles')).toEqual(falling)
    await page.reload()
    await closeByEscape(page.getByRole('dialog', { name: 'Team 3' }))
    await expect.poll(() => namesIn(page, 'Roles')).toEqual(falling)

    // Another page has tables of its own.
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'API keys' }).click()
    await waitForPage(page, 'API keys')
    expect(new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
  })

  test('says when no row matches, and shows all rows without a filter', async () => {
    await using visit = await tutti.visit({ path: '/roles?filter=nothing+like+this' })
    const { page } = visit
    await waitForPage(page, 'Roles')
    await page.getByText('No rows match “nothing like this”.').waitFor()
    expect(await namesIn(page, 'Roles')).toEqual([])
    await page.getByRole('searchbox', { name: 'Filter Roles' }).fill('')
    await page.waitForURL(({ search }) => search === '')
    await expect.poll(async () => (await namesIn(page, 'Roles')).length).toBeGreaterThan(8)
  })

  test('is accessible with a filter, in both colour schemes and on a phone', async () => {
    await using visit = await tutti.visit({ path: '/roles?filter=team&sort=-role' })
    const { page } = visit
    await waitForPage(page, 'Roles')
    expect(await findViolations(page)).toEqual([])
    await switchColours(page, 'dark')
    expect(await findColourViolations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await readSidewaysScroll(page)).toBe(0)
    await page.getByRole('searchbox', { name: 'Filter Roles' }).fill('team 2')
    await page.getByRole('status').getByText('1 of ').waitFor()
    await page.getByRole('searchbox', { name: 'Filter Roles' }).fill('team')
    await page.getByLabel('Sort by').selectOption('Role, ascending')
    await expect.poll(async () => (await namesIn(page, 'Roles'))[0]).toMatch(/^Team 1/)
  })

  test('has no filter while it is short', async () => {
    for (const name of ['One', 'Two']) await administer(tutti.platform, 'POST', '/api/v1/api-keys', { name })
    await using visit = await tutti.visit({ path: '/api-keys' })
    const { page } = visit
    await waitForPage(page, 'API keys')
    expect(await namesIn(page, 'API keys')).toEqual(['One', 'Two'])
    expect(await page.getByRole('searchbox').count()).toBe(0)
  })
})

describe('a list of several pages', () => {
  test('of users is sorted by the server', async () => {
    await using visit = await tutti.visit({ path: '/users' })
    const { page, complaints } = visit
    await waitForPage(page, 'Users')
    await page.getByText(/^1–50 of 61, oldest first$/).waitFor()
    await header(page, 'Name').getByRole('button').click()
    await page.waitForURL('**/users?sort=username')
    await expect.poll(async () => (await namesIn(page, 'Users')).slice(0, 2)).toEqual(['admin', 'person01'])
    await header(page, 'Name').getByRole('button').click()
    await page.waitForURL('**/users?sort=-username')
    await expect.poll(async () => (await namesIn(page, 'Users'))[0]).toBe('person60')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(async () => (await namesIn(page, 'Users')).at(-1)).toBe('admin')
    expect(page.url()).toContain('sort=-username')

    // Another order begins at its first page.
    await header(page, 'Last sign-in').getByRole('button').click()
    await page.waitForURL('**/users?sort=-last_login')
    await expect.poll(async () => (await namesIn(page, 'Users')).slice(0, 2)).toEqual(['admin', 'person01'])
    await page.getByRole('searchbox', { name: 'Search users' }).fill('person1')
    await page.waitForURL('**search=person1**')
    await expect.poll(async () => (await namesIn(page, 'Users'))[0]).toBe('person10')
    expect(page.url()).toContain('sort=-last_login')
    expect(complaints).toEqual([])
  })

  test.each([
    ['Audit log', '/audit'],
    ['Events', '/events'],
  ])('of the %s has the newest first, and says so', async (title, path) => {
    await using visit = await tutti.visit({ path })
    const { page } = visit
    await waitForPage(page, title)
    const time = header(page, 'Time')
    expect(await time.getAttribute('aria-sort')).toBe('descending')
    expect(await time.getAttribute('title')).toBe('Newest first')
    expect(await page.getByRole('columnheader').getByRole('button').count()).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByText('Newest first', { exact: true }).waitFor()
  })
})
