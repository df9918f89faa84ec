import { describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { clusterUrlOf, modelsSettings } from './settings.ts'

describe('the cluster service is found', () => {
  test.each([
    ['on this machine', {}, 'http://localhost:3001'],
    [
      'where the settings say',
      { RUNTIME_CLUSTER_HOST: 'gpu.example', RUNTIME_CLUSTER_PORT: '4001' },
      'http://gpu.example:4001',
    ],
    ['at an IPv6 address', { RUNTIME_CLUSTER_HOST: 'fd00::7' }, 'http://[fd00::7]:3001'],
    ['at an IPv6 address in brackets', { RUNTIME_CLUSTER_HOST: '[::1]' }, 'http://[::1]:3001'],
    [
      'by its usual name in Kubernetes',
      { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      'http://tutti-cluster.default.svc.cluster.local:3001',
    ],
    [
      'by the name it was given in Kubernetes, whatever else is set',
      {
        KUBERNETES_SERVICE_HOST: '10.0.0.1',
        RUNTIME_CLUSTER_SERVICE: 'llm',
        RELEASE_NAMESPACE: 'staging',
        RUNTIME_CLUSTER_HOST: 'gpu.example',
        RUNTIME_CLUSTER_PORT: '4001',
      },
      'http://llm.staging.svc.cluster.local:3001',
    ],
    ['on this machine when the variable is empty', { KUBERNETES_SERVICE_HOST: '' }, 'http://localhost:3001'],
  ])('%s', (_name, environment, url) => {
    expect(clusterUrlOf(readSettings(modelsSettings, environment))).toBe(url)
    expect(URL.canParse(url)).toBe(true)
  })

  test.each([
    ['RUNTIME_CLUSTER_HOST', 'http://gpu.example'],
    ['RUNTIME_CLUSTER_HOST', 'gpu.example:4001'],
    ['RUNTIME_CLUSTER_HOST', 'user@gpu.example'],
    ['RUNTIME_CLUSTER_HOST', 'gpu.example/path'],
    ['RUNTIME_CLUSTER_PORT', '0'],
    ['RUNTIME_CLUSTER_PORT', '65536'],
    ['RUNTIME_CLUSTER_SERVICE', 'two words'],
    ['RUNTIME_CLUSTER_SERVICE', 'evil.example/#'],
    ['RELEASE_NAMESPACE', 'Upper'],
  ])('but %s=%s is refused', (variable, text) => {
    expect(() => readSettings(modelsSettings, { [variable]: text })).toThrow(`${variable} must be`)
  })
})

describe('the origins of pages that may call the gateway', () => {
  test('are none by default, and compared in lower case', () => {
    expect(readSettings(modelsSettings, {}).corsOrigins).toEqual([])
    const listed = { MODEL_CORS_ORIGINS: 'https://App.example.com, http://localhost:5173,tauri://localhost' }
    expect(readSettings(modelsSettings, listed).corsOrigins).toEqual([
      'https://app.example.com',
      'http://localhost:5173',
      'tauri://localhost',
    ])
    expect(readSettings(modelsSettings, { MODEL_CORS_ORIGINS: '*' }).corsOrigins).toEqual(['*'])
  })

  test.each(['app.example.com', 'https://app.example.com/', 'https://*.example.com', 'https://a@b.example'])(
    '%s is refused',
    (text) => {
      expect(() => readSettings(modelsSettings, { MODEL_CORS_ORIGINS: text })).toThrow(
        'MODEL_CORS_ORIGINS must be origins',
      )
    },
  )
})
