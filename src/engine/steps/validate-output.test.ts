import { describe, expect, test } from 'vitest'
import type { Step } from '../definition/step-types.ts'
import { rulesOf } from '../execution/rules.ts'
import { noUsage, StepFailure } from './step-failure.ts'
import { type StepResult } from './step-run.ts'
import { validateConfidence, validateOutput } from './validate-output.ts'

const usage = { ...noUsage, microDollars: 12, aiCalls: 1 }
const good =
  'The kettle is on. We wait for the water to boil. Then we pour it over the leaves. The tea is ready in three minutes. We drink it by the window and look at the rain. It is a good day to stay at home and read a book.'

type Validation = NonNullable<Step['validation']>

const transform = (validation: Validation): Step => ({
  id: 'a',
  type: 'data_transform',
  transformations: [{ operation: 'merge' }],
  validation,
})
const prompt = (validation: Validation = {}): Step => ({
  id: 'a',
  type: 'ai_prompt',
  prompt: 'x',
  validation,
})

async function validate(
  output: unknown,
  step: Step,
  more: { result?: Partial<StepResult>; quality?: number } = {},
): Promise<StepResult> {
  const options = more.quality === undefined ? {} : { ai_options: { quality_threshold: more.quality } }
  const rules = rulesOf({}, { context: {}, options }, new Date())
  const made = { output, confidence: null, quality: null, usage, details: {}, ...more.result }
  const result = await validateOutput({ step, rules, signal: new AbortController().signal }, made)
  validateConfidence(step, result)
  return result
}

const failing = async (...given: Parameters<typeof validate>): Promise<StepFailure> => {
  const thrown: unknown = await validate(...given).catch((error: unknown) => error)
  if (thrown instanceof StepFailure) return thrown
  throw new Error('it did not fail', { cause: thrown })
}

describe('an output', () => {
  test.each<[string, unknown, Validation]>([
    ['min_length', 'twelve chars', { min_length: 12 }],
    ['min_length of JSON', { a: 1 }, { min_length: 7 }],
    [
      'sections of Markdown',
      '# Tea\n\nx\n\n## 2. Key points:\n\ny',
      { required_sections: ['tea', 'Key Points'] },
    ],
    ['bold lines as sections', '**Summary**\nx', { required_sections: ['Summary'] }],
    ['underlined sections', 'Summary\n=======\nx', { required_sections: ['Summary'] }],
    ['sections of HTML', '<h2 class="a">Summary</h2><p>x</p>', { required_sections: ['Summary'] }],
    ['keys as sections', { summary: '', Tea: null }, { required_sections: ['Summary', 'tea'] }],
    ['fields', { a: { b: [1] }, c: 0 }, { required_fields: ['a.b[0]', 'c'] }],
    ['fields of JSON in a text', 'Here: {"a": 1}', { required_fields: ['a'] }],
    ['quality', good, { quality_threshold: 0.7 }],
    ['confidence it states', { confidence: 0.8 }, { min_confidence: 0.8 }],
  ])('passes: %s', async (_name, output, validation) => {
    await expect(validate(output, transform(validation))).resolves.toMatchObject({ output })
  })

  test.each<[string, unknown, Validation, unknown, unknown]>([
    ['min_length', 'short', { min_length: 6 }, 6, 5],
    ['required_sections', '# Tea', { required_sections: ['Tea', 'Rain'] }, ['Tea', 'Rain'], ['Tea']],
    ['required_sections', 3, { required_sections: ['Tea'] }, ['Tea'], []],
    ['required_fields', { a: null, b: 1 }, { required_fields: ['a', 'b'] }, ['a', 'b'], ['b']],
    ['required_fields', 'no JSON', { required_fields: ['a'] }, ['a'], []],
    ['required_fields', {}, { required_fields: ['constructor'] }, ['constructor'], []],
    ['quality_threshold', 'Too short.', { quality_threshold: 0.1 }, 10, null],
    ['quality_threshold', { a: good }, { quality_threshold: 50 }, 50, null],
    ['min_confidence', { confidence: 0.4 }, { min_confidence: 0.5 }, 0.5, 0.4],
    ['min_confidence', { confidence: 7 }, { min_confidence: 0.5 }, 0.5, null],
    ['min_confidence', 'sure', { min_confidence: 0.1 }, 0.1, null],
  ])('fails by %s: %j', async (check, output, validation, expected, found) => {
    const failure = await failing(output, transform(validation))
    expect(failure).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { failed_checks: [{ check, expected, found }] },
      usage: { microDollars: 12 },
    })
    expect(failure.message).toContain(check)
  })

  test('fails with all checks that did not pass', async () => {
    const failure = await failing('x', transform({ min_length: 2, required_sections: ['A'] }))
    expect(failure.details['failed_checks']).toMatchObject([
      { check: 'min_length' },
      { check: 'required_sections' },
    ])
    expect(failure.message).toBe(
      'The output failed the validation of the step: min_length is 1, expected 2; required_sections is [], expected ["A"].',
    )
  })

  test('with a decision has the lower confidence of the two', async () => {
    const decision = {
      agent: 'x',
      decision: 'y',
      confidence: 0.3,
      reasoning: '',
      contextUsed: [],
      alternatives: [],
      stepsAdded: [],
    }
    const result = { confidence: 0.9, decision }
    const failure = await failing('x', prompt({ min_confidence: 0.5 }), { result })
    expect(failure.details['failed_checks']).toMatchObject([{ found: 0.3 }])
  })
})

describe('the minimum quality of the execution', () => {
  const poor = `${'Incommensurable organisational interdependencies necessitate comprehensive infrastructural modernisation. '.repeat(5)}\n\n#### x\n\n# y\n\n# z`

  test('applies to texts of models', async () => {
    await expect(validate(good, prompt(), { quality: 75 })).resolves.toMatchObject({
      quality: expect.any(Number),
    })
    expect(await failing(poor, prompt(), { quality: 0.75 })).toMatchObject({
      details: { failed_checks: [{ check: 'quality_threshold', expected: 75 }] },
    })
  })

  test('does not apply to labels, JSON and other steps', async () => {
    await expect(validate('positive', prompt(), { quality: 75 })).resolves.toMatchObject({ quality: null })
    await expect(validate({ a: 1 }, prompt(), { quality: 75 })).resolves.toMatchObject({ quality: null })
    await expect(validate(poor, transform({}), { quality: 75 })).resolves.toMatchObject({ quality: null })
  })
})
