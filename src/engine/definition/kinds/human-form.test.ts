import { describe, expect, test } from 'vitest'
import { approvalForm, checkAnswer, readForm } from './human-form.ts'

const form = {
  type: 'object',
  properties: {
    approved: { type: 'boolean', title: 'Approved' },
    reason: { type: 'string', format: 'multiline' },
    tone: { type: 'string', enum: ['formal', 'friendly'] },
    due: { type: 'string', format: 'date' },
    mail: { type: 'string', format: 'email' },
    amount: { type: 'number' },
    copies: { type: 'integer', default: 1 },
    channels: { type: 'array', items: { enum: ['web', 'print'] } },
  },
  required: ['approved', 'channels'],
}

test('a form with every kind of field is read', () => {
  const { fields, problems } = readForm(form, 'form')
  expect(problems).toEqual([])
  expect(fields.map(({ name, title, required }) => [name, title, required])).toEqual([
    ['approved', 'Approved', true],
    ['reason', 'reason', false],
    ['tone', 'tone', false],
    ['due', 'due', false],
    ['mail', 'mail', false],
    ['amount', 'amount', false],
    ['copies', 'copies', false],
    ['channels', 'channels', true],
  ])
  expect(readForm(approvalForm, 'form').problems).toEqual([])
})

const one = (field: unknown) => ({ type: 'object', properties: { a: field } })

describe('a form is refused', () => {
  test.each([
    [[], 'form must be an object'],
    [{ type: 'object', properties: {} }, 'form.properties must have at least one field'],
    [{ type: 'array', properties: { a: { type: 'string' } } }, 'form.type must be "object"'],
    [{ ...one({ type: 'string' }), allOf: [] }, 'form.allOf is not supported in a form'],
    [
      one({ type: 'object' }),
      'form.properties.a.type must be one of string, number, integer, boolean, array',
    ],
    [one({ type: 'string', pattern: 'x' }), 'form.properties.a.pattern is not supported in a form'],
    [
      one({ type: 'number', format: 'date' }),
      'form.properties.a.format must be one of date, email, multiline, on a field of type string',
    ],
    [
      one({ type: 'array', items: { type: 'string' } }),
      'form.properties.a.items must be {"enum": [texts]}: a list is a choice of several values',
    ],
    [one({ type: 'integer', default: 'x' }), 'form.properties.a.default must be a number'],
    [{ ...one({ type: 'string' }), required: ['b'] }, 'form.required must be a list of names of fields'],
    [
      { type: 'object', properties: { 'a b': { type: 'string' } } },
      'form.properties.a b must be named with up to 64 letters, digits and underscores',
    ],
    [
      {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`f${n}`, { type: 'string' }])),
      },
      'form.properties must have at most 30 fields',
    ],
  ])('%j', (given, problem) => {
    const { problems } = readForm(given, 'form')
    expect(problems.map(({ path, message }) => `${path} ${message}`)).toContain(problem)
    expect(problems.every(({ code }) => code === 'form')).toBe(true)
  })
})

describe('an answer', () => {
  const { fields } = readForm(form, 'form')
  const valid = { approved: false, channels: ['web'] }
  const problemsOf = (answer: unknown) =>
    checkAnswer(fields, answer).map(({ path, message }) => `${path} ${message}`)

  test('is accepted with all fields, and with the required ones only', () => {
    expect(problemsOf(valid)).toEqual([])
    expect(
      problemsOf({
        ...valid,
        reason: 'because',
        tone: 'formal',
        due: '2028-02-29',
        mail: 'nora@example.com',
        amount: 1.5,
        copies: 3,
      }),
    ).toEqual([])
  })

  test.each([
    [null, 'answer must be an object'],
    [{ channels: ['web'] }, 'answer.approved is required'],
    [{ ...valid, approved: 'yes' }, 'answer.approved must be true or false'],
    [{ ...valid, other: 1 }, 'answer.other is not a field of the form'],
    [{ ...valid, tone: 'rude' }, 'answer.tone must be one of formal, friendly'],
    [{ ...valid, due: '2027-02-30' }, 'answer.due must be a date such as 2027-01-31'],
    [{ ...valid, mail: 'nora' }, 'answer.mail must be an e-mail address'],
    [{ ...valid, amount: Number.NaN }, 'answer.amount must be a number'],
    [{ ...valid, copies: 1.5 }, 'answer.copies must be a whole number'],
    [{ ...valid, channels: ['radio'] }, 'answer.channels must be a list of web, print'],
    [{ ...valid, channels: [] }, 'answer.channels must have at least one value'],
    [{ ...valid, reason: 'x'.repeat(10_001) }, 'answer.reason must have at most 10000 characters'],
    [
      JSON.parse('{"approved": true, "channels": ["web"], "__proto__": 1}'),
      'answer.__proto__ is not a field of the form',
    ],
  ])('%.60j is refused', (answer, problem) => {
    expect(problemsOf(answer)).toEqual([problem])
  })
})
