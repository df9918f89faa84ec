import { describe, expect, test } from 'vitest'
import { answerOf, readFields } from './form-fields.ts'

const form = {
  type: 'object',
  required: ['approved', 'price'],
  properties: {
    approved: { type: 'boolean', title: 'Approved' },
    price: { type: 'number', default: 3 },
    reason: { type: 'string', format: 'multiline', description: 'Why.' },
    colour: { type: 'string', enum: ['red', 'blue'] },
    parts: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
  },
}

describe('the form of a human task', () => {
  test('has a field for each property', () => {
    expect(
      readFields(form).map(({ name, kind, isRequired, options }) => [name, kind, isRequired, options]),
    ).toEqual([
      ['approved', 'yes or no', true, []],
      ['price', 'number', true, []],
      ['reason', 'multiline', false, []],
      ['colour', 'choice', false, ['red', 'blue']],
      ['parts', 'choices', false, ['a', 'b']],
    ])
  })

  test('answers with values of the types of its fields, and without empty ones', () => {
    const fields = readFields(form)
    expect(answerOf(fields, new Map())).toEqual({ price: 3 })
    const values = new Map<string, string | string[]>([
      ['approved', 'false'],
      ['price', '4.5'],
      ['colour', 'blue'],
      ['parts', ['b']],
      ['reason', ''],
    ])
    expect(answerOf(fields, values)).toEqual({ approved: false, price: 4.5, colour: 'blue', parts: ['b'] })
    expect(answerOf(fields, new Map([['price', 'much']]))).toEqual({ price: 'much' })
  })
})
