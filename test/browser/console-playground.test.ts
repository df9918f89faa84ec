import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReceivedRequest } from '../support/scripted-server.ts'
import { addPerson, administer, visitAs } from './administer.ts'
import { openConsole, waitForPage } from './console-under-test.ts'
import { readClipboard, readFocusedText, readScroll, scrollTo, untilShown, waitForIdle } from './in-page.ts'
import {
  ask,
  cloudModel,
  factOf,
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

/** The page reads a call until it is recorded, and the browser logs each response before that. */
const isNoEarlyRead = (complaint: string) => !complaint.includes('status of 404')

describe('the playground', () => {
  test('streams a response word by word, and shows its usage to the micro-dollar', async () => {
    await using visit = await models.tutti.visit({ path: askingCloud })
    const { page, complaints } = visit
    await waitForPlayground(page)
    const rest = Promise.withResolvers<void>()
    models.openai.script({
      steps: [{ text: 'The sky' }, { until: rest.promise }, { text: ' is **blue**.' }],
      usage: { input: 1000, cached: 400, output: 20 },
    })
    await ask(page, 'Why is the sky blue?')
    const answer = lastAnswer(page)
    await answer.getByText('The sky', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    rest.resolve()
    await answer.getByText('The sky is blue.').waitFor()
    await answer.locator('strong', { hasText: 'blue' }).waitFor()
    await answer.getByRole('link', { name: 'Open call' }).waitFor()
    // 600 tokens at 0.15, 400 cached ones at 0.075 and 20 at 0.60 dollars for a million.
    await expect.poll(() => factOf(answer, 'Cost').innerText()).toBe('$0.000132')
    await expect.poll(() => factOf(answer, 'Tokens').innerText()).toBe('1,000 in (400 cached), 20 out')
    await expect.poll(() => factOf(answer, 'Provider').innerText()).toBe('OpenAI')
    for (const name of ['First token', 'Total']) {
      await expect.poll(() => factOf(answer, name).innerText()).toMatch(/^[\d.]+ m?s$/)
    }
    expect(complaints.filter(isNoEarlyRead)).toEqual([])
    await answer.getByRole('link', { name: 'Open call' }).click()
    const call = page.getByRole('dialog', { name: `Call of ${cloudModel}` })
    await call.getByText('$0.000132').waitFor()
    await call.getByText('Price table', { exact: false }).waitFor()
  })

  test('shows the details of a model before the first prompt', async () => {
    await using visit = await models.tutti.visit({ path: '/playground' })
    const { page } = visit
    await waitForPlayground(page)
    // The model in memory of the cluster is selected, and it is free.
    expect(await page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe(ownModel)
    await page.getByText('Available, loaded').waitFor()
    await page.getByText('Free', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Model' }).fill('gpt')
    await page.getByRole('option', { name: cloudModel }).click()
    await page.waitForURL(`**${askingCloud}`)
    await page.getByText('$0.15 in', { exact: true }).waitFor()
    await page.getByText('128,000 tokens').waitFor()
    await page.reload()
    await waitForPlayground(page)
    expect(await page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe(cloudModel)
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

  test('works by keyboard: Ctrl+Enter sends, and Escape aborts the call of the provider', async () => {
    await using visit = await models.tutti.visit({ path: askingCloud })
    const { page } = visit
    await waitForPlayground(page)
    models.openai.script({ steps: [{ text: 'One, two,' }, 'hang'] })
    await page.getByLabel('Message').fill('Count.')
    await page.keyboard.press('Control+Enter')
    const answer = lastAnswer(page)
    await answer.getByText('One, two,').waitFor()
    await page.keyboard.press('Escape')
    expect(await (await findChat('Count.')).closed).toBe(true)
    await answer.getByText('Stopped', { exact: true }).waitFor()
    await expect.poll(() => factOf(answer, 'Cost').innerText()).toMatch(/^\$0\.0\d+ at most$/)
    // The partial response is part of the conversation, and the focus stays in the prompt field.
    await page.keyboard.type('Go on.')
    models.openai.script({ steps: [{ text: 'three.' }] })
    await page.keyboard.press('Control+Enter')
    await lastAnswer(page).getByText('three.').waitFor()
    expect((await findChat('Go on.')).body['messages']).toMatchObject([
      { content: 'Count.' },
      { content: 'One, two,' },
      { content: 'Go on.' },
    ])
  })

  test('stops by its button, also before the first word', async () => {
    await using visit = await models.tutti.visit({ path: askingCloud })
    const { page } = visit
    await waitForPlayground(page)
    models.openai.script('hang')
    await ask(page, 'Anybody?')
    await lastAnswer(page).getByText('Waiting for the first token').waitFor()
    const asked = await findChat('Anybody?')
    await page.getByRole('button', { name: 'Stop' }).click()
    await lastAnswer(page).getByText('Stopped before the first token').waitFor()
    expect(await asked.closed).toBe(true)
    await page.getByRole('button', { name: 'Send' }).waitFor()
  })

  test('shows in place what failed and how to fix it, and retries', async () => {
    await using visit = await models.tutti.visit({ path: askingCloud })
    const { page } = visit
    await waitForPlayground(page)
    models.openai.script({ status: 503, message: 'Overloaded.' })
    await ask(page, 'Are you there?')
    const alert = lastAnswer(page).getByRole('alert')
    await alert.getByText('The request failed.').waitFor()
    await alert.getByText(/set a fallback/).waitFor()
    await alert.getByRole('button', { name: 'Copy request ID' }).waitFor()
    models.openai.script({ steps: [{ text: 'Yes, I' }, 'cut'] }, { steps: [{ text: 'Yes.' }] })
    await alert.getByRole('button', { name: 'Retry' }).click()
    await lastAnswer(page).getByText('The response was interrupted.').waitFor()
    await lastAnswer(page).getByText('Yes, I').waitFor()
    await lastAnswer(page).getByRole('button', { name: 'Retry' }).click()
    await lastAnswer(page).getByText('Yes.').waitFor()
    expect(await page.getByRole('list', { name: 'Conversation' }).getByText('Are you there?').count()).toBe(1)
    await page.getByLabel('Temperature', { exact: true }).fill('7')
    await ask(page, 'Really?')
    await page.getByText('Must be at most 2.', { exact: true }).waitFor()
    await lastAnswer(page).getByText('Fix the named setting and retry.').waitFor()
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

/** The request that the provider got for a question. */
async function findChat(question: string): Promise<ReceivedRequest> {
  const find = () =>
    models.openai.requests.find(({ body }) => JSON.stringify(body['messages'] ?? '').includes(question))
  await expect.poll(find).toBeDefined()
  const found = find()
  if (found === undefined) throw new Error(`no request contains ${question}`)
  return found
}

test('on a machine without a model, the first response is one click away and names its source', async () => {
  await using tutti = await openConsole()
  const person = await addPerson(tutti.platform, 'nora')
  await using visit = await visitAs(tutti, person, '/playground')
  const { page, complaints } = visit
  await waitForPlayground(page)
  expect(await page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe('builtin:text')
  await page.getByText('This is not a language model.').waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  const answer = lastAnswer(page)
  await answer.getByText('It is no language model: it writes nothing of its own.', { exact: false }).waitFor()
  await answer.getByText('Readability', { exact: true }).waitFor()
  await expect.poll(() => factOf(answer, 'Cost').innerText()).toBe('free')
  await answer.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => factOf(lastAnswer(page), 'Cache').innerText()).toBe('hit')
  await expect.poll(() => factOf(lastAnswer(page), 'Cost').innerText()).toBe('free')
  expect(complaints.filter(isNoEarlyRead)).toEqual([])
})
