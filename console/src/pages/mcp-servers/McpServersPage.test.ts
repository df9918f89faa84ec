import { expect, test } from 'vitest'
import { writeConnectExamples } from './McpServersPage.tsx'

test('both examples have the URL of this platform and no real key', () => {
  const [http, stdio] = writeConnectExamples('https://tutti.example').map(
    ({ text }) => JSON.parse(text).mcpServers,
  )
  expect(http.tutti).toEqual({
    type: 'http',
    url: 'https://tutti.example/mcp',
    headers: { Authorization: 'Bearer tk_YOUR_API_KEY' },
  })
  expect(stdio.tutti).toMatchObject({
    command: '/PATH/TO/tutti/bin/tutti',
    args: ['mcp'],
    env: { TUTTI_URL: 'https://tutti.example' },
  })
})
