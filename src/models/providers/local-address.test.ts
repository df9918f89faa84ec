import { expect, test } from 'vitest'
import { isLocalAddress } from './local-address.ts'

test.each([
  ['http://127.0.0.1:8000/v1', true],
  ['http://[::1]:8000', true],
  ['http://10.1.2.3/v1', true],
  ['http://192.168.0.7:11434', true],
  ['http://[fd00::7]:8000', true],
  ['http://localhost:8000', true],
  ['http://vllm:8000/v1', true],
  ['http://vllm.models.svc.cluster.local:8000', true],
  ['http://host.docker.internal:1234', true],
  ['https://api.groq.com/openai/v1', false],
  ['https://8.8.8.8/v1', false],
  ['https://local.example.com', false],
  ['https://[2001:4860:4860::8888]', false],
])('%s: %s', (url, isLocal) => {
  expect(isLocalAddress(url)).toBe(isLocal)
})
