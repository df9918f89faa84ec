import { describe, expect, test } from 'vitest'
import type { ProviderName } from '../providers/provider.ts'
import { findCandidates, type Wish } from './candidates.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { DefaultModels } from './default-chain.ts'

function entry(
  provider: ProviderName,
  id: string,
  fields: Partial<CatalogueEntry['model']> = {},
): CatalogueEntry {
  return {
    provider,
    price: { source: 'unpriced' },
    model: {
      id,
      ownedBy: 'library',
      created: null,
      available: true,
      loaded: false,
      nodes: [],
      size: null,
      capabilities: ['completion'],
      contextLength: null,
      maxOutputTokens: null,
      ...fields,
    },
  }
}

const entries = [
  entry('ollama', 'zephyr:7b', { loaded: true }),
  entry('ollama', 'gemma3:4b'),
  entry('ollama', 'asleep:1b', { available: false, loaded: false }),
  entry('ollama', 'nadia/tuned:latest'),
  entry('ollama', 'openai/oddly-named'),
  entry('ollama', 'shared'),
  entry('ollama', 'bge-m3', { capabilities: ['embedding'], loaded: true }),
  entry('openai', 'gpt-4o-mini', { capabilities: [] }),
  entry('openai', 'oddly-named'),
  entry('openai', 'shared'),
  entry('anthropic', 'claude-haiku'),
  entry('builtin', 'builtin:text'),
]

const noDefaults: DefaultModels = {
  defaultModel: undefined,
  openaiDefaultModel: undefined,
  anthropicDefaultModel: undefined,
}
const clouds: DefaultModels = {
  ...noDefaults,
  openaiDefaultModel: 'gpt-4o-mini',
  anthropicDefaultModel: 'claude-haiku',
}
const completion = { capability: 'completion', runtimeFields: [] } as const

function namesOf(wish: Partial<Wish>, defaults = noDefaults, among = entries): string[] {
  const found = findCandidates(
    { model: 'auto', fallback: 'none', need: completion, ...wish },
    among,
    defaults,
  )
  return found.map(({ provider, model }) => `${provider} ${model.id}`)
}

describe('a name', () => {
  test.each([
    ['gemma3:4b', 'ollama gemma3:4b'],
    ['Gemma3:4B', 'ollama gemma3:4b'],
    ['nadia/tuned', 'ollama nadia/tuned:latest'],
    ['ollama/nadia/tuned', 'ollama nadia/tuned:latest'],
    ['openai/gpt-4o-mini', 'openai gpt-4o-mini'],
    ['gpt-4o-mini', 'openai gpt-4o-mini'],
    ['shared', 'ollama shared'],
    ['openai/shared', 'openai shared'],
    ['builtin:text', 'builtin builtin:text'],
    ['asleep:1b', 'ollama asleep:1b'],
  ])('%s means %s', (model, found) => {
    expect(namesOf({ model })).toEqual([found])
  })

  test('that is an id of the catalogue is not read as a provider and an id', () => {
    expect(namesOf({ model: 'openai/oddly-named' })).toEqual(['ollama openai/oddly-named'])
  })

  test.each(['gpt-5', 'openai/gemma3:4b', 'GPT-4o-mini', '', '/', 'openai/', 'constructor'])(
    '%j, which nobody has, is told so',
    (model) => {
      expect(() => namesOf({ model })).toThrow(
        expect.objectContaining({
          code: 'model_not_found',
          message: `Nobody here has the model "${model}".`,
        }),
      )
    },
  )
})

describe('auto', () => {
  test('is a model of the cluster that is loaded, else the first by name, and never one that is away', () => {
    expect(namesOf({})).toEqual(['ollama zephyr:7b'])
    const unloaded = entries.filter(({ model }) => !model.loaded)
    expect(namesOf({}, clouds, unloaded)).toEqual(['ollama gemma3:4b'])
  })

  test('is the cloud without a cluster, and what needs nothing without a cloud', () => {
    const away = entries.filter(({ provider, model }) => provider !== 'ollama' || !model.available)
    expect(namesOf({}, clouds, away)).toEqual(['openai gpt-4o-mini'])
    expect(namesOf({}, { ...clouds, openaiDefaultModel: undefined }, away)).toEqual([
      'anthropic claude-haiku',
    ])
    expect(namesOf({}, { ...clouds, openaiDefaultModel: 'gone' }, away)).toEqual(['anthropic claude-haiku'])
    expect(namesOf({}, noDefaults, away)).toEqual(['builtin builtin:text'])
  })

  test('is the default model when one is chosen, and says so when nobody has it', () => {
    expect(namesOf({}, { ...noDefaults, defaultModel: 'openai/shared' })).toEqual(['openai shared'])
    expect(() => namesOf({}, { ...noDefaults, defaultModel: 'gone' })).toThrow(
      'Nobody here has the model "gone", which `auto` stands for.',
    )
    expect(namesOf({ fallback: 'any' }, { ...noDefaults, defaultModel: 'gone' })[0]).toBe('ollama zephyr:7b')
  })

  test('for embeddings is a model that makes them, whatever the default model is', () => {
    const need = { capability: 'embedding', runtimeFields: [] } as const
    expect(namesOf({ need }, { ...clouds, defaultModel: 'gemma3:4b' })).toEqual(['ollama bge-m3'])
    const without = entries.filter(({ model }) => model.id !== 'bge-m3' && model.capabilities.length > 0)
    expect(() => namesOf({ need }, noDefaults, without)).toThrow(
      'No model that is available here can do this.',
    )
  })
})

