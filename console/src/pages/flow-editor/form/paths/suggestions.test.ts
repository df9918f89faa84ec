import { describe, expect, test } from 'vitest'
import type { DraftStep, FlowDocument } from '../../document/flow-document.ts'
import {
  type Known,
  memoryKeys,
  outputFields,
  suggestionsFor,
  suggestionsOfOwn,
  unfilledIn,
} from './suggestions.ts'
import { sourceFields, suggestionsAt } from './suggestions-at.ts'

const ask: DraftStep = {
  id: 'ask',
  type: 'ai_prompt',
  label: 'Ask',
  prompt: '{{content}} in {{tone}}, for {{context.reader.name}}',
  output_to_memory: 'analysis',
}
const decide: DraftStep = {
  id: 'decide',
  type: 'conditional',
  dependencies: ['ask'],
  output_to_memory: 'choice',
  conditions: [{ field: 'metadata.language', operator: '==', value: 'de' }],
}
const end: DraftStep = {
  id: 'end',
  type: 'data_transform',
  dependencies: ['decide'],
  output_to_memory: 'whole',
  transformations: [
    { operation: 'merge', sources: ['analysis', 'steps.decide'] },
    { operation: 'generate_summary', template: '{{typing' },
  ],
}
const aside: DraftStep = { id: 'aside', type: 'ai_prompt', output_to_memory: 'other' }

function known(more: Partial<Known> = {}, configuration?: FlowDocument['metadata']): Known {
  const steps = [ask, decide, end, aside]
  return {
    document: {
      definition: {
        id: 'flow',
        label: '',
        steps,
        ...(configuration === undefined ? {} : { global_configuration: configuration }),
      },
      metadata: {},
    },
    requiredInputs: [],
    sample: null,
    outputs: new Map(),
    ...more,
  }
}

const paths = (all: readonly { readonly path: string }[]) => all.map(({ path }) => path)

describe('the paths a step can use', () => {
  test('are the context, the outputs of predecessors, and the required inputs of other steps', () => {
    const found = suggestionsFor(known(), 'end')
    expect(paths(found)).toEqual([
      'content',
      'user_context',
      'processing_options',
      'metadata',
      'analysis',
      'choice',
      'choice.action',
      'choice.target',
      'choice.reason',
      'choice.condition',
      'tone',
      'reader.name',
      'metadata.language',
      'steps.ask',
      'steps.decide',
    ])
    expect(found.find(({ path }) => path === 'analysis')?.from).toBe('output of Ask')
    expect(found.find(({ path }) => path === 'tone')).toEqual({
      path: 'tone',
      from: 'context, used by Ask',
      isBrought: true,
    })
    expect(found.find(({ path }) => path === 'metadata.language')?.isBrought).toBe(false)
  })

  test('exclude steps beside or after it, and inputs that only the step itself requires', () => {
    const found = paths(suggestionsFor(known({ requiredInputs: ['tone', 'style'] }), 'ask'))
    expect(found).not.toContain('choice')
    expect(found).not.toContain('other')
    expect(found).not.toContain('tone')
    expect(found).toContain('style')
  })

  test('include the outputs and the sample of the last test run', () => {
    const outputs = new Map([['ask', { score: 7, 'a.b': 1, facts: [{ name: 'x' }] }]])
    const found = paths(suggestionsFor(known({ outputs, sample: { reader: { age: 7 } } }), 'decide'))
    expect(found).toEqual(expect.arrayContaining(['analysis.score', 'analysis.facts[0].name', 'reader.age']))
    expect(found).not.toContain('analysis.a.b')
    expect(outputFields(known({ outputs }), 'ask')).toContain('score')
  })

  test('include the memory keys of the last execution with a persistent memory', () => {
    const found = suggestionsFor(known({}, { shared_memory_persistent: true }), 'ask')
    expect(found.find(({ path }) => path === 'other')?.from).toBe('from the last execution')
  })
})

const of = (id: string) => ({
  begins: suggestionsFor(known(), id),
  own: suggestionsOfOwn(known(), id),
})

describe('some fields see more paths', () => {
  test('routing sees the output of its step', () => {
    expect(paths(suggestionsAt(ask, ['prompt'], of('ask')))).not.toContain('analysis')
    expect(paths(suggestionsAt(ask, ['routing_prompt'], of('ask')))).toContain('analysis')
    const condition = ['routing_options', 'deep', 'condition', 'field']
    expect(paths(suggestionsAt(ask, condition, of('ask')))).toContain('steps.ask')
  })

  test('a transformation sees the previous one, and its template the last names of its sources', () => {
    const first = ['transformations', 0]
    expect(paths(suggestionsAt(end, [...first, 'sources', 0], of('end')))).not.toContain('previous')
    expect(paths(suggestionsAt(end, [...first, 'template'], of('end')))).toContain('decide')
    expect(paths(suggestionsAt(end, ['transformations', 1, 'sources', 0], of('end')))).toContain('previous')
    const outputs = new Map([['ask', { score: 7 }]])
    const begins = suggestionsFor(known({ outputs }), 'end')
    expect(paths(sourceFields(end, [...first, 'fields', 0], begins))).toEqual(['score'])
  })
})

test('unfilled placeholders are reported, each with its reason', () => {
  const filling = { suggestions: suggestionsFor(known(), 'decide'), keys: memoryKeys([ask, decide, end]) }
  const text =
    '{{content}} {{analysis.x[0]}} {{memory.analysis}} {{context.metadata}} {{steps.ask.y}} {{tone}} {{whole}} {{steps.end}} {{a..b}} {{tone}}'
  expect(unfilledIn(text, filling)).toEqual([
    'No step writes “tone”: pass it in the context of the execution.',
    '“whole” is written by a step that may not have finished by then.',
    '“steps.end”: no earlier step has the ID “end”.',
    '“{{a..b}}” is not a valid path, such as {{analysis.score}}.',
  ])
})

test('a secret is filled where secrets can be used, when the account has it', () => {
  const filling = { suggestions: [], keys: [] }
  const text = 'Bearer {{secrets.a}} {{secrets.b}}'
  expect(unfilledIn(text, { ...filling, secrets: ['a'] })).toEqual(['You have no secret “b”.'])
  expect(unfilledIn(text, { ...filling, secrets: null })).toEqual([])
  expect(unfilledIn(text, filling)).toEqual(['Secrets can be used in HTTP requests only.'])
})
