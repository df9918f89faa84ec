import { expect, test } from 'vitest'
import { rulesOf } from '#engine'
import { readSettings } from '#kernel/config'
import { createEncryption, encryptionSettings } from '#kernel/encryption'
import { createEvents } from '#kernel/events'
import { perCaller } from '#kernel/http'
import { createLimiter } from '#kernel/limits'
import { createOutbound } from '#kernel/outbound'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createModels, modelsSettings } from '#models'
import { findModelWarnings } from '../../src/engine/flows/check-whole-flow.ts'
import { createStepExecutor } from '../../src/engine/steps/run-step.ts'
import { startOpenAiServer } from '../support/openai-server.ts'
import { createTestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })
const metrics = createMetrics({ watchProcess: false })
const many = { limit: 1000, windowSeconds: 3600 }

/** The models of the platform, with a fake OpenAI server and no cluster. */
async function openModels(baseUrl: string) {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase())
  const nowhere = { url: 'http://127.0.0.1:9', apiKey: undefined }
  const models = closing.use(
    await createModels({
      database,
      events: closing.use(createEvents({ database, log, metrics })),
      encryption: createEncryption({ settings: readSettings(encryptionSettings, {}), database, dataDir: '' }),
      tiers: {
        limitsOfTier: () => ({
          requestsPerHour: 1000,
          concurrentWorkflows: 10,
          microDollarsPerDay: 1_000_000,
        }),
        requestsPerHour: perCaller({ name: 'test', signedIn: many, anonymous: many }),
      },
      limiter: closing.use(createLimiter({ database, log, metrics })),
      cluster: undefined,
      clusterService: nowhere,
      settings: readSettings(modelsSettings, {
        OPENAI_BASE_URL: baseUrl,
        OPENAI_PRICE_LIST: 'openai',
        OPENAI_DEFAULT_MODEL: 'gpt-4o-mini',
        RUNTIME_NODE_URL: nowhere.url,
      }),
      log,
      metrics,
    }),
  )
  const opened = closing.move()
  return { models, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test('the public API of models has all that a step needs', async () => {
  await using openai = await startOpenAiServer()
  await using opened = await openModels(openai.baseUrl)
  const { models } = opened

  expect(await models.findModel('auto')).toMatchObject({
    provider: 'openai',
    model: { id: 'gpt-4o-mini' },
    price: { source: 'table' },
  })
  expect(await models.findModel('auto', { preferred: ['builtin'] })).toMatchObject({ provider: 'builtin' })
  expect(await models.findModel('builtin:text')).toMatchObject({ price: { source: 'free' } })
  expect(await models.findModel('gpt-9')).toBeUndefined()

  const step = {
    id: 'ask',
    type: 'ai_prompt',
    prompt: 'Why is the sky blue?',
    ai_options: { model: 'gpt-4o-mini', max_tokens: 100 },
  } as const
  expect(findModelWarnings([step], await models.catalogue.find())).toEqual([])

  const run = createStepExecutor({
    ...models,
    outbound: createOutbound({ allow: [], log }),
    providerNames: () => models.providers.names(),
  })
  const { output, usage } = await run({
    step,
    path: 'ask',
    executionId: 'e1',
    accountId: 'ada',
    flow: { id: 'asking', version: 1 },
    item: 0,
    attempt: 1,
    scope: { context: {}, memory: {}, steps: {} },
    wait: () => Promise.reject(new Error('The step must not wait.')),
    failedProducerOf: () => undefined,
    rules: rulesOf({}, { context: {}, options: {} }, new Date()),
    avoidedProviders: new Set(),
    signal: new AbortController().signal,
    budget: models.accountBudgetOf({ accountId: 'ada', microDollarsPerDay: 1_000_000 }),
    onToken: () => {},
    onPhase: () => {},
    log: () => {},
  })
  expect(output).toBe('The sky is blue.')
  expect(usage).toMatchObject({ provider: 'openai', model: 'gpt-4o-mini', inputTokens: 11, outputTokens: 5 })
  expect(usage.microDollars).toBeGreaterThan(0)
})
