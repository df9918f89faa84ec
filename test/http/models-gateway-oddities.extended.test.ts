import { expect, test } from 'vitest'
import { sendOddities } from './models-gateway-oddities.ts'
import { createPlayer } from './models-gateway-player.ts'
import { startGatewayServer } from './models-gateway-server.ts'

test('A model request has arbitrary values in any field of any path', async () => {
  await using server = await startGatewayServer({
    providers: [createPlayer({ name: 'ollama', models: ['violin'] })],
    environment: { TUTTI_CUSTOM_TIER: '1000000,20,1' },
  })
  expect(await sendOddities(server)).toEqual(new Set([200, 400, 404]))
})
