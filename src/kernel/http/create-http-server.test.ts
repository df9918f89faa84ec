import { expect, test } from 'vitest'
import { preferredFormat } from './create-http-server.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['*/*', undefined],
  ['application/zip', undefined],
  ['application/json', 'data'],
  ['application/json, text/plain, */*', 'data'],
  ['application/*', 'data'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'page'],
  ['text/html', 'page'],
  ['text/*', 'page'],
  ['application/json;q=0.5, text/html', 'page'],
  ['application/json, text/html;q=0.5', 'data'],
  ['application/json, text/html', undefined],
  ['TEXT/HTML; Q=0.9, */*; q=0.1', 'page'],
  ['text/html;q=0, */*', 'data'],
  ['text/html;q=nonsense, application/json;q=0.1', 'data'],
])('%s prefers %s', (accept, preferred) => {
  expect(preferredFormat(accept)).toBe(preferred)
})
