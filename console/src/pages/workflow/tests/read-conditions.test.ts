import { expect, test } from 'vitest'
import { readConditions } from './read-conditions.ts'

test('the conditions of a test are a JSON list of objects', () => {
  expect(readConditions(' ')).toEqual({ value: [] })
  expect(readConditions('[{"field": "status"}]')).toEqual({ value: [{ field: 'status' }] })
  expect(readConditions('{"field": "status"}').problem).toMatch(/list of objects/)
  expect(readConditions('[1]').problem).toMatch(/list of objects/)
  expect(readConditions('[').problem).toBeTruthy()
})
