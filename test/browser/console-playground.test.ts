import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, visitAs } from './administer.ts'
import { openConsole } from './console-under-test.ts'
import {
  ask,
  cloudModel,
  factOf,
  findChat,
  lastAnswer,
  type ModelsUnderTest,
  openModels,
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
    expect(await (await findChat(models, 'Count.')).closed).toBe(true)
    await answer.getByText('Stopped', { exact: true }).waitFor()
    await expect.poll(() => factOf(answer, 'Cost').innerText()).toMatch(/^\$0\.0\d+ at most$/)
    // The partial response is part of the conversation, and the focus stays in the prompt field.
    await page.keyboard.type('Go on.')
    models.openai.script({ steps: [{ text: 'three.' }] })
    await page.keyboard.press('Control+Enter')
    await lastAnswer(page).getByText('three.').waitFor()
    expect((await findChat(models, 'Go on.')).body['messages']).toMatchObject([
      { content: 'Count.' },
      { content: 'One, two,' },
      { content: 'Go on.' },
    ])
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
    const questions = page.getByRole('list', { name: 'Conversation' }).getByText('Are you there?')
    await expect.poll(() => questions.count()).toBe(1)
    await page.getByLabel('Temperature', { exact: true }).fill('7')
    await ask(page, 'Really?')
    await page.getByText('Must be at most 2.', { exact: true }).waitFor()
    await lastAnswer(page).getByText('Fix the named setting and retry.').waitFor()
  })
})

test('on a machine without a model, the first response is one click away and names its source', async () => {
  await using tutti = await openConsole()
  const person = await addPerson(tutti.platform, 'nora')
  await using visit = await visitAs(tutti, person, '/playground')
  const { page, complaints } = visit
  await waitForPlayground(page)
  await expect.poll(() => page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe('builtin:text')
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
