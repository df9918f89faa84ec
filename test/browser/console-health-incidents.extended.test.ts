import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { administer, removeAll } from './administer.ts'
import { type HealthUnderTest, incidentRow, openHealth, waitForHealth } from './console-health-under-test.ts'

let health: HealthUnderTest
beforeAll(async () => {
  health = await openHealth()
})
afterAll(() => health[Symbol.asyncDispose]())
beforeEach(() => removeAll(health.tutti.platform, '/admin/llm/incidents', 'incidents', 'id'))

async function openPage(path = '/health') {
  const visit = await health.tutti.visit({ path })
  await waitForHealth(visit.page)
  return visit
}

describe('incidents', () => {
  test('an incident is opened manually, updated, and resolved', async () => {
    await using visit = await openPage()
    const { page, complaints } = visit
    await page.getByText('No incidents yet.').waitFor()
    await page.getByRole('button', { name: 'Open incident' }).click()
    await page.getByLabel('Title').fill('Answers are slow')
    await page.getByLabel('Message').fill('We look into it.')
    await page.getByLabel('Impact').selectOption('Outage')
    await page.getByRole('checkbox', { name: 'OpenAI' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Open incident' }).click()

    const drawer = page.getByRole('dialog', { name: 'Answers are slow' })
    await drawer.getByText('We look into it.').waitFor()
    await drawer.getByLabel('Message').fill('A cable was loose.')
    await drawer.getByLabel('State').selectOption('Identified')
    await drawer.getByRole('button', { name: 'Post update' }).click()
    const updates = drawer.getByRole('list', { name: 'Updates' })
    await updates.getByText('A cable was loose.').waitFor()
    expect(await updates.getByRole('listitem').first().innerText()).toMatch(/^Identified/)
    // The event of the update may arrive before the response to its author.
    await expect.poll(() => drawer.getByLabel('Message').inputValue()).toBe('')

    await drawer.getByLabel('Message').fill('It is tight again.')
    await drawer.getByLabel('State').selectOption('Resolved')
    await drawer.getByRole('button', { name: 'Post update' }).click()
    await updates.getByText('It is tight again.').waitFor()
    await drawer.getByRole('button', { name: 'Close…' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await incidentRow(page, 'Answers are slow').getByText('Resolved').waitFor()
    expect(complaints).toEqual([])
  })

  test('an incident that another user opens, updates and closes is shown live', async () => {
    await using visit = await openPage()
    const { page } = visit
    const { platform } = health.tutti
    const { id } = await administer<{ id: string }>(platform, 'POST', '/admin/llm/incidents', {
      title: 'The disk fills up',
      message: 'It is nearly full.',
      services: ['disk'],
    })
    const row = incidentRow(page, 'The disk fills up')
    await row.getByText('Investigating').waitFor()
    await row.getByRole('button').click()
    const drawer = page.getByRole('dialog', { name: 'The disk fills up' })
    await drawer.getByLabel('Message').fill('Half of a sen')
    await administer(platform, 'POST', `/admin/llm/incidents/${id}/updates`, {
      message: 'Old logs are gone.',
      state: 'monitoring',
    })
    await drawer.getByRole('list', { name: 'Updates' }).getByText('Old logs are gone.').waitFor()
    expect(await drawer.getByLabel('Message').inputValue(), 'what was typed stays').toBe('Half of a sen')
    await expect.poll(() => drawer.getByLabel('State').inputValue()).toBe('monitoring')
    await administer(platform, 'POST', `/admin/llm/incidents/${id}/close`, {})
    await drawer.getByText('This incident is resolved.').waitFor()
  })

  test('an invalid value is reported below its field, and no input is lost', async () => {
    await using visit = await openPage('/health?create=maintenance')
    const { page } = visit
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel('Title').fill('The network moves')
    await page.getByLabel('Message').fill('It takes an hour.')
    await page.getByLabel('Start', { exact: true }).fill(`${tomorrow}T09:00`)
    await page.getByLabel('End', { exact: true }).fill(`${tomorrow}T08:00`)
    const drawer = page.getByRole('dialog', { name: 'Schedule maintenance' })
    const submit = drawer.getByRole('button', { name: 'Schedule maintenance' })
    await submit.click()
    await drawer.getByText('Must be after the start.').waitFor()
    await drawer.locator('input:focus[aria-invalid=true]').waitFor()
    await page.getByLabel('Title').fill('')
    await submit.click()
    await drawer.getByText('Must not be empty.').waitFor()
    expect(await page.getByLabel('Message').inputValue()).toBe('It takes an hour.')
    expect(await incidentRow(page, 'The network moves').count()).toBe(0)
  })

  test('maintenance is scheduled and cancelled', async () => {
    await using visit = await openPage()
    const { page } = visit
    await page.getByRole('button', { name: 'Schedule maintenance' }).click()
    await page.getByLabel('Title').fill('The database moves')
    await page.getByLabel('Message').fill('It takes an hour.')
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel('Start', { exact: true }).fill(`${tomorrow}T09:00`)
    await page.getByLabel('End', { exact: true }).fill(`${tomorrow}T10:30`)
    await page.getByRole('checkbox', { name: 'Database', exact: true }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule maintenance' }).click()
    const drawer = page.getByRole('dialog', { name: 'The database moves' })
    await drawer.getByText(/, 09:00$/).waitFor()
    await drawer.getByText(/, 10:30$/).waitFor()
    await drawer.getByRole('button', { name: 'Cancel maintenance…' }).click()
    await page
      .getByRole('dialog', { name: 'Cancel maintenance: “The database moves”?' })
      .getByRole('button', { name: 'Cancel maintenance' })
      .click()
    await drawer.getByText('The maintenance was cancelled.').waitFor()
    await page.keyboard.press('Escape')
    await incidentRow(page, 'The database moves').getByText('Completed').waitFor()
  })

  test('open incidents are filtered, and a wrong one is removed', async () => {
    await administer(health.tutti.platform, 'POST', '/admin/llm/incidents', {
      title: 'By mistake',
      message: 'Nothing happened.',
    })
    await using visit = await openPage()
    const { page } = visit
    await page.getByLabel('Incident state').selectOption('Open')
    await page.waitForURL('**/health?incidents=open')
    const row = incidentRow(page, 'By mistake')
    await row.getByRole('button').click()
    await page.getByRole('button', { name: 'Remove…' }).click()
    await page
      .getByRole('dialog', { name: 'Remove “By mistake”?' })
      .getByRole('button', { name: 'Remove' })
      .click()
    await page.getByText('No open incidents').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.waitForURL('**/health')
  })
})
