import { expect, test } from 'vitest'
import { permissions } from './permissions.ts'
import { narrowPermissions, readScopes } from './scopes.ts'

const everything = new Set<string>(permissions)

test('a scope lets through the permissions it stands for and what everyone has, nothing else', () => {
  expect([...narrowPermissions(everything, new Set(['workflows.run']))].sort()).toEqual([
    'access content',
    'run workflows',
  ])
})

test('a scope gives nothing its account does not have', () => {
  expect([...narrowPermissions(new Set(['access content']), new Set(['workflows.manage']))]).toEqual([
    'access content',
  ])
})

test('a scope nobody knows, and names every object has, give nothing', () => {
  expect(narrowPermissions(everything, new Set(['administer users', 'constructor', '__proto__'])).size).toBe(
    1,
  )
})

test('scopes may be separated by commas, spaces or both, and doubled', () => {
  expect(readScopes('models.read,models.generate')).toEqual(['models.read', 'models.generate'])
  expect(readScopes(' models.read  , models.generate,models.read ')).toEqual([
    'models.read',
    'models.generate',
  ])
  expect(readScopes('')).toEqual([])
})
