import { expect, test } from 'vitest'
import { createRetryBudget } from './retry-budget.ts'

test('a few may always try again', () => {
  const budget = createRetryBudget()
  budget.enter()
  const taken = [budget.take(), budget.take(), budget.take()]
  expect(taken).not.toContain(undefined)
  expect(budget.take()).toBeUndefined()
  taken[0]?.()
  expect(budget.take()).toBeDefined()
})

test('of many a fifth may', () => {
  const budget = createRetryBudget()
  const leave = Array.from({ length: 50 }, () => budget.enter())
  for (let taken = 0; taken < 10; taken++) expect(budget.take()).toBeDefined()
  expect(budget.take()).toBeUndefined()
  for (const done of leave) done()
  expect(budget.take()).toBeUndefined()
})
