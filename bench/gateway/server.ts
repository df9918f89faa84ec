/**
 * A platform in a process of its own, with the provider at OPENAI_BASE_URL. The model `priced` has a price, the price of `unpriced` is
 * unknown.
 */
import { servePlatform } from '../platform-process.ts'

await servePlatform({}, async ({ database }, url) => {
  await database.query(`update identity_users set tier = 'custom'`)
  const response = await fetch(`${url}/api/v1/prices/openai/priced`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${process.env['TUTTI_API_KEY']}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ input: 0.15, cached_input: 0.075, output: 0.6 }),
  })
  if (!response.ok) throw new Error(`the price was not set: ${await response.text()}`)
})
