import { describe, expect, test } from 'vitest'
import { readModelList } from './model-list.ts'

describe('a list of models', () => {
  test('is sorted by name without duplicates', () => {
    const models = readModelList({
      models: [{ name: 'b:1' }, { name: 'a:1', size: 1 }, { name: 'a:1', size: 2 }],
    })
    expect(models?.map(({ name, size }) => [name, size])).toEqual([
      ['a:1', 2],
      ['b:1', null],
    ])
  })

  test('keeps the valid details of a model and drops the others', () => {
    const details = { parameter_size: '4.3B', quantization_level: '\u001b[31mQ4' }
    expect(readModelList({ models: [{ name: 'gemma3:4b', size: 'big', details, more: true }] })).toEqual([
      {
        name: 'gemma3:4b',
        size: null,
        parameterSize: '4.3B',
        quantization: null,
        modifiedAt: null,
        capabilities: null,
        contextLength: null,
        raw: { name: 'gemma3:4b', size: 'big', details, more: true },
      },
    ])
    expect(readModelList({ models: [{ name: 'gemma3:4b', details: null }] })).toHaveLength(1)
  })

  test.each([
    [{ size: 3_338_801_804 }, { size: 3_338_801_804 }],
    [{ size: -1 }, { size: null }],
    [{ size: Number.POSITIVE_INFINITY }, { size: null }],
    [
      { modified_at: '2026-05-04T17:37:44.706015396-07:00' },
      { modifiedAt: new Date('2026-05-05T00:37:44.706Z') },
    ],
    [{ modified_at: '0001-01-01T00:00:00Z' }, { modifiedAt: null }],
    [{ modified_at: '2026-99-99T00:00:00Z' }, { modifiedAt: null }],
    [{ modified_at: 'yesterday' }, { modifiedAt: null }],
    [{ modified_at: 1_700_000_000 }, { modifiedAt: null }],
    [{ capabilities: ['completion', 'tools'] }, { capabilities: ['completion', 'tools'] }],
    [{ capabilities: ['completion', '\u001b[2J', 7] }, { capabilities: ['completion'] }],
    [{ capabilities: 'completion' }, { capabilities: null }],
  ])('%j is read as %j', (said, understood) => {
    expect(readModelList({ models: [{ name: 'gemma3:4b', ...said }] })).toMatchObject([understood])
  })

  test('may be empty or null', () => {
    expect(readModelList({ models: [] })).toEqual([])
    expect(readModelList({ models: null })).toEqual([])
  })

  test.each([
    null,
    [],
    'models',
    {},
    { models: {} },
    { models: [null] },
    { models: [{}] },
    { models: [{ name: 7 }] },
    { models: [{ name: '' }] },
    { models: [{ name: 'x'.repeat(513) }] },
    { models: [{ name: 'two\nlines' }] },
    { models: [{ name: '\u009b31m' }] },
  ])('%j is not a model list', (response) => {
    expect(readModelList(response)).toBeUndefined()
  })
})
