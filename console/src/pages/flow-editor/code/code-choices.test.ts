import { jsonLanguage } from '@codemirror/lang-json'
import { Text } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import type { FlowDocument } from '../document/flow-document.ts'
import generated from '../form/flow-schema.generated.json'
import type { Schema } from '../form/schema/read-shape.ts'
import { choicesAt, pathsAt } from './code-choices.ts'
import { codePlaceAt } from './code-place.ts'

const schema: Schema = generated.flow

const document: FlowDocument = {
  definition: {
    id: 'flow',
    label: 'Flow',
    steps: [
      { id: 'one', type: 'ai_prompt', label: 'First', output_to_memory: 'summary' },
      { id: 'two', type: 'conditional', dependencies: ['one'] },
    ],
  },
  metadata: {},
}

/** The code before and after the cursor, which is written as ‸. */
function look(text: string) {
  const at = text.indexOf('‸')
  const code = text.replace('‸', '')
  const parsed = { tree: jsonLanguage.parser.parse(code), doc: Text.of(code.split('\n')) }
  return { code: parsed, place: codePlaceAt(parsed, at) }
}

function labelsAt(text: string): readonly string[] {
  const { code, place } = look(text)
  return place === undefined ? [] : choicesAt(code, place, schema, document).map(({ label }) => label)
}

function withOption(inner: string): string {
  return `{"steps": [{"type": "ai_prompt", "routing_options": {"deep": {${inner}}}}]}`
}

describe('field names', () => {
  test('are offered where they are allowed, without the existing ones', () => {
    const labels = labelsAt('{"id": "x", "‸"}')
    expect(labels).toEqual(expect.arrayContaining(['label', 'steps', 'global_configuration']))
    expect(labels).not.toContain('id')
    expect(labelsAt('{‸}')).toContain('id')
    expect(labelsAt('{"id": "x", la‸}')).toContain('label')
  })

  test('of a step are those of its type, wherever the type is written', () => {
    const labels = labelsAt('{"steps": [{"‸": 1, "type": "conditional"}]}')
    expect(labels).toContain('conditions')
    expect(labels).not.toContain('prompt')
  })

  test('of a step without a type are those of all types', () => {
    expect(labelsAt('{"steps": [{"‸"}]}')).toEqual(
      expect.arrayContaining(['prompt', 'conditions', 'api', 'agent']),
    )
  })

  test('inside of records and lists are offered too', () => {
    expect(labelsAt(withOption('"‸"'))).toEqual(expect.arrayContaining(['add_steps', 'continue_to']))
    expect(labelsAt('{"steps": [{"type": "conditional", "conditions": [{"field": "a",\n "‸"')).toContain(
      'operator',
    )
  })

  test('have a description and an initial value', () => {
    const { code, place } = look('{"steps": [{"type": "conditional", "‸"}]}')
    if (place === undefined) throw new Error('no place')
    const conditions = choicesAt(code, place, schema, document).find(({ label }) => label === 'conditions')
    expect(conditions).toMatchObject({ detail: 'list, required', begins: '[]' })
    expect(conditions?.info).not.toBe('')
  })

  test('include the type as a choice while it is missing', () => {
    const { code, place } = look('{"steps": [{"‸"}]}')
    if (place === undefined) throw new Error('no place')
    const type = choicesAt(code, place, schema, document).find(({ label }) => label === 'type')
    expect(type).toMatchObject({ detail: 'choice, required', begins: '""' })
  })
})

describe('values', () => {
  test.each([
    ['a choice', '{"steps": [{"type": "conditional", "conditions": [{"operator": "‸"}]}]}', '"contains"'],
    ['the type of a step that has one', '{"steps": [{"type": "ai_p‸rompt"}]}', '"data_transform"'],
    ['a flag', '{"steps": [{"type": "ai_prompt", "agent_routing": ‸}]}', 'true'],
    ['a flag that is begun', '{"steps": [{"type": "ai_prompt", "agent_routing": t‸}]}', 'true'],
    ['another step', '{"steps": [{"id": "two", "type": "conditional", "dependencies": ["‸"]}]}', '"one"'],
    [
      'the first in a list',
      '{"steps": [{"id": "two", "type": "conditional", "dependencies": [‸]}]}',
      '"one"',
    ],
    [
      'a step to go on with',
      '{"steps": [{"type": "conditional", "default_action": {"target_step": "‸"}}]}',
      '"two"',
    ],
  ])('of %s are offered', (_what, text, label) => {
    expect(labelsAt(text)).toContain(label)
  })

  test('are not offered for free values, nor after a value', () => {
    expect(labelsAt('{"label": "‸"}')).toEqual([])
    expect(labelsAt('{"label": "x"‸}')).toEqual([])
    expect(labelsAt('{"label": "x" ‸}')).toEqual([])
    expect(labelsAt('{"unknown": {"‸"}}')).toEqual([])
    expect(labelsAt('‸')).toEqual([])
  })

  test('never offer the step itself', () => {
    expect(
      labelsAt('{"steps": [{"id": "two", "type": "conditional", "dependencies": ["‸"]}]}'),
    ).not.toContain('"two"')
  })
})

test('placeholders complete to the paths available to the step', () => {
  const { code, place } = look('{"steps": [{"id": "two", "type": "ai_prompt", "prompt": "{{‸"}]}')
  const known = { document, requiredInputs: [], sample: null, outputs: new Map() }
  const paths = pathsAt(code, place?.path ?? [], known).map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['content', 'summary', 'steps.one']))
  expect(pathsAt(code, ['label'], known)).toEqual([])
})
