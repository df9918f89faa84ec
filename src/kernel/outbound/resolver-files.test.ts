import { describe, expect, test } from 'vitest'
import { candidateNames, parseSearchRules } from './resolver-files.ts'

describe('the search list of resolv.conf', () => {
  test('is the last one in the file, with ndots', () => {
    const text = [
      'nameserver 10.0.0.1',
      '# search nowhere.test',
      'domain old.test',
      'search Corp.test. lab.test ; a remark',
      'options timeout:1 ndots:2',
    ].join('\n')
    expect(parseSearchRules(text)).toEqual({ domains: ['corp.test', 'lab.test'], ndots: 2 })
    expect(parseSearchRules('')).toEqual({ domains: [], ndots: 1 })
  })

  test('is bounded', () => {
    const many = Array.from({ length: 40 }, (_, index) => `d${index}.test`).join(' ')
    const { domains, ndots } = parseSearchRules(`search ${many}\noptions ndots:99`)
    expect([domains.length, ndots]).toEqual([32, 15])
  })

  test('is applied to short names first and to full names last', () => {
    const rules = { domains: ['corp.test'], ndots: 1 }
    expect(candidateNames('postgres', rules)).toEqual(['postgres.corp.test', 'postgres'])
    expect(candidateNames('api.example', rules)).toEqual(['api.example', 'api.example.corp.test'])
    expect(candidateNames('postgres', { domains: [], ndots: 1 })).toEqual(['postgres'])
  })
})
