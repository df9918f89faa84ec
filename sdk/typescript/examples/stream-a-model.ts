/** Asks a model and prints the answer as it is written. */
import { createTutti } from '@tutti/client'

const tutti = createTutti({
  url: process.env['TUTTI_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['TUTTI_API_KEY'],
})

const answer = tutti.stream('post', '/v1/chat/completions', {
  body: {
    model: process.env['MODEL'] ?? 'builtin:text',
    messages: [{ role: 'user', content: 'The service was quick and the staff were kind.' }],
    stream: true,
  },
})
for await (const { data } of answer) {
  const chunk = data as { choices: { delta: { content?: string } }[] }
  process.stdout.write(chunk.choices[0]?.delta.content ?? '')
}
console.log()
