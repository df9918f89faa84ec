import { expect, test } from 'vitest'
import { writeFirstEvent } from './first-event.ts'

test('the command names this platform, and its body is JSON once the shell has written the time', () => {
  const command = writeFirstEvent('https://tutti.example')
  expect(command).toContain('curl -X POST https://tutti.example/llm-ui/analytics')
  const body = /<<JSON\n([^]*)\nJSON$/.exec(command)?.[1]?.replace(/\$\(.*\)/, '2026-11-15T09:30:00Z')
  expect(JSON.parse(body ?? '')).toMatchObject({ event: 'opened', timestamp: '2026-11-15T09:30:00Z' })
})
