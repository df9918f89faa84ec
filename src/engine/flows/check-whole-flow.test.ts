import { expect, test } from 'vitest'
import type { CatalogueEntry } from '#models'
import type { Step } from '../definition/step-types.ts'
import { checkWholeFlow, findModelWarnings } from './check-whole-flow.ts'

function entry(
  provider: CatalogueEntry['provider'],
  id: string,
  price: CatalogueEntry['price'],
  capabilities: readonly string[] = [],
  available = true,
): CatalogueEntry {
  const model = {
    id,
    ownedBy: 'library',
    created: null,
    available,
    loaded: false,
    nodes: [],
    size: null,
    capabilities,
    contextLength: null,
    maxOutputTokens: null,
  }
  return { provider, model, price }
}

const models = [
  entry('ollama', 'gemma3:4b', { source: 'unpriced' }, ['completion']),
  entry('ollama', 'bge-m3', { source: 'unpriced' }, ['embedding']),
  entry('openai', 'gpt-4o-mini', {
    source: 'table',
    version: '1',
    prices: { input: 1, cachedInput: 1, output: 1 },
  }),
]
const asking = (model?: string): Step => ({
  id: 'a',
  type: 'ai_prompt',
  prompt: 'Hello',
  ...(model !== undefined && { ai_options: { model } }),
})

test('null for an optional field of a step means that it is absent, also inside containers', async () => {
  const call = {
    id: 'call',
    type: 'external_api',
    label: null,
    api: { url: 'https://api.example.com/', headers: null, method: null, body: { kept: null } },
  }
  const inner = { id: 'inner', type: 'for_each', items: '{{item}}', as: null, steps: [call] }
  const definition = {
    id: 'flow',
    label: 'A flow',
    steps: [{ id: 'outer', type: 'for_each', items: '{{context.list}}', concurrency: null, steps: [inner] }],
  }
  const checked = await checkWholeFlow({ definition }, {})
  expect(checked.problems).toEqual([])
  expect(checked.definition?.steps).toEqual([
    {
      id: 'outer',
      type: 'for_each',
      items: '{{context.list}}',
      steps: [
        {
          id: 'inner',
          type: 'for_each',
          items: '{{item}}',
          steps: [
            {
              id: 'call',
              type: 'external_api',
              api: { url: 'https://api.example.com/', body: { kept: null } },
            },
          ],
        },
      ],
    },
  ])
  const required = { ...definition, steps: [{ id: 'a', type: 'for_each', items: null, steps: [call] }] }
  expect((await checkWholeFlow({ definition: required }, {})).problems).toMatchObject([
    { path: 'steps[0].items' },
  ])
})

test('a route may be named in place of a model', () => {
  expect(findModelWarnings([asking('quick'), asking('gpt-4o-mini')], models, new Set(['quick']))).toEqual([])
})

test('a model that is gone is reported, unless another provider has it', () => {
  const gone = entry('ollama', 'llama3', { source: 'unpriced' }, [], false)
  expect(findModelWarnings([asking('llama3')], [gone])).toMatchObject([
    { path: 'steps[0].ai_options.model', code: 'unavailable_model' },
  ])
  const elsewhere = entry('openai', 'llama3', { source: 'free' } as never)
  expect(findModelWarnings([asking('llama3')], [gone, elsewhere])).toEqual([])
})

test('unknown models, models without a price and models that generate no text are reported with their path', () => {
  const steps = [
    asking(),
    asking('auto'),
    asking('openai/gpt-4o-mini'),
    asking('gemma3:4b'),
    asking('gpt-9'),
    asking('bge-m3'),
  ]
  expect(findModelWarnings(steps, models)).toEqual([
    {
      path: 'steps[3].ai_options.model',
      message: 'the model "gemma3:4b" of ollama has no price: budgets do not limit it until a price is set',
      code: 'unpriced_model',
    },
    {
      path: 'steps[4].ai_options.model',
      message: 'no provider offers the model "gpt-9": the step fails until one does',
      code: 'unknown_model',
    },
    {
      path: 'steps[5].ai_options.model',
      message: 'the model "bge-m3" cannot generate text: the step fails',
      code: 'unsuitable_model',
    },
  ])
})
