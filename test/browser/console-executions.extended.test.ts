import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { patience } from '../support/patience.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { readClipboard, readMovement, watchLayout } from './in-page.ts'

let openai: OpenAiServer
let tutti: ConsoleUnderTest
beforeAll(async () => {
  openai = await startOpenAiServer({ apiKey: 'sk-right' })
  tutti = await openConsole({ OPENAI_BASE_URL: openai.baseUrl, OPENAI_API_KEY: 'sk-right' })
})
afterAll(async () => {
  await tutti?.[Symbol.asyncDispose]()
  await openai?.[Symbol.asyncDispose]()
})

const model = { ai_options: { model: 'openai/gpt-4o-mini' } }
let made = 0

/** Saves a flow and enqueues an execution of it. */
async function start(steps: readonly object[], context: object = { content: 'A text.' }): Promise<string> {
  made += 1
  const id = `run_${made}`
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: { id, label: `Run ${made}`, steps },
  })
  const { execution_id } = await administer<{ execution_id: string }>(
    tutti.platform,
    'POST',
    '/ai-workflows/api/execute-flow-async',
    { flow_id: id, context },
  )
  return execution_id
}

const merge = (id: string, more: object = {}) => ({
  id,
  type: 'data_transform',
  transformations: [{ operation: 'merge', sources: ['content'] }],
  ...more,
})

const stateOf = (page: Page) => page.locator('dl').first()

