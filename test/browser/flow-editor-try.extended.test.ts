import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours } from './in-page.ts'

let openai: OpenAiServer
let tutti: ConsoleUnderTest
beforeAll(async () => {
  openai = await startOpenAiServer({ apiKey: 'sk-right' })
  tutti = await openConsole({ OPENAI_BASE_URL: openai.baseUrl, OPENAI_API_KEY: 'sk-right' })
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: {
      id: 'sea',
      label: 'Of the sea',
      steps: [
        {
          id: 'tell',
          label: 'Tell of it',
          type: 'ai_prompt',
          prompt: 'Tell of {{topic}}',
          ai_options: { model: 'openai/gpt-4o-mini' },
          retry_config: { max_attempts: 1 },
          output_to_memory: 'told',
        },
        {
          id: 'after',
          label: 'Gather',
          type: 'data_transform',
          dependencies: ['tell'],
          transformations: [{ operation: 'merge', sources: ['told'] }],
        },
      ],
    },
  })
})
afterAll(async () => {
  await tutti?.[Symbol.asyncDispose]()
  await openai?.[Symbol.asyncDispose]()
})

const panel = (page: Page) => page.getByRole('region', { name: 'Test run' })
const step = (page: Page, name: string) =>
  panel(page)
    .getByRole('list', { name: 'Executed steps' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name, exact: true }) })
const run = (page: Page) => panel(page).getByRole('button', { name: /^Run/ }).click()

describe('trying a draft', () => {
  test('with a sample: streams model output, and shows the result of each step', async () => {
    await using visit = await tutti.visit({ path: '/workflows/sea/edit?view=list' })
    const { page, complaints } = visit
    await waitForPage(page, 'Of the sea')
    await page.getByRole('button', { name: 'Test run' }).click()

    // The sample: errors are shown, required fields are prefilled, and input is kept.
    const sample = panel(page).getByLabel('Sample input')
    await expect.poll(() => sample.inputValue()).toContain('"topic"')
    await sample.fill('{"tone": ')
    await expect.poll(() => sample.getAttribute('aria-invalid')).toBe('true')
    await sample.fill('{"tone": "calm"}')
    await panel(page).getByText('The workflow also requires topic.').waitFor()
    await panel(page).getByRole('button', { name: 'Insert required inputs' }).click()
    expect(JSON.parse(await sample.inputValue())).toEqual({ tone: 'calm', topic: 'music' })
    await sample.fill('{"topic": "the sea"}')
    await panel(page).getByText('Estimate:').waitFor()

    // It runs: tokens stream, then the full output is shown.
    const goOn = Promise.withResolvers<void>()
    openai.script({
      steps: [{ text: 'The sea ' }, { text: 'is ' }, { until: goOn.promise }, { text: 'calm.' }],
      usage: { input: 30, output: 12 },
    })
    await run(page)
    await step(page, 'Tell of it').getByText('The sea is').waitFor()
    await step(page, 'Tell of it').getByText('Running').waitFor()
    await step(page, 'Gather').getByText('Pending').waitFor()
    goOn.resolve()
    await step(page, 'Tell of it').getByText('The sea is calm.').waitFor()
    await step(page, 'Gather').getByText('"The sea is calm."', { exact: false }).waitFor()
    await panel(page).getByText('Completed').first().waitFor()
    expect(await findViolations(page)).toEqual([])
    await switchColours(page, 'dark')
    expect(await findColourViolations(page)).toEqual([])
    await switchColours(page, 'light')
    expect(openai.requests.findLast(({ path }) => path.endsWith('/chat/completions'))?.body).toMatchObject({
      messages: [{ content: 'Tell of the sea' }],
    })

    // A change marks the run as one of an older draft; a failing step shows reason and remedy.
    await page
      .getByRole('region', { name: 'Step palette' })
      .getByRole('button', { name: 'Transform' })
      .click()
    await panel(page).getByText('These results are outdated').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: false }).first().click()
    await panel(page).getByText('These results are outdated').waitFor({ state: 'detached' })
    openai.script({ status: 500, message: 'Out of order.' })
    await run(page)
    await step(page, 'Tell of it').getByText('Failed', { exact: true }).waitFor()
    await step(page, 'Tell of it').getByText('Choose another model for the step').waitFor()

    // A long run is stopped.
    const never = new Promise<void>(() => {})
    openai.script({ steps: [{ text: 'So ' }, { until: never }] })
    await run(page)
    await step(page, 'Tell of it').getByText('So').waitFor()
    await panel(page).getByRole('button', { name: 'Stop' }).click()
    await panel(page).getByText('Cancelled').first().waitFor()

    // It fits on a small screen too, and the sample is stored for the next time.
    await page.setViewportSize({ width: 360, height: 720 })
    await expect.poll(() => readSidewaysScroll(page)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'Test run' }).click()
    await expect.poll(async () => JSON.parse(await sample.inputValue())).toEqual({ topic: 'the sea' })

    // The link opens the execution.
    await run(page)
    await panel(page).getByRole('link', { name: 'Open execution' }).click()
    await page.waitForURL(/\/executions\/[0-9a-f-]{36}/)
    await waitForPage(page, 'Of the sea')
    expect(complaints).toEqual([])
  })

  test('before it has a name, with the built-in model; a step that cannot run is marked', async () => {
    await using visit = await tutti.visit({ path: '/workflows/new?view=list' })
    const { page } = visit
    await waitForPage(page, 'New workflow')
    await page.getByRole('button', { name: 'Test run' }).click()
    await run(page)
    await panel(page).getByText('The test run was not started.').waitFor()
    await panel(page).getByRole('list', { name: 'Errors' }).getByRole('button', { name: 'steps' }).waitFor()
    await page
      .getByRole('region', { name: 'Step palette' })
      .getByRole('button', { name: 'Transform' })
      .click()
    await run(page)
    await step(page, 'transform').getByText('Completed').waitFor()
  })

  test('with a container: the steps of each item are unfolded, with their outputs', async () => {
    await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
      flow_definition: {
        id: 'cities',
        label: 'Of cities',
        steps: [
          {
            id: 'each',
            label: 'For each city',
            type: 'for_each',
            items: 'cities',
            on_item_error: 'collect',
            steps: [
              {
                id: 'greet',
                label: 'Greet it',
                type: 'data_transform',
                transformations: [{ operation: 'expression', expression: '"Hello " + item' }],
              },
            ],
          },
        ],
      },
    })
    await using visit = await tutti.visit({ path: '/workflows/cities/edit' })
    const { page, complaints } = visit
    await waitForPage(page, 'Of cities')
    await page.getByRole('button', { name: 'Test run' }).click()
    await panel(page).getByLabel('Sample input').fill('{"cities": ["Rome", 7]}')
    await run(page)
    await panel(page).getByText('1 of 2 items, 1 failed').click()
    const items = panel(page).getByRole('list', { name: 'Inside of each' })
    await items.getByText('Item 2').click()
    await items.getByText('EXPRESSION_FAILED').waitFor()
    await items.getByText('Item 1').click()
    const first = panel(page).getByRole('list', { name: 'Steps of each/0' })
    await first.getByText('Output of Greet it').click()
    await first.getByText('Hello Rome').waitFor()
    expect(await findViolations(page)).toEqual([])
    await switchColours(page, 'dark')
    expect(await findColourViolations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => readSidewaysScroll(page)).toBe(0)
    expect(complaints).toEqual([])
  })
})
