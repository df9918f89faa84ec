import { expect, test } from 'vitest'
import { permissions } from './permissions.ts'
import { narrowPermissions, readScopes } from './scopes.ts'

const everything = new Set<string>(permissions)

test('a scope allows its own permissions and the public ones, nothing else', () => {
  expect([...narrowPermissions(everything, new Set(['workflows.run']))].sort()).toEqual([
    'access content',
    'run workflows',
  ])
})

test('a scope grants no permission its account lacks', () => {
  expect([...narrowPermissions(new Set(['access content']), new Set(['workflows.manage']))]).toEqual([
    'access content',
  ])
})

test('unknown scopes and names of Object.prototype grant nothing', () => {
  expect(narrowPermissions(everything, new Set(['administer users', 'constructor', '__proto__'])).size).toBe(
    1,
  )
})

test('scopes are separated by commas, spaces or both, and duplicates are removed', () => {
  expect(readScopes('models.read,models.generate')).toEqual(['models.read', 'models.generate'])
  expect(readScopes(' models.read  , models.generate,models.read ')).toEqual([
    'models.read',
    'models.generate',
  ])
  expect(readScopes('')).toEqual([])
})
