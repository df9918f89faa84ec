import { expect, test } from 'vitest'
import { createRetryBudget } from './retry-budget.ts'

test('three concurrent retries are always allowed', () => {
  const budget = createRetryBudget()
  budget.enter()
  const taken = [budget.take(), budget.take(), budget.take()]
  expect(taken).not.toContain(undefined)
  expect(budget.take()).toBeUndefined()
  taken[0]?.()
  expect(budget.take()).toBeDefined()
})

test('under load a fifth of the requests may be retried', () => {
  const budget = createRetryBudget()
  const leave = Array.from({ length: 50 }, () => budget.enter())
  for (let taken = 0; taken < 10; taken++) expect(budget.take()).toBeDefined()
  expect(budget.take()).toBeUndefined()
  for (const done of leave) done()
  expect(budget.take()).toBeUndefined()
})
