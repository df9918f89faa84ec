import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import type { OpenPlatformOptions } from '../support/platform.ts'
import type { ReceivedRequest } from '../support/scripted-server.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'

export const ownModel = 'gemma3:4b'
export const cloudModel = 'gpt-4o-mini'
export const rightKey = 'sk-test-that-is-right-0abc'

/** A console with a model in its cluster, and a fake OpenAI server with the prices of OpenAI. */
export interface ModelsUnderTest extends AsyncDisposable {
  readonly tutti: ConsoleUnderTest
  readonly node: ModelNode
  readonly openai: OpenAiServer
}

export async function openModels(
  environment: Readonly<Record<string, string>> = { OPENAI_API_KEY: rightKey },
  options: OpenPlatformOptions = {},
): Promise<ModelsUnderTest> {
  await using opening = new AsyncDisposableStack()
  const node = opening.use(await startModelNode({ models: [ownModel], loaded: [ownModel] }))
  const openai = opening.use(await startOpenAiServer({ apiKey: rightKey }))
  const tutti = opening.use(
    await openConsole(
      {
        CLUSTER_NODES: node.url,
        HEALTH_CHECK_INTERVAL: '300',
        OPENAI_BASE_URL: openai.baseUrl,
        OPENAI_PRICE_LIST: 'openai',
        ...environment,
      },
      options,
    ),
  )
  const opened = opening.move()
  return { tutti, node, openai, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Waits until the Playground has loaded the models. */
export async function waitForPlayground(page: Page): Promise<void> {
  await waitForPage(page, 'Playground')
  await page
    .getByText(/^Available/)
    .first()
    .waitFor()
}

export async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Message').fill(question)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** The last response. */
export function lastAnswer(page: Page): Locator {
  return page
    .getByRole('list', { name: 'Conversation' })
    .getByRole('region', { name: /^Answer from / })
    .last()
}

/** The stats below a response, by name. */
export function factOf(answer: Locator, name: string): Locator {
  return answer
    .locator('dl > div')
    .filter({ has: answer.page().getByText(name, { exact: true }) })
    .locator('dd')
}

/** The request that the provider got for a question. */
export async function findChat({ openai }: ModelsUnderTest, question: string): Promise<ReceivedRequest> {
  const find = () =>
    openai.requests.find(({ body }) => JSON.stringify(body['messages'] ?? '').includes(question))
  await expect.poll(find).toBeDefined()
  const found = find()
  if (found === undefined) throw new Error(`no request contains ${question}`)
  return found
}
