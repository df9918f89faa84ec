import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basicAuth } from '../support/platform.ts'
import { administer } from './administer.ts'
import { waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours, waitForStillness } from './in-page.ts'
import { cloudModel, type ModelsUnderTest, openModels, ownModel, rightKey } from './models-under-test.ts'

let models: ModelsUnderTest
beforeAll(async () => {
  models = await openModels({ OPENAI_API_KEY: rightKey, MODEL_RECORDING: 'on' })
})
afterAll(() => models[Symbol.asyncDispose]())

const secret = 'hunter2hunter2XYZ'

/** Calls a model and returns the id of the call, once it is recorded: no response waits for its record. */
async function call(body: object, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { platform } = models.tutti
  const response = await fetch(`${platform.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...basicAuth(platform), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  await response.text()
  const id = response.headers.get('x-call-id') ?? ''
  const hasContent = async () => {
    const path = `/api/v1/usage/calls/${id}`
    return (await administer<{ content: object | null }>(platform, 'GET', path)).content !== null
  }
  await expect.poll(hasContent).toBe(headers['x-record'] !== 'off')
  return id
}

const withTools = {
  model: cloudModel,
  messages: [
    { role: 'system', content: 'You are a weather service. Answer in one sentence.' },
    { role: 'user', content: `What is the weather in Oslo? My key is sk-${secret}.` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '{"temperature": 3, "sky": "blue"}' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'weather',
        description: 'The weather of a city',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    },
  ],
  temperature: 0.2,
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('a call in the list leads to its prompt, answer, tools and route', async () => {
  await call(withTools, { 'x-tags': 'weather' })
  await using visit = await models.tutti.visit({ path: '/usage' })
  const { page, complaints } = visit
  await waitForPage(page, 'Usage')
  const calls = page.getByRole('table', { name: 'Calls', exact: true })
  await calls.locator('tbody').getByRole('button').first().click()
  await page.getByRole('link', { name: 'Show prompt, answer and route' }).click()
  await waitForPage(page, `Call of ${cloudModel}`)
  await region(page, 'User, message 2')
    .getByText('What is the weather in Oslo? My key is sk-[redacted].')
    .waitFor()
  await region(page, 'Tool call 1 of message 3').getByText('{"city":"Oslo"}').waitFor()
  await region(page, 'Answer, Assistant').getByText('The sky is blue.').waitFor()
  await page.getByText('The weather of a city').click()
  await region(page, 'Parameters of weather').getByText('required').waitFor()
  const row = page.getByRole('table', { name: 'Route' }).locator('tbody tr')
  await expect
    .poll(() => row.innerText())
    .toMatch(/gpt-4o-mini[\s\S]*OpenAI[\s\S]*Requested model[\s\S]*Completed/)
  await page.getByText('weather', { exact: true }).last().waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(complaints).toEqual([])
})

test('the route shows the attempt that failed, and the page works in both colours and on narrow screens', async () => {
  models.openai.script({ status: 503 })
  const id = await call(
    { model: cloudModel, messages: [{ role: 'user', content: 'Why?' }] },
    { 'x-model-fallback': ownModel },
  )
  await using visit = await models.tutti.visit({ path: `/usage/calls/${id}` })
  const { page, complaints } = visit
  await waitForPage(page, `Call of ${ownModel}`)
  const rows = page.getByRole('table', { name: 'Route' }).locator('tbody tr')
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual([
      expect.stringMatching(/gpt-4o-mini[\s\S]*Failed[\s\S]*Provider unavailable/),
      expect.stringMatching(/gemma3:4b[\s\S]*Fallback[\s\S]*Completed/),
    ])
  expect(await findViolations(page), 'light').toEqual([])
  await switchColours(page, 'dark')
  expect(await findColourViolations(page), 'dark').toEqual([])
  for (const width of [1280, 800, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await waitForStillness(page)
    expect(await readSidewaysScroll(page), `on ${width} pixels`).toBe(0)
  }
  expect(complaints).toEqual([])
})

test('a call to a route names the route, its version and why its targets were tried in this order', async () => {
  const { platform } = models.tutti
  const targets = [{ model: cloudModel }, { model: ownModel }]
  await administer(platform, 'PUT', '/api/v1/model-routes/quick', { strategy: 'fallback', targets })
  models.openai.script({ status: 503 })
  const id = await call({ model: 'quick', messages: [{ role: 'user', content: 'Why?' }] })
  await using visit = await models.tutti.visit({ path: `/usage/calls/${id}` })
  const { page, complaints } = visit
  await waitForPage(page, `Call of ${ownModel}`)
  await page.getByText('Route quick, version 1, in order: the targets in their order.').waitFor()
  const rows = page.getByRole('table', { name: 'Route' }).locator('tbody tr')
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual([
      expect.stringMatching(/gpt-4o-mini[\s\S]*Target of the route[\s\S]*Failed/),
      expect.stringMatching(/gemma3:4b[\s\S]*Target of the route[\s\S]*Completed/),
    ])
  expect(complaints).toEqual([])
})

test('a call without recorded content says so, and an unknown call is explained', async () => {
  const id = await call(
    { model: ownModel, messages: [{ role: 'user', content: 'Quietly' }] },
    { 'x-record': 'off' },
  )
  await using visit = await models.tutti.visit({ path: `/usage/calls/${id}` })
  const { page } = visit
  await waitForPage(page, `Call of ${ownModel}`)
  await page.getByText('Prompt and answer of this call are not recorded.').waitFor()
  await page.goto(`${models.tutti.platform.url}/usage/calls/01999999-0000-7000-8000-000000000000`)
  await page.getByText('The call could not be loaded.').waitFor()
  await page.getByText('You have no call with this id.').waitFor()
})

test('a step of an execution leads to its calls, and a call to its step', async () => {
  const { platform } = models.tutti
  const { execution_id: execution } = await administer<{ execution_id: string }>(
    platform,
    'POST',
    '/ai-workflows/api/execute-flow',
    { flow_id: 'moderation_with_routing', context: { content: 'The sea is calm tonight.' } },
  )
  let found: { id: string; step_id: string } | undefined
  await expect
    .poll(async () => {
      const { data } = await administer<{ data: { id: string }[] }>(
        platform,
        'GET',
        `/api/v1/usage/calls?execution=${execution}`,
      )
      const [first] = data
      if (first !== undefined) found = await administer(platform, 'GET', `/api/v1/usage/calls/${first.id}`)
      return found?.step_id
    })
    .toBeDefined()
  await using visit = await models.tutti.visit({ path: `/usage/calls/${found?.id}` })
  const { page } = visit
  await page.getByRole('link', { name: `Step ${found?.step_id} of ${execution}` }).click()
  await page.getByRole('region', { name: 'Model calls' }).getByRole('link').first().click()
  await waitForPage(page, 'Call of ')
})