describe('an execution', () => {
  test('shows the output of a model as it streams, and then all of it', async () => {
    const goOn = Promise.withResolvers<void>()
    openai.script({
      steps: [{ text: 'The sea ' }, { text: 'is ' }, { until: goOn.promise }, { text: 'calm.' }],
      usage: { input: 30, output: 12 },
    })
    const id = await start([
      { id: 'tell', label: 'Tell of the sea', type: 'ai_prompt', prompt: 'Tell of {{content}}', ...model },
      merge('after', { dependencies: ['tell'] }),
    ])
    await using visit = await tutti.visit({ path: `/executions/${id}` })
    const { page, complaints } = visit
    await page.getByRole('region', { name: 'Live output' }).getByText('The sea is').waitFor()
    await stateOf(page).getByText('Running').waitFor()
    await watchLayout(page)
    goOn.resolve()
    await stateOf(page).getByText('Completed').waitFor()
    await page.getByText('2 of 2 steps finished').waitFor()
    expect(await readMovement(page)).toBeLessThan(0.05)
    await page.getByRole('button', { name: 'Tell of the sea' }).click()
    await page.getByRole('region', { name: 'Output' }).getByText('The sea is calm.').waitFor()
    await page.getByRole('region', { name: 'Prompt', exact: true }).getByText('Tell of A text.').waitFor()
    await page.getByText('30 in, 12 out').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('shows the branch that was taken, the one that was not, and the final memory', async () => {
    const id = await start([
      merge('first', { output_to_memory: 'kept' }),
      {
        id: 'check',
        type: 'conditional',
        dependencies: ['first'],
        conditions: [{ field: 'kept', operator: 'exists', action: { type: 'continue', next_step: 'yes' } }],
        default_action: { type: 'continue', next_step: 'no' },
      },
      merge('yes'),
      merge('no'),
    ])
    await using visit = await tutti.visit({ path: `/executions/${id}?tab=decisions` })
    const { page } = visit
    await page.getByText('yes (kept exists)').waitFor()
    await page.getByText('no (otherwise)').waitFor()
    await page.getByRole('tab', { name: 'Memory' }).click()
    await page.getByRole('table', { name: 'Shared memory' }).getByText('kept').waitFor()
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByRole('table', { name: 'Log' }).getByRole('row').nth(3).waitFor()
  })

  test('shows its result as Markdown and its input as a tree, by keyboard, to copy and download', async () => {
    const long = Array.from({ length: 60 }, (_, index) => `Line ${index + 1} of the text.`).join('\n\n')
    openai.script({ steps: [{ text: `# The sea\n\nIt is **calm**.\n\n${long}` }] })
    const id = await start([{ id: 'ask', type: 'ai_prompt', prompt: 'Tell of {{content}}', ...model }])
    await using visit = await tutti.visit({
      path: `/executions/${id}?tab=result`,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page, complaints } = visit
    const panel = page.getByRole('tabpanel', { name: 'Result' })
    await panel.getByText('The sea', { exact: true }).waitFor()
    await panel.getByText('calm', { exact: true }).waitFor()
    expect(await panel.getByText('Line 60 of the text.').count()).toBe(0)
    await panel.getByRole('button', { name: /^Show all \(1 KB\)$/ }).click()
    await panel.getByText('Line 60 of the text.').waitFor()
    await panel.getByRole('button', { name: 'Copy result' }).click()
    await expect.poll(() => readClipboard(page)).toContain('It is **calm**.')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/-result\.md$/)
    await panel.getByText('Text', { exact: true }).click()
    await panel.getByRole('region', { name: 'result' }).getByText('# The sea').waitFor()

    await page.getByRole('tab', { name: 'Result' }).press('ArrowRight')
    await page.waitForURL(/tab=input/)
    await page.getByRole('tab', { name: 'Input' }).and(page.locator(':focus')).waitFor()
    const tree = page.getByRole('tree', { name: 'input' })
    const items = tree.getByRole('treeitem')
    await items.filter({ hasText: 'content: ' }).waitFor()
    await items.first().focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => items.count()).toBe(1)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await items.filter({ hasText: 'content: ' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Copy path' }).click()
    await expect.poll(() => readClipboard(page)).toBe('content')
    expect(complaints).toEqual([])
  })

  test('is navigated by keyboard, and every step has a URL', async () => {
    const id = await start([merge('one'), merge('two', { dependencies: ['one'] })])
    await using visit = await tutti.visit({ path: `/executions/${id}?step=one` })
    const { page } = visit
    const steps = page.getByRole('list', { name: 'Steps over time' })
    await stateOf(page).getByText('Completed').waitFor()
    await steps.getByRole('button', { name: 'one' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(/step=two/)
    await page.getByRole('heading', { level: 2, name: 'two' }).waitFor()
    await expect
      .poll(() => steps.getByRole('button', { name: 'two' }).getAttribute('aria-pressed'))
      .toBe('true')
  })

  test('that failed shows the reason, and is recovered', async () => {
    openai.script({ status: 500, message: 'Out of order.' })
    const id = await start([
      merge('before'),
      {
        id: 'ask',
        type: 'ai_prompt',
        prompt: 'Say something.',
        dependencies: ['before'],
        retry_config: { max_attempts: 1 },
        ...model,
      },
    ])
    await using visit = await tutti.visit({ path: `/executions/${id}` })
    const { page } = visit
    const failure = page.getByRole('region', { name: 'Failure' })
    await failure.getByText('Failed at “ask”').waitFor()
    await failure.getByRole('button', { name: 'Retry the failed step' }).click()
    await stateOf(page).getByText('Completed').waitFor()
    await failure.waitFor({ state: 'detached' })
  })

  test('is forked from a step with another input, and compared with its origin', async () => {
    const id = await start([merge('one'), merge('two', { dependencies: ['one'] })])
    await using visit = await tutti.visit({ path: `/executions/${id}?step=one` })
    const { page } = visit
    await stateOf(page).getByText('Completed').waitFor()
    await page.getByRole('button', { name: 'Fork from here' }).click()
    const dialog = page.getByRole('dialog', { name: 'Fork from one' })
    await dialog.getByLabel('Input').fill('{')
    await dialog.getByText('JSON').first().waitFor()
    await dialog.getByLabel('Input').fill('{"content": "Another text."}')
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click()
    await page.waitForURL((url) => !url.pathname.includes(id))
    await stateOf(page).getByText('Completed').waitFor()
    await page.getByRole('link', { name: 'Compare with the original' }).click()
    await waitForPage(page, 'Compare executions')
    await page.locator('[data-kind=left]').getByText('A text.').first().waitFor()
    await page.locator('[data-kind=right]').getByText('Another text.').first().waitFor()
  })

  test('that does not exist is reported as missing', async () => {
    await using visit = await tutti.visit({ path: '/executions/01890000-0000-7000-8000-000000000000' })
    await visit.page.getByText('The execution could not be loaded.').waitFor()
  })

  test('of five hundred steps is shown completely', async () => {
    const steps = Array.from({ length: 500 }, (_, index) =>
      merge(`step_${index}`, index === 0 ? {} : { dependencies: [`step_${Math.floor((index - 1) / 3)}`] }),
    )
    const id = await start(steps)
    await using visit = await tutti.visit({ path: `/executions/${id}?tab=timeline` })
    const { page, complaints } = visit
    await page.getByText('500 of 500 steps finished').waitFor({ timeout: 60_000 * patience })
    await page.getByRole('button', { name: 'step_499' }).click()
    await page.getByRole('heading', { level: 2, name: 'step_499' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('the list of executions', () => {
  test('updates live, is filtered by its URL, and cancels the selected executions', async () => {
    const never = new Promise<void>(() => {})
    openai.script({ steps: [{ text: 'So ' }, { until: never }] })
    await using visit = await tutti.visit({ path: '/executions' })
    const { page } = visit
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
    const id = await start([{ id: 'ask', type: 'ai_prompt', prompt: 'Say something.', ...model }])
    const row = page.getByRole('row').filter({ hasText: id.slice(-12) })
    await row.getByText('Running').waitFor()
    await row.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Cancel 1' }).click()
    await page.getByRole('button', { name: 'Cancel it' }).click()
    await row.getByText('Cancelled').waitFor()
    await page
      .getByRole('group', { name: 'State' })
      .getByRole('button', { name: /^Failed/ })
      .click()
    await page.waitForURL(/status=failed/)
    await row.waitFor({ state: 'detached' })
  })
})
