/** Jobs of a user at a run, by mouse or by keyboard. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { waitForPage } from './console-under-test.ts'
import { pressAt, untilShown } from './in-page.ts'
import { fetchFrom, merge, type RunsUnderTest, type SavedFlow, stateOf, timeline } from './runs-under-test.ts'

export type Act = (target: Locator) => Promise<void>

export const click: Act = (target) => target.click()
export const press: Act = (target) => pressAt(target)

export const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

/** The mouse events since `runFromItsPage`. Undefined if the page was loaded again since. */
export const readMouseEvents = (page: Page) => page.evaluate<number | undefined>('window.mouseEvents')

/** Runs a workflow from its page with the input that is filled in, and returns the ID of the execution. */
export async function runFromItsPage(page: Page, { flow, label }: SavedFlow, act: Act): Promise<string> {
  await page.goto(`/workflows/${flow}`)
  await waitForPage(page, label)
  await page.evaluate(`
    window.mouseEvents = 0
    addEventListener('mousedown', () => { window.mouseEvents += 1 }, true)
  `)
  await act(page.getByRole('button', { name: 'Run', exact: true }))
  await act(page.getByRole('dialog', { name: `Run ${label}` }).getByRole('button', { name: 'Run' }))
  await page.waitForURL(/\/executions\/[0-9a-f-]{36}/)
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

/** Finds the cause of a failed run, edits the step, and runs it again with the new version and another input. */
export async function mendFailedRun(runs: RunsUnderTest, page: Page, act: Act): Promise<void> {
  const { serviceUrl } = runs
  const flow = await runs.save([
    merge('before'),
    fetchFrom(`${serviceUrl}/broken`, { dependencies: ['before'], output_to_memory: 'prices' }),
    merge('after', {
      transformations: [{ operation: 'merge', sources: ['prices', 'content'] }],
      dependencies: ['fetch'],
    }),
  ])
  const failed = await runFromItsPage(page, flow, act)
  const failure = page.getByRole('region', { name: 'Failure' })
  await failure.getByText('Failed at “Fetch prices”').waitFor()
  await failure.getByText('closed for repairs').waitFor()
  const panel = page.getByRole('complementary', { name: 'Fetch prices' })
  const error = panel.getByRole('region', { name: 'Error' })
  await error.getByText('503').first().waitFor()
  await error.getByText(`GET ${serviceUrl}/broken`).waitFor()
  await error.getByRole('region', { name: 'Response body' }).getByText('closed for repairs').first().waitFor()
  await act(error.getByText('Response headers'))
  await error.getByText('maintenance').waitFor()
  await timeline(page)
    .getByRole('button', { name: /^after.*not run$/ })
    .waitFor()

  // The editor opens at the step.
  await act(failure.getByRole('link', { name: 'Edit this step' }))
  await page.waitForURL(
    ({ pathname, searchParams }) =>
      pathname === `/workflows/${flow.flow}/edit` &&
      searchParams.get('step') === 'fetch' &&
      searchParams.get('run') === failed,
  )
  const url = page.getByRole('textbox', { name: 'URL', exact: true })
  await url.getByText(`${serviceUrl}/broken`).waitFor()
  await url.fill(`${serviceUrl}/fine`)
  await page.getByText('No problems', { exact: true }).first().waitFor()
  await act(page.getByRole('button', { name: 'Save', exact: true }))
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Save' })
  await untilShown(page, 'Saved as version 2', () => act(confirm))

  await act(entry(page, 'Executions'))
  await waitForPage(page, 'Executions')
  await act(page.locator(`main a[href*="${failed}"]`).first())
  await act(failure.getByRole('button', { name: 'Run again…' }))
  const again = page.getByRole('dialog', { name: 'Run again' })
  await expect.poll(() => again.getByRole('radio', { name: 'Latest version (2)' }).isChecked()).toBe(true)
  await again.getByRole('list', { name: 'Changes since version 1' }).getByText('fetch').waitFor()
  const input = again.getByRole('textbox', { name: 'Input', exact: true })
  await expect
    .poll(async () => JSON.parse(await input.inputValue()))
    .toEqual({ content: expect.stringMatching(/^Tutti means all together\. /) })
  await input.fill('{')
  await again.getByText('JSON').first().waitFor()
  await input.fill('{"content": "Another text."}')
  await act(again.getByRole('button', { name: 'Run', exact: true }))
  await page.waitForURL(({ pathname }) => pathname.startsWith('/executions/') && !pathname.includes(failed))
  await stateOf(page).getByText('Completed').waitFor()
  await page.getByText('Version 2 of').waitFor()
  await act(page.getByRole('tab', { name: 'Result' }))
  const result = page.getByRole('tabpanel', { name: 'Result' })
  await result.getByText('42').first().waitFor()
  await result.getByText('Another text.').first().waitFor()
  await page.getByRole('link', { name: 'Compare with the original' }).waitFor()
}

export async function approveRun(runs: RunsUnderTest, page: Page, act: Act): Promise<void> {
  const flow = await runs.save([merge('one')], { approval_required: true })
  await runFromItsPage(page, flow, act)
  const box = page.getByRole('region', { name: 'Approval' })
  await box.getByText('Tutti means all together.').first().waitFor()
  await box.getByText('Requested by admin').waitFor()
  await box.getByRole('textbox', { name: `Note about ${flow.label}` }).fill('Fine.')
  await act(box.getByRole('button', { name: `Approve ${flow.label}` }))
  await stateOf(page).getByText('Completed').waitFor()
  await box.waitFor({ state: 'detached' })
  await act(page.getByRole('tab', { name: 'Result' }))
  await page
    .getByRole('tabpanel', { name: 'Result' })
    .getByText('Tutti means all together.')
    .first()
    .waitFor()
}
