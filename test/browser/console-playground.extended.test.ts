import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { waitForPage } from './console-under-test.ts'
import { readClipboard, readFocusedText, readScroll, scrollTo, untilShown, waitForIdle } from './in-page.ts'
import {
  ask,
  cloudModel,
  factOf,
  findChat,
  lastAnswer,
  type ModelsUnderTest,
  openModels,
  ownModel,
  waitForPlayground,
} from './models-under-test.ts'

let models: ModelsUnderTest
beforeAll(async () => {
  models = await openModels()
})
afterAll(() => models[Symbol.asyncDispose]())

const askingCloud = `/playground?model=${cloudModel}`

describe('the playground', () => {
  test('shows the details of a model before the first prompt', async () => {
    await using visit = await models.tutti.visit({ path: '/playground' })
    const { page } = visit
    await waitForPlayground(page)
    // The model in memory of the cluster is selected, and it is free.
    await expect.poll(() => page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe(ownModel)
    await page.getByText('Available, loaded').waitFor()
    await page.getByText('Free', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Model' }).fill('gpt')
    await page.getByRole('option', { name: cloudModel }).click()
    await page.waitForURL(`**${askingCloud}`)
    await page.getByText('$0.15 in', { exact: true }).waitFor()
    await page.getByText('128,000 tokens').waitFor()
    await page.reload()
    await waitForPlayground(page)
    await expect.poll(() => page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe(cloudModel)
  })

  test('continues the conversation, and sends every setting', async () => {
    await using visit = await models.tutti.visit({ path: askingCloud })
    const { page } = visit
    await waitForPlayground(page)
    models.openai.script({ steps: [{ text: 'Four.' }] }, { steps: [{ text: '{"answer": 5}' }] })
    await ask(page, 'Two and two?')
    await lastAnswer(page).getByText('Four.').waitFor()
    await page.getByLabel('System prompt').fill('Answer in JSON.')
    await page.getByLabel('Temperature', { exact: true }).fill('0.2')
    await page.getByLabel('Max tokens').fill('50')
    await page.getByLabel('JSON output', { exact: true }).check()
    await ask(page, 'And one more?')
    await lastAnswer(page).getByRole('region', { name: 'answer' }).getByText('"answer"').waitFor()
    expect(models.openai.lastCall()?.body).toMatchObject({
      model: cloudModel,
      messages: [
        { role: 'system', content: 'Answer in JSON.' },
        { role: 'user', content: 'Two and two?' },
        { role: 'assistant', content: 'Four.' },
        { role: 'user', content: 'And one more?' },
      ],
      temperature: 0.2,
      response_format: { type: 'json_object' },
    })
  })

  test('stops by its button, also before the first word', async () => {
    await using visit = await models.tutti.visit({ path: askingCloud })
    const { page } = visit
    await waitForPlayground(page)
    models.openai.script('hang')
    await ask(page, 'Anybody?')
    await lastAnswer(page).getByText('Waiting for the first token').waitFor()
    const asked = await findChat(models, 'Anybody?')
    await page.getByRole('button', { name: 'Stop' }).click()
    await lastAnswer(page).getByText('Stopped before the first token').waitFor()
    expect(await asked.closed).toBe(true)
    await page.getByRole('button', { name: 'Send' }).waitFor()
  })

  test('uses a fallback provider when allowed, and names it', async () => {
    await using visit = await models.tutti.visit({ path: askingCloud })
    const { page } = visit
    await waitForPlayground(page)
    models.openai.script({ status: 503 })
    await page.getByLabel('Fallback', { exact: true }).selectOption('These models, in order')
    await page.getByLabel('Fallback models').fill(ownModel)
    await ask(page, 'Who are you?')
    const answer = lastAnswer(page)
    await answer.getByText('The sky is blue because of how light scatters.').waitFor()
    await expect.poll(() => factOf(answer, 'Provider').innerText()).toBe('Cluster')
    await expect.poll(() => factOf(answer, 'Requested model').innerText()).toBe(cloudModel)
    await expect.poll(() => factOf(answer, 'Attempts').innerText()).toBe('2')
    await expect.poll(() => factOf(answer, 'Cost').innerText()).toBe('free')
  })

  test('copies the request as a shell command and as a program that runs', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    await using visit = await models.tutti.visit({ path: '/playground?model=builtin:text', permissions })
    const { page } = visit
    await waitForPlayground(page)
    await page.getByLabel('Message').fill("Summarise: It's calm tonight. The sea's asleep.")
    await untilShown(page, 'Copied', () => page.getByRole('button', { name: 'Copy as curl' }).click())
    expect(await readClipboard(page)).toContain(`curl -N ${models.tutti.platform.url}/v1/chat/completions`)
    await page.getByRole('button', { name: 'Copy as TypeScript' }).click()
    await expect.poll(() => readClipboard(page)).toContain("from 'openai'")
    const { key } = await administer<{ key: string }>(models.tutti.platform, 'POST', '/api/v1/api-keys', {
      name: 'A program',
    })
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module-typescript', '--eval', await readClipboard(page)],
      {
        cwd: fileURLToPath(new URL('../../', import.meta.url)),
        env: { ...process.env, TUTTI_API_KEY: key },
      },
    )
    expect(stdout).toContain("> It's calm tonight.")
    expect(stdout).toContain('completion_tokens')
  })

  test('keeps the conversation while the user visits another page, and clears it on request', async () => {
    await using visit = await models.tutti.visit({ path: askingCloud })
    const { page } = visit
    await waitForPlayground(page)
    const rest = Promise.withResolvers<void>()
    models.openai.script({ steps: [{ text: 'To be' }, { until: rest.promise }, { text: ' continued.' }] })
    await ask(page, 'Tell me a story.')
    await lastAnswer(page).getByText('To be').waitFor()
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await waitForPage(page, 'Usage')
    rest.resolve()
    await page.getByRole('link', { name: 'Playground', exact: true }).click()
    await lastAnswer(page).getByText('To be continued.').waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe(cloudModel)
    await page.getByRole('button', { name: 'New conversation' }).click()
    await page.getByText('Tell me a story.').waitFor({ state: 'detached' })
    await expect.poll(() => readFocusedText(page)).toBe('Playground')
  })

  test('scrolls along with a response, and not after the user scrolled back', async () => {
    await using visit = await models.tutti.visit({
      path: askingCloud,
      viewport: { width: 1280, height: 600 },
    })
    const { page } = visit
    await waitForPlayground(page)
    const [middle, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const lines = 'A line of many.\n\n'.repeat(40)
    models.openai.script({
      steps: [
        { text: lines },
        { until: middle.promise },
        { text: `The middle.\n\n${lines}` },
        { until: rest.promise },
        { text: `${lines}The end.` },
      ],
    })
    await ask(page, 'Write much.')
    await expect.poll(() => readScroll(page)).toBeGreaterThan(300)
    const before = await readScroll(page)
    middle.resolve()
    await expect.poll(() => readScroll(page)).toBeGreaterThan(before)
    // Until all of it is shown, the page scrolls along.
    await expect.poll(() => lastAnswer(page).getByText('A line of many.').count()).toBe(80)
    await waitForIdle(page)
    await scrollTo(page, 200)
    rest.resolve()
    await lastAnswer(page).getByText('The end.').waitFor()
    expect(await readScroll(page)).toBe(200)
  })
})
