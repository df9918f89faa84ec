import { expect, test } from 'vitest'
import { fieldOrder } from './field-order.ts'

const form = (...names: readonly string[]) => ({
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
})

const order = (value: unknown) => fieldOrder(value, ['properties'])

test('the order of fields counts, at every depth, and that of other keys does not', () => {
  expect(order({ a: 1, form: form('x', 'y') })).toBe(order({ form: form('x', 'y'), a: 1 }))
  expect(order([{ form: form('x', 'y') }])).not.toBe(order([{ form: form('y', 'x') }]))
  expect(order({ properties: { x: form('a', 'b') } })).not.toBe(order({ properties: { x: form('b', 'a') } }))
  expect(order({ one: form('x', 'y'), two: form('y', 'x') })).not.toBe(
    order({ one: form('y', 'x'), two: form('x', 'y') }),
  )
})
