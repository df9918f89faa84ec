import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUnderTest, openConsole, signIn, waitForPage } from './console-under-test.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

describe('signing in to the console', () => {
  test('leads an anonymous visitor through the form to the overview, and to the state of the system', async () => {
    await using visit = await tutti.visit({ path: '/', signedIn: false })
    const { page } = visit
    await page.waitForURL('**/user/login?destination=%2F')
    await signIn(page, tutti.platform)
    await waitForPage(page, 'Overview')
    await page.getByRole('heading', { name: 'Your first run' }).waitFor()
    await page.getByText('System', { exact: true }).click()
    await page.getByRole('table', { name: 'Workers' }).getByText('Alive').waitFor()
    await expect.poll(() => page.locator('main dl').innerText()).toMatch(/Status\s+Ready/)
    const facts = await page.locator('main dl').innerText()
    expect(facts).toMatch(/Version\s+\d+\.\d+\.\d+/)
    expect(facts).toMatch(/Database\s+PostgreSQL \d+/)
    await page.getByRole('table', { name: 'Recurring tasks' }).locator('tbody tr').first().waitFor()
    await page.getByText('No model nodes yet').waitFor()
  })

  test('returns a user whose session ended to the same page', async () => {
    // A page without automatic requests: a refresh would redirect to the sign-in before the click.
    await using visit = await tutti.visit({ path: '/profile' })
    const { page, context } = visit
    await waitForPage(page, 'Profile')
    await context.clearCookies()
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.waitForURL('**/user/login?destination=%2Fusage')
    await signIn(page, tutti.platform)
    await page.waitForURL('**/usage')
    await waitForPage(page, 'Usage')
  })

  test('keeps the filter in the URL across a sign-in', async () => {
    await using visit = await tutti.visit({ path: '/events?type=identity.signed_in', signedIn: false })
    const { page } = visit
    await page.waitForURL('**/user/login?destination=*')
    await signIn(page, tutti.platform)
    await page.waitForURL('**/events?type=identity.signed_in')
  })

  test('signs out from the account menu, and an ended session stays ended', async () => {
    await using visit = await tutti.visit({ path: '/user/login', signedIn: false })
    const { page } = visit
    await signIn(page, tutti.platform)
    await waitForPage(page, 'Overview')
    await page.getByRole('button', { name: 'Account: admin' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/user/login')
    await page.goto('/profile')
    await page.waitForURL('**/user/login?destination=%2Fprofile')
  })
})
