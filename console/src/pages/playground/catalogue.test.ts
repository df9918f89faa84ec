import { describe, expect, test } from 'vitest'
import { type CatalogueModel, findNamed, findWriters, nameOf, preselect } from './catalogue.ts'

function model(id: string, about: Partial<CatalogueModel> = {}): CatalogueModel {
  return {
    id,
    object: 'model',
    created: null,
    owned_by: 'vendor',
    provider: 'ollama',
    state: 'available',
    loaded: false,
    nodes: [],
    size: null,
    capabilities: ['completion'],
    context_length: null,
    max_output_tokens: null,
    pricing: { source: 'unpriced', input: null, cached_input: null, output: null, tiers: [], version: null },
    ...about,
  }
}

const builtin = model('builtin:text', { provider: 'builtin', loaded: true })
const cloud = model('gpt-4o-mini', { provider: 'openai', capabilities: [] })

describe('preselect', () => {
  test('chooses a model of the cluster, loaded ones first', () => {
    expect(preselect([builtin, model('a'), model('b', { loaded: true }), cloud])).toBe('b')
    expect(preselect([builtin, model('a'), cloud])).toBe('a')
  })

  test('skips models that are unavailable or generate no text', () => {
    const down = model('a', { state: 'unavailable' })
    const vectors = model('nomic-embed-text', { capabilities: ['embedding'] })
    expect(preselect([down, vectors, builtin])).toBe('builtin:text')
  })

  test('chooses `auto` when only cloud models are available', () => {
    expect(preselect([builtin, cloud])).toBe('auto')
  })

  test('chooses the text analysis without language models, even for an empty list', () => {
    expect(preselect([builtin])).toBe('builtin:text')
    expect(preselect([])).toBe('builtin:text')
  })
})

test('a model without capabilities is listed as a text model', () => {
  expect(findWriters([cloud, model('e', { capabilities: ['embedding'] })])).toEqual([cloud])
})

test('a model with the name of a route is named with its provider', () => {
  const models = [model('quick'), model('gemma3:4b')]
  const routes = [{ name: 'quick' }]
  expect(models.map((each) => nameOf(each, models, routes))).toEqual(['ollama/quick', 'gemma3:4b'])
  expect(preselect(models, routes)).toBe('ollama/quick')
})

test('a name identifies exactly one model, also when two providers have the same id', () => {
  const own = model('llama3')
  const theirs = model('llama3', { provider: 'openai' })
  const models = [own, theirs]
  expect(models.map((each) => nameOf(each, models))).toEqual(['llama3', 'openai/llama3'])
  expect(models.map((each) => findNamed(nameOf(each, models), models))).toEqual(models)
  expect(findNamed('missing', models)).toBeUndefined()
})