describe('fallback', () => {
  test('to any goes to the same model elsewhere and then down the chain, each once', () => {
    expect(namesOf({ model: 'shared', fallback: 'any' }, clouds)).toEqual([
      'ollama shared',
      'openai shared',
      'ollama zephyr:7b',
      'openai gpt-4o-mini',
      'anthropic claude-haiku',
      'builtin builtin:text',
    ])
    expect(namesOf({ model: 'auto', fallback: 'any' }, { ...clouds, defaultModel: 'gpt-4o-mini' })).toEqual([
      'openai gpt-4o-mini',
      'ollama zephyr:7b',
      'anthropic claude-haiku',
      'builtin builtin:text',
    ])
  })

  test('to a list goes through it in its order and passes over what nobody has', () => {
    const fallback = ['claude-haiku', 'gone', 'gemma3:4b', 'auto', 'openai/shared']
    expect(namesOf({ model: 'shared', fallback })).toEqual([
      'ollama shared',
      'anthropic claude-haiku',
      'ollama gemma3:4b',
      'ollama zephyr:7b',
      'openai shared',
    ])
  })

  test('answers for a model that nobody has', () => {
    expect(namesOf({ model: 'gone', fallback: ['gemma3:4b'] })).toEqual(['ollama gemma3:4b'])
  })
})

describe('a preferred provider', () => {
  test('answers first when it is all the same to the caller, in the order of the preference', () => {
    expect(namesOf({ preferred: ['anthropic', 'openai'] }, clouds)).toEqual(['anthropic claude-haiku'])
    expect(namesOf({ preferred: ['anthropic', 'openai'], fallback: 'any' }, clouds)).toEqual([
      'anthropic claude-haiku',
      'openai gpt-4o-mini',
      'ollama zephyr:7b',
      'builtin builtin:text',
    ])
    const defaults = { ...clouds, defaultModel: 'gemma3:4b' }
    expect(namesOf({ preferred: ['openai'] }, defaults)).toEqual(['openai gpt-4o-mini'])
    expect(namesOf({ preferred: ['builtin'] }, defaults)).toEqual(['builtin builtin:text'])
  })

  test('that has no model to answer with changes nothing', () => {
    expect(namesOf({ preferred: ['anthropic', 'nobody'] })).toEqual(['ollama zephyr:7b'])
  })

  test('does not stand in for a model that was asked for by name', () => {
    expect(namesOf({ model: 'gemma3:4b', preferred: ['openai'] }, clouds)).toEqual(['ollama gemma3:4b'])
    expect(namesOf({ model: 'gemma3:4b', preferred: ['openai'], fallback: 'any' }, clouds)).toEqual([
      'ollama gemma3:4b',
      'openai gpt-4o-mini',
      'ollama zephyr:7b',
      'anthropic claude-haiku',
      'builtin builtin:text',
    ])
  })
})

describe('an avoided provider', () => {
  const avoided = new Set(['ollama'])

  test('is not asked, by name or by default', () => {
    expect(namesOf({ avoided }, clouds)).toEqual(['openai gpt-4o-mini'])
    expect(namesOf({ model: 'shared', avoided }, clouds)).toEqual(['openai shared'])
    expect(namesOf({ model: 'gemma3:4b', fallback: 'any', avoided }, clouds)).toEqual([
      'openai gpt-4o-mini',
      'anthropic claude-haiku',
      'builtin builtin:text',
    ])
  })

  test('is named when nobody else can answer', () => {
    expect(() => namesOf({ model: 'gemma3:4b', avoided }, clouds)).toThrow(
      expect.objectContaining({
        code: 'provider_unavailable',
        message: 'Nobody but ollama can answer for the model "gemma3:4b", and that is not to be asked.',
        details: { model: 'gemma3:4b', avoided: ['ollama'] },
      }),
    )
  })
})

describe('what a call asks of a model', () => {
  test('decides who can be asked', () => {
    expect(() => namesOf({ model: 'bge-m3' })).toThrow(
      expect.objectContaining({ code: 'unsupported', message: 'The model "bge-m3" cannot write text.' }),
    )
    expect(namesOf({ model: 'bge-m3', fallback: ['gemma3:4b'] })).toEqual(['ollama gemma3:4b'])
  })

  test('keeps fields that only nodes understand with the nodes', () => {
    const need = { capability: 'completion', runtimeFields: ['keep_alive', 'think'] } as const
    expect(() => namesOf({ model: 'gpt-4o-mini', need })).toThrow(
      'Only nodes of the cluster understand keep_alive, think, and "gpt-4o-mini" is a model of openai.',
    )
    expect(namesOf({ model: 'shared', fallback: 'any', need }, clouds)).toEqual([
      'ollama shared',
      'ollama zephyr:7b',
    ])
  })
})
