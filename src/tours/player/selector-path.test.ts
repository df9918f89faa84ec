import { expect, test } from 'vitest'
import { splitSelector } from './selector-path.ts'

test.each([
  ['#save', ['#save']],
  ['my-app >>> button', ['my-app', 'button']],
  ['my-app>>>iframe[name="a"] >>> li > a', ['my-app', 'iframe[name="a"]', 'li > a']],
  ['[aria-label="a >>> b"] >>> a', ['[aria-label="a >>> b"]', 'a']],
  [String.raw`[title="\">>>"]`, [String.raw`[title="\">>>"]`]],
  ['>>> a', ['', 'a']],
])('%s is split into %j', (selector, parts) => {
  expect(splitSelector(selector)).toEqual(parts)
})
