import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { switchColours } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', { flow_definition: flow })
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

const model = { ai_options: { model: 'builtin:text' } }
const flow = {
  id: 'coded',
  label: 'Coded',
  steps: [
    { id: 'one', type: 'ai_prompt', label: 'First', prompt: 'Analyse {{content}}', ...model },
    {
      id: 'two',
      type: 'ai_prompt',
      label: 'Second',
      prompt: 'Summarise {{steps.one}}',
      dependencies: ['one'],
      error_handling: { on_failure: 'abort' },
      ...model,
    },
  ],
}

/** Puts the cursor to the end of the line with this text. */
async function goToLine(page: Page, text: string): Promise<void> {
  await page.locator('.cm-line', { hasText: text }).first().click()
  await page.keyboard.press('End')
}

async function press(page: Page, key: string, times = 1): Promise<void> {
  for (let count = 0; count < times; count += 1) await page.keyboard.press(key)
}

test('a flow is edited as code: errors are shown and kept, all views follow, and validation errors stand at their lines', async () => {
  await using visit = await tutti.visit({ path: '/workflows/coded/edit?view=code' })
  const { page, complaints } = visit
  const code = page.getByRole('textbox', { name: 'Workflow definition' })
  const problems = page.getByRole('region', { name: 'Problems' })
  const show = (view: string) =>
    page.getByRole('radiogroup', { name: 'Editor view' }).getByText(view, { exact: true }).click()
  await problems.getByText('No problems').waitFor()
  await page.getByText(/^about \$\d/).waitFor()

  // A syntax error is shown, undone and redone inside the text.
  await goToLine(page, '"label": "First"')
  await page.getByRole('heading', { name: 'First' }).waitFor()
  const told = page.getByText(/^Line \d+: extra comma\.$/)
  await page.keyboard.type(',')
  await told.first().waitFor()
  await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true')
  await problems.getByRole('button', { name: '1 error' }).waitFor()
  await press(page, 'Control+z')
  await problems.getByText('No problems').waitFor()
  await press(page, 'Control+Shift+z')
  await told.first().waitFor()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await problems.getByText('No problems').waitFor()
  await press(page, 'Control+z')
  await told.first().waitFor()

  // A change in another view meanwhile warns that the text would overwrite it.
  const label = page.getByRole('textbox', { name: 'Label', exact: true })
  const overtaken = page.getByText('The workflow was changed elsewhere since.', { exact: false })
  await label.fill('Elsewhere')
  await overtaken.waitFor()
  await page.getByRole('button', { name: /^Undo / }).click()
  await overtaken.waitFor({ state: 'detached' })

  // The text survives a visit of the list view, which shows the last valid version.
  await show('List')
  await page.getByRole('listitem').filter({ hasText: 'Second' }).first().waitFor()
  await problems.getByRole('button', { name: '1 error' }).click()
  await problems.getByRole('button', { name: /^Error Code Line \d+/ }).click()
  await told.first().waitFor()
  await goToLine(page, '"label": "First"')
  await press(page, 'Backspace')
  await problems.getByText('No problems').waitFor()

  // A change of the code shows on the canvas, and changes of other views show in the code.
  await press(page, 'ArrowLeft', 2)
  // At once: keys with a second between them are undone one after the other.
  await page.keyboard.insertText(' of all')
  await page.getByRole('heading', { name: 'First of all' }).waitFor()
  await show('Canvas')
  await page.locator('.react-flow__node').filter({ hasText: 'First of all' }).waitFor()
  await show('Code')
  await label.fill('Begin')
  await code.getByText('"label": "Begin"').waitFor()
  await page.getByRole('button', { name: /^Undo / }).click()
  await code.getByText('"label": "First of all"').waitFor()
  await code.focus()
  await press(page, 'Control+z')
  await code.getByText('"label": "First",').waitFor()

  // Enum values are completed.
  await goToLine(page, '"on_failure"')
  await press(page, 'ArrowLeft')
  await press(page, 'Backspace', 'abort'.length)
  await page.keyboard.type('fall')
  await page.getByRole('listbox', { name: 'Completions' }).getByRole('option', { name: 'fallback' }).waitFor()
  await press(page, 'Enter')
  await code.getByText('"on_failure": "fallback"').waitFor()
  await goToLine(page, '"on_failure"')
  await press(page, 'ArrowLeft')
  await press(page, 'Backspace', 'fallback'.length)
  await page.keyboard.insertText('abort')
  await code.getByText('"on_failure": "abort"').waitFor()

  // A validation error stands at its line and is opened from the list.
  await page.locator('.cm-line', { hasText: /^\s+"one"$/ }).click()
  await press(page, 'End')
  await press(page, 'ArrowLeft')
  await page.keyboard.type('s')
  const wrong = code.locator('.cm-lintRange-error')
  await expect.poll(() => wrong.allTextContents()).toContain('"ones"')
  await goToLine(page, '"label": "Coded"')
  await page.getByRole('heading', { name: 'Second' }).waitFor({ state: 'detached' })
  await problems
    .getByRole('button', { name: /Second steps\[1\]\.dependencies\[0\]/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Second' }).waitFor()
  await expect
    .poll(() => code.evaluate((element) => element.ownerDocument.activeElement === element))
    .toBe(true)

  expect(await findViolations(page), 'light').toEqual([])
  await switchColours(page, 'dark')
  expect(await findColourViolations(page), 'dark').toEqual([])

  // The cursor is in the wrong name, where the right one is suggested.
  await press(page, 'Delete', 'ones'.length)
  await page.keyboard.type('on')
  await page.getByRole('option', { name: /^one\s+First$/ }).waitFor()
  await press(page, 'Enter')
  await problems.getByText('No problems').waitFor()
  expect(complaints).toEqual([])

  // While the platform does not respond, the editor says so, and does not report the flow as valid.
  await page.route('**/flows/validate', async (route) => {
    if (await page.evaluate('window.isBack === true')) await route.continue()
    else await route.abort()
  })
  await goToLine(page, '"label": "Coded"')
  await press(page, 'ArrowLeft', 2)
  await page.keyboard.type(' again')
  await problems.getByText('The server did not respond. The check is retried automatically.').waitFor()
  await problems.getByText('Not checked').waitFor()
  // The editor also retries by itself, so the button may be gone already.
  await page.evaluate("window.addEventListener('click', () => { window.isBack = true }, true)")
  await problems.getByRole('button', { name: 'Check again' }).click()
  await problems.getByText('No problems').waitFor()
})
