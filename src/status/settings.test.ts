import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { statusSettings } from './settings.ts'

test('trailing slashes of vector store addresses are removed', () => {
  const { qdrantUrl, chromaUrl } = readSettings(statusSettings, {
    TUTTI_QDRANT_URL: 'http://127.0.0.1:6333/',
    TUTTI_CHROMA_URL: 'https://vectors.example.com/chroma/',
  })
  expect([qdrantUrl, chromaUrl]).toEqual(['http://127.0.0.1:6333', 'https://vectors.example.com/chroma'])
})

test.each([
  ['ftp://127.0.0.1', 'must be an address starting with http:// or https://'],
  ['http://me:secret@127.0.0.1', 'must not contain a user name or password'],
  ['http://127.0.0.1/?key=secret', 'must not contain a query or fragment'],
])('%s is refused', (url, reason) => {
  expect(() => readSettings(statusSettings, { TUTTI_QDRANT_URL: url })).toThrow(`TUTTI_QDRANT_URL ${reason}`)
})
