import { afterEach, beforeEach, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import { closeByEscape, pressAt, untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeEach(async () => {
  tutti = await openConsole()
})
afterEach(() => tutti?.[Symbol.asyncDispose]())

const flow_definition = {
  id: 'placed',
  label: 'Placed',
  steps: [
    { id: 'first', type: 'ai_prompt', prompt: 'Look at {{content}}' },
    { id: 'second', type: 'ai_prompt', prompt: 'And again', dependencies: ['first'] },
  ],
}
const layoutOf = (y: number) => ({ layout: { first: { x: 0, y: 0 }, second: { x: 320, y } } })

test('every entry point of the editor, the step positions of a flow, and its deletion', async () => {
  await using visit = await tutti.visit({ path: '/workflows?which=mine' })
  const { page, complaints } = visit
  await waitForPage(page, 'Workflows')
  await page.getByText('You have no workflows yet.').waitFor()
  await page.getByRole('link', { name: 'Run a built-in workflow' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Command palette' }).fill('new workflow')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/workflows\/new$/)

  const flows = '/ai-workflows/api/flows'
  await administer(tutti.platform, 'POST', flows, { flow_definition, metadata: layoutOf(0) })
  await administer(tutti.platform, 'PUT', `${flows}/placed`, { flow_definition, metadata: layoutOf(8) })
  await page.goto('/workflows')
  await waitForPage(page, 'Workflows')
  await page.getByRole('button', { name: 'New workflow' }).waitFor()
  await page.getByRole('button', { name: 'Copy SEO optimisation' }).click()
  await page.waitForURL(/\/workflows\/new\?from=seo_optimisation$/)
  await page.goBack()
  await page.getByRole('button', { name: 'Edit Placed' }).click()
  await page.waitForURL(/\/workflows\/placed\/edit$/)
  await page.goto('/workflows/placed')
  await waitForPage(page, 'Placed')

  // The automatic layout would put the second below the first; it was moved beside it.
  const graph = page.getByRole('application', { name: 'Graph of the steps' })
  const isBeside = async () => {
    const first = await graph.getByText('first', { exact: true }).boundingBox()
    const second = await graph.getByText('second', { exact: true }).boundingBox()
    if (first === null || second === null) return false
    return Math.abs(first.y - second.y) < 20 && second.x > first.x + 100
  }
  // The graph may be fitted into its pane between the two measurements.
  await expect.poll(isBeside).toBe(true)
  expect(await findViolations(page)).toEqual([])

  await page.getByRole('tab', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'Changes in revision 2' }).click()
  const changes = page.getByRole('dialog', { name: 'Revision 1 to 2' })
  await changes.getByText('The layout on the canvas is different.').waitFor()
  await changes.getByText('Canvas layout changed').waitFor()
  await closeByEscape(changes)

  await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
  await pressAt(page.getByRole('button', { name: 'More actions' }))
  await pressAt(page.getByRole('menuitem', { name: 'Delete…' }))
  const question = page.getByRole('dialog', { name: 'Delete “Placed”?' })
  await question.waitFor()
  expect(await findViolations(page)).toEqual([])
  const remove = question.getByRole('button', { name: 'Delete workflow' })
  await untilShown(page, '“Placed” is deleted', () => remove.click())
  await waitForPage(page, 'Workflows')
  await page.getByRole('link', { name: 'Placed' }).waitFor({ state: 'detached' })

  await page.goto('/workflows/seo_optimisation')
  await waitForPage(page, 'SEO optimisation')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Export' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Delete…' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Copy and edit' }).click()
  await page.waitForURL(/\/workflows\/new\?from=seo_optimisation$/)
  expect(complaints).toEqual([])
})
