import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, administer, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

/** One for each attempt: a rating cannot be withdrawn. */
const unrated = ['seo_auditor', 'translator']

const runView = /\/executions\/[0-9a-f-]{36}/

describe('agents', () => {
  test('an agent is found by its capability, runs on a text, and its result is in the run view', async () => {
    await using visit = await tutti.visit({ path: '/agents' })
    const { page, complaints } = visit
    await waitForPage(page, 'Agents')
    await page.getByLabel('Category').selectOption('analysis')
    await page.getByLabel('Search agents').fill('PLAIN language')
    await page.waitForURL('**/agents?search=PLAIN+language&category=analysis')
    await page.getByText('1 agent', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Readability analyst' }).click()
    await waitForPage(page, 'Readability analyst')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Run Readability analyst' })
    await dialog.getByLabel('Text').fill('The cat sat on the mat. The dog ran to the cat.')
    await dialog.getByLabel('audience').fill('children')
    await dialog.getByRole('button', { name: 'Run' }).click()
    await page.waitForURL(runView)
    await page.getByText('1 of 1 steps finished').waitFor()
    await page.goto(`${page.url()}?step=agent`)
    await page.getByText('fits_audience').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('an agent without a required parameter reports it at the field', async () => {
    await using visit = await tutti.visit({ path: '/agents/translator?run=true' })
    const { page } = visit
    const dialog = page.getByRole('dialog', { name: 'Run Translator' })
    await dialog.getByRole('button', { name: 'Run' }).click()
    await dialog.locator('[aria-invalid=true]').waitFor()
    expect(await dialog.getByLabel('target_language').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByText('required by the agent').waitFor()
  })

  test('is rated, and the rating is shown at once', async () => {
    await using visit = await tutti.visit({ path: `/agents/${unrated.shift()}?tab=ratings` })
    const { page } = visit
    await page.getByText('No ratings yet.').waitFor()
    await page.getByLabel('4', { exact: true }).check()
    await page.getByLabel('Comment (optional)').fill('It finds what I miss.')
    await page.getByRole('button', { name: 'Rate', exact: true }).click()
    await page.getByRole('list', { name: 'Comments' }).getByText('It finds what I miss.').waitFor()
    await page.getByText('1 rating', { exact: true }).waitFor()
    await page.getByText('4 of 5').first().waitFor()
  })
})

describe('workflows', () => {
  test('the recommendation shows matching agents, reasons and exclusions; the URL keeps the question', async () => {
    await using visit = await tutti.visit({ path: '/agents/recommend' })
    const { page, complaints } = visit
    await page.getByLabel('Keywords').fill('green tea')
    await page.getByLabel('Characters').fill('50000')
    await page.getByRole('button', { name: 'Recommend agents' }).click()
    const first = page.getByRole('article').first()
    await first.getByText(/^Score \d+ %$/).waitFor()
    await first.getByText('For', { exact: true }).first().waitFor()
    await first.getByText('Score details').click()
    await first.getByRole('table', { name: 'Score of' }).getByText('fit', { exact: true }).waitFor()
    await page.getByRole('table', { name: 'Excluded' }).getByRole('link', { name: 'Translator' }).waitFor()
    await page.reload()
    await page.getByRole('article').first().waitFor()
    expect(await page.getByLabel('Characters').inputValue()).toBe('50000')
    expect(complaints).toEqual([])
  })

  test('a user with only the run permission starts a workflow from an agent, and the agent counts it', async () => {
    const clara = await addPerson(tutti.platform, 'clara', ['author'])
    await using visit = await visitAs(tutti, clara, '/agents/summary_writer?run=true')
    const { page, complaints } = visit
    await page.getByRole('dialog').getByRole('link', { name: 'Run Text insights' }).click()
    const dialog = page.getByRole('dialog', { name: 'Run Text insights' })
    await dialog.getByRole('button', { name: 'Run' }).click()
    await page.waitForURL(runView)
    await page.getByText('4 of 4 steps finished').waitFor()
    await page.locator('dl').first().getByText('Completed').waitFor()
    expect(complaints).toEqual([])
    await administer(tutti.platform, 'GET', '/ai-orchestra/api/agent-analytics')
    await using admin = await tutti.visit({ path: '/agents/summary_writer?tab=measured' })
    await admin.page.getByText('text_insights', { exact: true }).waitFor()
    await admin.page.getByRole('figure', { name: 'Runs by month' }).waitFor()
  })
})
