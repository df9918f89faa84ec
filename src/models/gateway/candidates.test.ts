import { describe, expect, test } from 'vitest'
import type { ProviderName } from '../providers/provider.ts'
import type { Routing } from '../routing/resolve-route.ts'
import type { RouteDefinition } from '../routing/route.ts'
import { type CandidateQuery, findCandidates } from './candidates.ts'
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

/** These routes, by chance always with the first target. */
function routing(definitions: Readonly<Record<string, RouteDefinition>>): Routing {
  const routes = Object.entries(definitions).map(
    ([name, definition]) =>
      [name, { name, version: 2, definition, updatedAt: new Date(0), updatedBy: null }] as const,
  )
  return {
    routes: new Map(routes),
    order: { measuredMs: () => undefined, measured: 'first_token', random: () => 0 },
  }
}

const to = (...models: string[]): RouteDefinition => ({
  strategy: 'fallback',
  targets: models.map((model) => ({ model })),
})

const noDefaults: DefaultModels = {
  defaultModel: undefined,
  ofProviders: new Map(),
}
const clouds: DefaultModels = {
  ...noDefaults,
  ofProviders: new Map([
    ['openai', 'gpt-4o-mini'],
    ['anthropic', 'claude-haiku'],
  ]),
}
const completion = { capability: 'completion', runtimeFields: [] } as const

function namesOf(query: Partial<CandidateQuery>, defaults = noDefaults, among = entries): string[] {
  const found = findCandidates(
    { model: 'auto', fallback: 'none', requirements: completion, ...query },
    among,
    defaults,
  )
  return found.entries.map(({ provider, model }) => `${provider} ${model.id}`)
}

describe('a model name', () => {
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

  test('that is a catalogue id is not parsed as provider and id', () => {
    expect(namesOf({ model: 'openai/oddly-named' })).toEqual(['ollama openai/oddly-named'])
  })

  test.each(['gpt-5', 'openai/gemma3:4b', 'GPT-4o-mini', '', '/', 'openai/', 'constructor'])(
    '%j, which no provider has, is reported as not found',
    (model) => {
      expect(() => namesOf({ model })).toThrow(
        expect.objectContaining({
          code: 'model_not_found',
          message: `The model "${model}" was not found.`,
        }),
      )
    },
  )
})

describe('auto', () => {
  test('is a loaded model of the cluster, else the first by name, never an unavailable one', () => {
    expect(namesOf({})).toEqual(['ollama zephyr:7b'])
    const unloaded = entries.filter(({ model }) => !model.loaded)
    expect(namesOf({}, clouds, unloaded)).toEqual(['ollama gemma3:4b'])
  })

  test('is a cloud model without a cluster, and the built-in model without a cloud', () => {
    const away = entries.filter(({ provider, model }) => provider !== 'ollama' || !model.available)
    expect(namesOf({}, clouds, away)).toEqual(['openai gpt-4o-mini'])
    expect(namesOf({}, { ...clouds, ofProviders: new Map([['anthropic', 'claude-haiku']]) }, away)).toEqual([
      'anthropic claude-haiku',
    ])
    expect(
      namesOf({}, { ...clouds, ofProviders: new Map([...clouds.ofProviders, ['openai', 'gone']]) }, away),
    ).toEqual(['anthropic claude-haiku'])
    expect(namesOf({}, noDefaults, away)).toEqual(['builtin builtin:text'])
  })

  test('is the configured default model, whose absence is reported', () => {
    expect(namesOf({}, { ...noDefaults, defaultModel: 'openai/shared' })).toEqual(['openai shared'])
    expect(() => namesOf({}, { ...noDefaults, defaultModel: 'gone' })).toThrow(
      'The default model "gone" (TUTTI_DEFAULT_MODEL), which `auto` stands for, was not found.',
    )
    expect(namesOf({ fallback: 'any' }, { ...noDefaults, defaultModel: 'gone' })[0]).toBe('ollama zephyr:7b')
  })

  test('is an embedding model for embeddings, whatever the default model is', () => {
    const requirements = { capability: 'embedding', runtimeFields: [] } as const
    expect(namesOf({ requirements }, { ...clouds, defaultModel: 'gemma3:4b' })).toEqual(['ollama bge-m3'])
    const without = entries.filter(({ model }) => model.id !== 'bge-m3' && model.capabilities.length > 0)
    expect(() => namesOf({ requirements }, noDefaults, without)).toThrow(
      'No available model supports this call.',
    )
  })
})

