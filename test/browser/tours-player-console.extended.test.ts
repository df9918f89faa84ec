import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, administer, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import { pressAt } from './in-page.ts'
import { stepCard, toursPath, untilOnScreen } from './tours-under-test.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

const sample = '/workflows/summarise_and_translate'

/** The steps of a visitor who only presses Next. */
const steps = [
  { label: 'Welcome to Tutti', path: '/', number: 1 },
  { label: 'Command palette', path: '/', number: 2 },
  { label: 'Overview', path: '/', number: 3 },
  { label: 'Workflows', path: sample, number: 4 },
  { label: 'Run a workflow', path: sample, number: 5 },
  // The steps between need a run.
  { label: 'API keys', path: '/api-keys', number: 10 },
  { label: 'Your account', path: '/api-keys', number: 11 },
]
const total = 11

/** Plays the welcome tour from its first step to its end. */
async function walkThrough(page: Page): Promise<void> {
  for (const { label, path, number } of steps) {
    const card = stepCard(page, label)
    await card.getByText(`Step ${number} of ${total}`).waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
    await untilOnScreen(card)
    await card.getByRole('button', { name: /^(?:Next|Done)$/ }).click()
  }
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe('the welcome tour', () => {
  test('is offered, runs through the console without reloads, and is not offered again', async () => {
    await using visit = await tutti.visit({ path: '/', tours: true })
    const { page, complaints } = visit
    await waitForPage(page, 'Overview')
    await page.evaluate('window.loadedOnce = true')
    const invitation = page.getByRole('region', { name: 'A tour of the console' })
    await invitation.getByText('A tour of 11 steps.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await invitation.getByRole('button', { name: 'Take the tour' }).click()
    await stepCard(page, 'Welcome to Tutti').waitFor()
    expect(await findViolations(page)).toEqual([])
    await walkThrough(page)
    expect(await page.evaluate('window.loadedOnce')).toBe(true)
    await page.goto('/')
    await waitForPage(page, 'Overview')
    await expect
      .poll(() => page.evaluate('window.tuttiTours?.list()'))
      .toEqual([expect.objectContaining({ id: 'welcome', state: 'completed' })])
    expect(await invitation.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test.each([
    ['mouse', (target: Locator) => target.click()],
    ['keyboard', (target: Locator) => pressAt(target)],
  ] as const)('leads by %s through a run, an edit and a run again', async (_way, act) => {
    // The page of a run is loaded before: the first time it may take longer than a step waits for its element.
    const { execution_id: id } = await administer<{ execution_id: string }>(
      tutti.platform,
      'POST',
      '/ai-workflows/api/execute-flow',
      { flow_id: 'summarise_and_translate', context: { content: 'A text.' } },
    )
    await using visit = await tutti.visit({ path: `/executions/${id}` })
    const { page, complaints } = visit
    await page.getByRole('tab', { name: 'Result' }).waitFor()
    await page.goto(sample)
    await waitForPage(page, 'Summarise and translate')
    await expect.poll(() => page.evaluate("window.tuttiTours?.start('welcome')")).toBe(true)
    for (const { label } of steps.slice(0, 4))
      await act(stepCard(page, label).getByRole('button', { name: 'Next' }))
    await stepCard(page, 'Run a workflow').waitFor()
    expect(await findViolations(page)).toEqual([])
    const notice = page.getByRole('region', { name: 'A tour of the console' })
    // The elements of these steps are used themselves.
    const element = (name: string) => page.locator(`[data-tour="${name}"]`)

    await act(element('run-flow'))
    await notice.getByText('The tour continues when you are done.').waitFor()
    const form = page.getByRole('dialog', { name: 'Run Summarise and translate' })
    await act(form.getByRole('button', { name: 'Run', exact: true }))
    await stepCard(page, 'Result').getByText(`Step 6 of ${total}`).waitFor()
    const first = new URL(page.url()).pathname
    await act(stepCard(page, 'Result').getByRole('button', { name: 'Next' }))
    await act(stepCard(page, 'Timeline and cost').getByRole('button', { name: 'Next' }))

    // The link to the workflow, or to a copy for an account with few runs.
    await stepCard(page, 'Edit').waitFor()
    await act(element((await element('edit-copy').count()) > 0 ? 'edit-copy' : 'run-workflow'))
    await page.waitForURL(/\/workflows\//)
    await notice.waitFor()
    await page.goto(first)
    await stepCard(page, 'Run again').waitFor()
    await act(element('run-again'))
    const again = page.getByRole('dialog', { name: 'Run again' })
    await act(again.getByRole('button', { name: 'Run', exact: true }))
    await page.waitForURL((url) => url.pathname.startsWith('/executions/') && url.pathname !== first)
    await act(notice.getByRole('button', { name: 'Continue the tour' }))
    await stepCard(page, 'API keys').waitFor()
    expect(new URL(page.url()).pathname).toBe('/api-keys')
    await page.keyboard.press('ArrowLeft')
    await stepCard(page, 'Run a workflow').waitFor()
    await page.keyboard.press('Escape')
    expect(complaints).toEqual([])
  })

  test('starts again from the palette and from the account menu, on any page', async () => {
    await using visit = await tutti.visit({ path: '/usage' })
    const { page } = visit
    await waitForPage(page, 'Usage')
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Command palette' }).fill('take the tour')
    await page.keyboard.press('Enter')
    await stepCard(page, 'Welcome to Tutti').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Take the tour' }).click()
    await stepCard(page, 'Welcome to Tutti').waitFor()
    await page.keyboard.press('Escape')
  })

  test('fits a small dark screen with a hidden navigation', async () => {
    await using visit = await tutti.visit({
      path: '/',
      tours: true,
      viewport: { width: 360, height: 640 },
      colorScheme: 'dark',
    })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await page.getByRole('button', { name: 'Take the tour' }).click()
    await walkThrough(page)
  })

  test('has no step for pages its visitor may not open', async () => {
    const viewer = await addPerson(tutti.platform, 'vera', ['viewer'])
    await using visit = await visitAs(tutti, viewer, '/playground')
    const { page } = visit
    await waitForPage(page, 'Playground')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Take the tour' }).click()
    await stepCard(page, 'Welcome to Tutti').waitFor()
    await page.keyboard.press('ArrowRight')
    await stepCard(page, 'Command palette').waitFor()
    await page.keyboard.press('ArrowRight')
    await stepCard(page, 'Overview').waitFor()
  })

  test('follows the colour scheme of the console', async () => {
    await using visit = await tutti.visit({ path: '/', tours: true, colorScheme: 'light' })
    const { page } = visit
    await page.getByRole('region', { name: 'A tour of the console' }).waitFor()
    const ground = () =>
      page.evaluate<string>(
        "getComputedStyle(document.querySelector('[data-tutti-tours]').shadowRoot.querySelector('.card')).backgroundColor",
      )
    const light = await ground()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(ground).not.toBe(light)
  })

  test('is the only tour the console plays, also on pages that a site tour names', async () => {
    const path = `${toursPath}/of_a_site`
    // A retried test finds the tour of its first attempt.
    await administer(tutti.platform, 'DELETE', path).catch(() => undefined)
    const tour = { id: 'of_a_site', label: 'Of a site', creation_method: 'visual' }
    await administer(tutti.platform, 'POST', toursPath, tour)
    await administer(tutti.platform, 'PUT', path, {
      launch: 'auto',
      routes: [{ route_name: '/*' }],
      tips: [{ label: 'Hello', location: 'center' }],
      status: true,
    })
    await using visit = await tutti.visit({ path: '/', own: true })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await expect.poll(() => page.evaluate('window.tuttiTours?.list()')).toMatchObject([{ id: 'welcome' }])
    expect(await page.evaluate("window.tuttiTours.start('of_a_site')")).toBe(false)
    expect(await stepCard(page, 'Hello').count()).toBe(0)
  })

  // Last, because it deletes the tour.
  test('reports that it was deleted', async () => {
    // A retried test finds it deleted.
    await administer(tutti.platform, 'DELETE', `${toursPath}/welcome`).catch(() => undefined)
    // A window may cache the tour for a while.
    await using visit = await tutti.visit({ path: '/profile', own: true })
    const { page } = visit
    await waitForPage(page, 'Profile')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Take the tour' }).click()
    await page.getByText('There is no welcome tour').waitFor()
  })
})
