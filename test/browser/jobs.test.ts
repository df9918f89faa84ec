import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson, administer, visitAs } from './administer.ts'
import { findViolations } from './find-violations.ts'
import { approveRun, mendFailedRun, press, readMouseEvents } from './run-jobs.ts'
import { fetchFrom, merge, openRuns, type RunsUnderTest, stateOf, timeline } from './runs-under-test.ts'

/** Whole jobs of a user at runs. */

let runs: RunsUnderTest
beforeAll(async () => {
  runs = await openRuns()
})
afterAll(() => runs?.[Symbol.asyncDispose]())

test('a run fails, its cause is found and edited, and it runs again with the new version, by keyboard', async () => {
  await using visit = await runs.tutti.visit()
  const { page, complaints } = visit
  await mendFailedRun(runs, page, press)
  expect(await readMouseEvents(page)).toBe(0)
  expect(complaints).toEqual([])
})

test('a run that needs approval is approved on its own page, by keyboard', async () => {
  await using visit = await runs.tutti.visit()
  const { page, complaints } = visit
  await approveRun(runs, page, press)
  expect(await readMouseEvents(page)).toBe(0)
  expect(complaints).toEqual([])
})

test('a run that waits for an answer shows the form, which is filled in on its page', async () => {
  const { id } = await runs.start([
    {
      id: 'ask',
      label: 'Ask the editor',
      type: 'human',
      message: 'Shall **{{content}}** be published?',
      form: {
        type: 'object',
        required: ['approved', 'price'],
        properties: {
          approved: { type: 'boolean', title: 'Publish it' },
          price: { type: 'number', title: 'Price' },
          channel: { type: 'string', title: 'Channel', enum: ['web', 'print'] },
        },
      },
      require_comment: true,
    },
  ])
  await using visit = await runs.tutti.visit({ path: `/executions/${id}` })
  const { page, complaints } = visit
  const box = page.getByRole('region', { name: 'Waiting' })
  await box.getByText('Waiting for an answer').first().waitFor()
  await box.getByText('A text.').waitFor()
  await stateOf(page).getByText('Needs answer').waitFor()

  const answer = box.getByRole('button', { name: 'Send answer' })
  await box.getByRole('textbox', { name: 'Price' }).fill('much')
  await box.getByRole('radio', { name: 'Yes' }).check()
  await answer.press('Enter')
  await box.getByRole('textbox', { name: 'Price' }).and(page.locator('[aria-invalid=true]')).waitFor()
  await box.getByRole('textbox', { name: 'Price' }).fill('4.5')
  await box.getByLabel('Channel').selectOption('print')
  await box.getByRole('textbox', { name: 'Comment' }).fill('Well written.')
  await answer.press('Enter')
  await stateOf(page).getByText('Completed').waitFor()
  await box.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Result' }).click()
  const result = page.getByRole('tabpanel', { name: 'Result' })
  await result.getByText('4.5', { exact: true }).waitFor()
  await result.getByText('Well written.').waitFor()
  // The answer that is no number is refused by the server.
  expect(complaints.filter((line) => !line.includes('400'))).toEqual([])
})

test('failed runs are selected and recovered together with the latest version', async () => {
  const { flow, label } = await runs.save([fetchFrom(`${runs.serviceUrl}/broken`)])
  const api = '/ai-workflows/api'
  for (let run = 0; run < 2; run += 1)
    await administer(runs.tutti.platform, 'POST', `${api}/execute-flow-async`, { flow_id: flow, context: {} })
  await using visit = await runs.tutti.visit({ path: `/executions?flow=${flow}` })
  const { page } = visit
  const state = page.getByRole('group', { name: 'State' })
  await state.getByRole('button', { name: 'Failed 2' }).waitFor()
  await administer(runs.tutti.platform, 'PUT', `${api}/flows/${flow}`, {
    flow_definition: { id: flow, label, steps: [fetchFrom(`${runs.serviceUrl}/fine`)] },
  })
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
  await page
    .getByRole('group', { name: 'Selected executions' })
    .getByRole('button', { name: 'Recover 2' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Recover 2 executions' })
  await dialog.getByLabel('Version').selectOption('The latest version')
  await dialog.getByRole('button', { name: 'Recover' }).click()
  await state.getByRole('button', { name: 'Completed 2' }).waitFor()
})

test('the items of a loop: failed ones first, and each with its own steps', async () => {
  const { id } = await runs.start(
    [
      {
        id: 'each',
        label: 'Each shop',
        type: 'for_each',
        items: 'shops',
        on_item_error: 'collect',
        steps: [
          fetchFrom(`${runs.serviceUrl}/{{item}}`),
          {
            id: 'note',
            type: 'data_transform',
            transformations: [{ operation: 'merge', sources: ['item'] }],
            dependencies: ['fetch'],
          },
        ],
      },
    ],
    { context: { shops: ['fine-1', 'fine-2', 'broken-3', 'fine-4'] } },
  )
  await using visit = await runs.tutti.visit({ path: `/executions/${id}?tab=timeline` })
  const { page, complaints } = visit
  await stateOf(page).getByText('Completed').waitFor()
  await timeline(page).getByText('4 of 4, 1 failed').waitFor()
  await page.getByRole('button', { name: /^Open items/ }).press('Enter')
  await page.waitForURL(/in=each/)
  const rows = page.getByRole('table', { name: 'Items' }).getByRole('row')
  await rows.nth(1).getByText('Item 3').waitFor()
  await rows.nth(1).getByText('broken-3').waitFor()
  await rows.nth(1).getByRole('button').first().click()
  await page.waitForURL(/in=each%2F2/)
  const way = page.getByRole('navigation', { name: 'Open part' })
  await way.getByText('Item 3').waitFor()
  await timeline(page)
    .getByRole('button', { name: /^Fetch prices/ })
    .click()
  const panel = page.getByRole('complementary', { name: 'Fetch prices' })
  await panel.getByRole('region', { name: 'Error' }).getByText('503').first().waitFor()
  const edit = panel.getByRole('link', { name: 'Edit this step' })
  await expect.poll(() => edit.getAttribute('href')).toMatch(/\/edit\?step=fetch&/)
  expect(await findViolations(page)).toEqual([])
  await way.getByRole('button', { name: 'Each shop' }).click()
  await rows.nth(1).getByText('Item 3').waitFor()
  await way.getByRole('button', { name: 'All steps' }).click()
  await timeline(page).getByText('Each shop').waitFor()
  expect(complaints).toEqual([])
})

test('an account without the permission to decide or edit a run sees who may, and no buttons', async () => {
  const { flow, label } = await runs.start([merge('one')], { approval_required: true })
  const ada = await addPerson(runs.tutti.platform, 'ada', ['author'])
  const { execution_id: id } = await administer<{ execution_id: string }>(
    { ...runs.tutti.platform, admin: ada },
    'POST',
    '/ai-workflows/api/execute-flow-async',
    { flow_id: flow, context: { content: 'A text.' } },
  )
  await using visit = await visitAs(runs.tutti, ada, `/executions/${id}`)
  const { page } = visit
  const box = page.getByRole('region', { name: 'Approval' })
  await box.getByText('Accounts with the permission “manage workflows” can approve it.').waitFor()
  expect(await page.getByRole('button', { name: `Approve ${label}` }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Edit this step' }).count()).toBe(0)
})