describe('fallback', () => {
  test('to any tries the same model at other providers, then the default chain, each once', () => {
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

  test('to a list tries its models in order and ignores unknown names', () => {
    const fallback = ['claude-haiku', 'gone', 'gemma3:4b', 'auto', 'openai/shared']
    expect(namesOf({ model: 'shared', fallback })).toEqual([
      'ollama shared',
      'anthropic claude-haiku',
      'ollama gemma3:4b',
      'ollama zephyr:7b',
      'openai shared',
    ])
  })

  test('replaces a requested model that does not exist', () => {
    expect(namesOf({ model: 'gone', fallback: ['gemma3:4b'] })).toEqual(['ollama gemma3:4b'])
  })
})

describe('a preferred provider', () => {
  test('comes first in the default chain, in the order of the preference', () => {
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

  test('without a suitable model changes nothing', () => {
    expect(namesOf({ preferred: ['anthropic', 'unknown'] })).toEqual(['ollama zephyr:7b'])
  })

  test('does not replace a model requested by name', () => {
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

  test('is excluded, by name and by default', () => {
    expect(namesOf({ avoided }, clouds)).toEqual(['openai gpt-4o-mini'])
    expect(namesOf({ model: 'shared', avoided }, clouds)).toEqual(['openai shared'])
    expect(namesOf({ model: 'gemma3:4b', fallback: 'any', avoided }, clouds)).toEqual([
      'openai gpt-4o-mini',
      'anthropic claude-haiku',
      'builtin builtin:text',
    ])
  })

  test('is named when no other provider has the model', () => {
    expect(() => namesOf({ model: 'gemma3:4b', avoided }, clouds)).toThrow(
      expect.objectContaining({
        code: 'provider_unavailable',
        message: 'No provider besides the excluded ones (ollama) has the model "gemma3:4b".',
        details: { model: 'gemma3:4b', avoided: ['ollama'] },
      }),
    )
  })
})

describe('the requirements of a call', () => {
  test('exclude models without the capability', () => {
    expect(() => namesOf({ model: 'bge-m3' })).toThrow(
      expect.objectContaining({ code: 'unsupported', message: 'The model "bge-m3" cannot generate text.' }),
    )
    expect(namesOf({ model: 'bge-m3', fallback: ['gemma3:4b'] })).toEqual(['ollama gemma3:4b'])
  })

  test('exclude other providers when a field is for nodes only', () => {
    const requirements = { capability: 'completion', runtimeFields: ['keep_alive', 'think'] } as const
    expect(() => namesOf({ model: 'gpt-4o-mini', requirements })).toThrow(
      'Only nodes of the cluster support keep_alive, think, and "gpt-4o-mini" is a model of openai.',
    )
    expect(namesOf({ model: 'shared', fallback: 'any', requirements }, clouds)).toEqual([
      'ollama shared',
      'ollama zephyr:7b',
    ])
  })
})

const only = (...models: string[]) => ({ limits: { models } })

describe('an API key with allowed models', () => {
  test('gets only those, also for auto and fallbacks', () => {
    expect(namesOf({ ...only('claude*', 'builtin:text'), model: 'auto' }, clouds)).toEqual([
      'anthropic claude-haiku',
    ])
    expect(namesOf({ ...only('gemma3:4b', 'claude*'), model: 'gemma3:4b', fallback: 'any' }, clouds)).toEqual(
      ['ollama gemma3:4b', 'anthropic claude-haiku'],
    )
    expect(
      namesOf({ ...only('gemma3:4b', 'zephyr:7b'), model: 'gemma3:4b', fallback: ['shared', 'zephyr:7b'] }),
    ).toEqual(['ollama gemma3:4b', 'ollama zephyr:7b'])
  })

  test('gets an id of several providers at the allowed one', () => {
    const found = findCandidates(
      { ...only('openai/shared'), model: 'shared', fallback: 'any', requirements: completion },
      entries,
      noDefaults,
    )
    expect(found.entries.map(({ provider }) => provider)).toEqual(['openai'])
  })

  test('is refused a model outside the list, whatever the fallback', () => {
    for (const fallback of ['none', 'any', ['gemma3:4b']] as const) {
      expect(() => namesOf({ ...only('gemma3:4b'), model: 'shared', fallback })).toThrow(
        expect.objectContaining({ code: 'model_not_allowed', status: 403 }),
      )
    }
    expect(() => namesOf({ ...only('gemma3:4b'), model: 'missing' })).toThrow(
      expect.objectContaining({ code: 'model_not_found' }),
    )
  })

  test('gets the chain for auto when the default model is not allowed, and a refusal when nothing is', () => {
    const defaults = { ...clouds, defaultModel: 'gemma3:4b' }
    expect(namesOf({ ...only('openai/gpt*'), model: 'auto' }, defaults)).toEqual(['openai gpt-4o-mini'])
    expect(() => namesOf({ ...only('nothing'), model: 'auto' }, defaults)).toThrow(
      expect.objectContaining({ code: 'model_not_allowed' }),
    )
    const missing = { ...clouds, defaultModel: 'missing' }
    expect(() => namesOf({ ...only('openai/*'), model: 'auto' }, missing)).toThrow('TUTTI_DEFAULT_MODEL')
  })
})

describe('a route', () => {
  const routes = routing({
    quick: to('claude-haiku', 'gone', 'openai/shared', 'claude-haiku'),
    split: {
      strategy: 'weighted',
      targets: [
        { model: 'gpt-4o-mini', weight: 0 },
        { model: 'gemma3:4b', weight: 3 },
      ],
      retries: 2,
    },
    shared: to('gemma3:4b'),
    nested: to('quick', 'gemma3:4b'),
    gone: to('missing', 'missing too'),
    vectors: to('missing', 'bge-m3'),
  })
  const candidates = (query: Partial<CandidateQuery>, defaults = noDefaults) =>
    findCandidates(
      { model: 'quick', fallback: 'none', requirements: completion, ...query },
      entries,
      defaults,
      routes,
    )
  const names = (query: Partial<CandidateQuery>, defaults = noDefaults) =>
    candidates(query, defaults).entries.map(({ provider, model }) => `${provider} ${model.id}`)

  test('gives its targets in the order of its strategy, each once; unknown ones are ignored', () => {
    expect(names({})).toEqual(['anthropic claude-haiku', 'openai shared'])
    expect(names({ model: 'split' })).toEqual(['ollama gemma3:4b', 'openai gpt-4o-mini'])
    expect(candidates({ model: 'split' }).route).toMatchObject({
      name: 'split',
      version: 2,
      strategy: 'weighted',
      reason: 'weight 100 %',
      retries: 2,
    })
  })

  test('takes precedence over a model, which is still called with its provider', () => {
    expect(names({ model: 'shared' })).toEqual(['ollama gemma3:4b'])
    expect(names({ model: 'openai/shared' })).toEqual(['openai shared'])
    expect(candidates({ model: 'openai/shared' }).route).toBeUndefined()
  })

  test('leads to models, never to routes', () => {
    expect(names({ model: 'nested' })).toEqual(['ollama gemma3:4b'])
  })

  test('may be named in a fallback list, with its own fallbacks after its targets', () => {
    expect(names({ fallback: ['gemma3:4b'] })).toEqual([
      'anthropic claude-haiku',
      'openai shared',
      'ollama gemma3:4b',
    ])
    expect(names({ model: 'gpt-4o-mini', fallback: ['quick', 'builtin:text'] })).toEqual([
      'openai gpt-4o-mini',
      'anthropic claude-haiku',
      'openai shared',
      'builtin builtin:text',
    ])
    expect(names({ fallback: 'any' })).toEqual([
      'anthropic claude-haiku',
      'openai shared',
      'ollama zephyr:7b',
      'builtin builtin:text',
    ])
  })

  test('may be the default model', () => {
    const defaults = { ...noDefaults, defaultModel: 'quick' }
    expect(names({ model: 'auto' }, defaults)).toEqual(['anthropic claude-haiku', 'openai shared'])
    expect(candidates({ model: 'auto' }, defaults).route?.name).toBe('quick')
    expect(names({ model: 'auto', preferred: ['openai'] }, { ...clouds, defaultModel: 'quick' })).toEqual([
      'openai shared',
    ])
    expect(() => names({ model: 'auto' }, { ...noDefaults, defaultModel: 'gone' })).toThrow(
      'The route "gone" has no model for this call.',
    )
  })

  test('without a target that can handle the call is refused with the reason of its first one', () => {
    expect(() => names({ model: 'gone' })).toThrow(
      expect.objectContaining({
        code: 'model_not_found',
        message: 'The route "gone" has no model for this call. The model "missing" was not found.',
      }),
    )
    expect(() => names({ model: 'vectors' })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: 'The route "vectors" has no model for this call. The model "bge-m3" cannot generate text.',
      }),
    )
    expect(names({ model: 'vectors', fallback: ['gemma3:4b'] })).toEqual(['ollama gemma3:4b'])
    expect(candidates({ model: 'vectors', fallback: ['gemma3:4b'] }).route).toBeUndefined()
    expect(() => names({ model: 'shared', avoided: new Set(['ollama']) })).toThrow(
      expect.objectContaining({ code: 'provider_unavailable' }),
    )
    const native = { fields: ['audio'], isSpokenBy: (name: string) => name === 'gemini' }
    expect(() => names({ requirements: { ...completion, native } })).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('audio is not') }),
    )
  })

  test('gives an API key all its targets when the key lists the route, else those that it allows', () => {
    expect(names(only('Quick'))).toEqual(['anthropic claude-haiku', 'openai shared'])
    expect(names(only('openai/*'))).toEqual(['openai shared'])
    for (const fallback of ['none', 'any', ['gemma3:4b']] as const) {
      expect(() => names({ ...only('gemma3:4b', 'qui*'), fallback })).toThrow(
        expect.objectContaining({ code: 'model_not_allowed', details: { model: 'quick' } }),
      )
    }
    expect(() => names({ ...only('gemma3:4b'), model: 'gone' })).toThrow(
      expect.objectContaining({ code: 'model_not_found' }),
    )
  })

  test('that the API key does not allow is not the default model', () => {
    const defaults = { ...clouds, defaultModel: 'quick' }
    expect(names({ ...only('gpt-4o-mini'), model: 'auto' }, defaults)).toEqual(['openai gpt-4o-mini'])
    expect(names({ ...only('quick'), model: 'auto' }, defaults)[0]).toBe('anthropic claude-haiku')
  })

  test('adds at most 32 candidates', () => {
    const many = Array.from({ length: 60 }, (_, index) => entry('openai', `model-${index}`))
    const half = (from: number) => to(...many.slice(from, from + 20).map(({ model }) => model.id))
    const found = findCandidates(
      { model: 'a', fallback: ['b', 'c'], requirements: completion },
      many,
      noDefaults,
      routing({ a: half(0), b: half(20), c: half(40) }),
    )
    expect(found.entries).toHaveLength(32)
  })
})
